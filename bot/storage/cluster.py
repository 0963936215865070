"""The processes of one bot: which are alive, which hold each shard, and what they hand over.

Used only on PostgreSQL, where there can be several processes; on SQLite these tables stay empty.
All moments are Unix times by the database server's clock. Any process can claim a shard whose lease
has ended.
"""

import json
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import (
    ARRAY,
    BigInteger,
    Column,
    ColumnElement,
    Delete,
    Float,
    Index,
    Integer,
    Table,
    Text,
    and_,
    any_,
    bindparam,
    case,
    cast,
    delete,
    extract,
    func,
    insert,
    null,
    or_,
    select,
    text,
    update,
)
from sqlalchemy.dialects.postgresql import insert as upsert

from bot.storage.puzzles import puzzle_days
from bot.storage.records import MatchId
from bot.storage.repository import Repository
from bot.storage.schema import matches, metadata
from bot.storage.shards import Shards
from bot.time_units import HOUR_SECONDS

processes = Table(
    "processes",
    metadata,
    Column("name", Text, primary_key=True),
    Column("until", Float, nullable=False),  # when its lease ends
)

shards = Table(
    "shards",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("holder", Text),
    Column("until", Float, nullable=False),  # when its holder's lease ends, or when it was given up
    Column("away_since", Float),  # since when no process is connected; null: its holder is
)

identifies = Table(
    "identifies",
    metadata,
    Column("bucket", Integer, primary_key=True, autoincrement=False),
    Column("next_at", Float, nullable=False),  # when a shard of this bucket may next identify
)

handed = Table(
    "handed",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),  # id of the interaction
    Column("process", Text, nullable=False),  # that is to take it
    Column("payload", Text, nullable=False),  # as Discord sent it, with its token
    Column("at", Float, nullable=False),
)
Index("ix_handed_process", handed.c.process)

OF_PROCESSES: Final = frozenset({processes, shards, identifies, handed})
"""The tables about processes that run."""

CHANNEL: Final = "facedown"
"""The NOTIFY channel on which processes tell each other where to look."""

_NOW: Final = cast(extract("epoch", func.clock_timestamp()), Float)
_HOUR: Final = puzzle_days.c.hour
_LAST_PRESENCE: Final = func.least(
    _NOW,
    select((func.max(_HOUR) + 1) * HOUR_SECONDS)
    .where(_HOUR > 0, _HOUR <= _NOW / HOUR_SECONDS)
    .scalar_subquery(),
)
"""The end of the last hour in which a bot could be reached, which is recorded on a file too.

Now, if that isn't over or there is none. Later hours were recorded while a clock was ahead.
"""

_IS_LISTED: Final = matches.c.id == any_(bindparam("numbers", type_=ARRAY(BigInteger)))
_SETUP_LOCK: Final = 0x46414346
"""The advisory lock for changing the number of shards."""


@dataclass(frozen=True, slots=True)
class HandedInteraction:
    """An interaction that is left for another process."""

    identity: int
    process: str
    payload: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How the shards are divided among the processes."""

    mine: frozenset[int]
    """The shards that this process holds."""

    holders: Mapping[int, str]
    """The name of the process that holds each shard; shards without a valid lease are missing."""

    elsewhere: frozenset[int]
    """The shards that other processes are connected to."""

    alive: tuple[str, ...]
    """The names of the processes with a valid lease, including this one, sorted."""

    count: int
    """The number of shards."""

    free: int
    """The number of shards that can be claimed."""

    clock: float
    """The Unix time by the server's clock."""

    ends_in: float
    """Seconds until the first shard lease of another process ends, unless renewed; infinity if
    none."""


class ClusterRepository(Repository):
    async def set_up_shards(self, wanted: int) -> int:
        """Set up this many shards, unless some are held; returns how many there are."""
        await self._connection.execute(select(func.pg_advisory_xact_lock(_SETUP_LOCK)))
        rows = (await self._connection.execute(select(shards.c.holder, shards.c.until))).all()
        held = select(shards.c.number).where(shards.c.holder.is_not(None), shards.c.until > _NOW)
        is_held = (await self._connection.execute(held.limit(1))).first() is not None
        if len(rows) == wanted or is_held:
            return len(rows)
        # A process was there until the last lease of the old shards ended.
        since = max((row.until for row in rows), default=None)
        await self._connection.execute(delete(shards))
        await self._connection.execute(
            insert(shards).values(until=_LAST_PRESENCE if since is None else since),
            [{"number": number} for number in range(wanted)],
        )
        return wanted

    async def renew(self, name: str, seconds: float, connected: Collection[int] = ()) -> Standing:
        """Renew the leases of this process for `seconds` from now; leases that have ended are lost.

        `connected` are the shards that the process is connected to.
        """
        clock = await self._keep_alive(name, seconds)
        mine = await self._connection.execute(
            update(shards)
            .where(shards.c.holder == name, shards.c.until > _NOW)
            .values(
                until=_NOW + seconds,
                away_since=case(
                    (shards.c.number.in_(connected), null()),
                    else_=func.coalesce(shards.c.away_since, _NOW),
                ),
            )
            .returning(shards.c.number)
        )
        held = frozenset(row.number for row in mine)
        names = await self._connection.execute(select(processes.c.name))
        alive = tuple(sorted(row.name for row in names))
        result = await self._connection.execute(
            select(
                shards.c.number,
                shards.c.holder,
                shards.c.away_since,
                (shards.c.until - _NOW).label("left"),
            )
        )
        rows = result.all()
        runs = [row for row in rows if row.holder is not None and row.left > 0]
        others = [row for row in runs if row.holder != name]
        return Standing(
            mine=held,
            holders={row.number: row.holder for row in runs},
            elsewhere=frozenset(row.number for row in others if row.away_since is None),
            alive=alive,
            count=len(rows),
            free=len(rows) - len(runs),
            clock=clock,
            ends_in=min((row.left for row in others), default=math.inf),
        )

    async def _keep_alive(self, name: str, seconds: float) -> float:
        """Renew the lease by which a process counts as alive; returns the server's clock."""
        row = {"name": name, "until": _NOW + seconds}
        renewed = await self._connection.execute(
            upsert(processes)
            .values(row)
            .on_conflict_do_update(index_elements=["name"], set_=row)
            .returning(processes.c.until - seconds)
        )
        clock = float(renewed.scalar_one())
        await self._connection.execute(delete(processes).where(processes.c.until < _NOW))
        return clock

    async def claim(
        self, name: str, most: int, seconds: float, only: Collection[int] | None = None
    ) -> Mapping[int, float]:
        """Claim up to `most` shards that nobody holds, of `only` if it's given.

        Returns, by shard, for how many seconds no process has been connected to it: a moment by the
        server's clock would be another one by the clock of the process that claims it.
        """
        free = or_(shards.c.holder.is_(None), shards.c.until <= _NOW)
        since = func.coalesce(shards.c.away_since, shards.c.until)
        away = (_NOW - since).label("away")
        query = select(shards.c.number, away).where(free).order_by(shards.c.number)
        if only is not None:
            query = query.where(shards.c.number.in_(only))
        rows = await self._connection.execute(query.limit(most).with_for_update(skip_locked=True))
        away_seconds = {row.number: row.away for row in rows}
        await self._connection.execute(
            update(shards)
            .where(shards.c.number.in_(away_seconds))
            .values(holder=name, until=_NOW + seconds, away_since=since)
        )
        return away_seconds

    async def release(self, name: str, numbers: Collection[int]) -> None:
        """Release these shards."""
        await self._connection.execute(
            update(shards)
            .where(shards.c.holder == name, shards.c.number.in_(numbers))
            .values(holder=None, until=_NOW)
        )

    async def leave(self, name: str) -> None:
        """End the lease of this process, which holds no shards now."""
        await self._connection.execute(delete(processes).where(processes.c.name == name))

    async def identify_in(self, bucket: int, pause: float) -> float:
        """Seconds until a shard of this bucket may identify; the next may `pause` seconds later."""
        first = {"bucket": bucket, "next_at": _NOW + pause}
        later = func.greatest(identifies.c.next_at, _NOW) + pause
        done = await self._connection.execute(
            upsert(identifies)
            .values(first)
            .on_conflict_do_update(index_elements=["bucket"], set_={"next_at": later})
            .returning(identifies.c.next_at - pause - _NOW)
        )
        return float(done.scalar_one())

    async def hand_over(self, left: Sequence[HandedInteraction]) -> None:
        """Leave interactions for other processes, and notify these; each is left only once."""
        rows = [
            {"number": one.identity, "whose": one.process, "what": json.dumps(one.payload)}
            for one in left
        ]
        await self._connection.execute(_LEAVE, rows)
        for process in sorted({one.process for one in left}):
            await self.hint(f"interactions {process}")

    async def take(self, process: str, seconds: float) -> Sequence[dict[str, Any]]:
        """The payloads left for this process in the last `seconds`; no other process gets them."""
        done = await self._connection.execute(_TAKE, {"whose": process, "seconds": seconds})
        return [json.loads(row.payload) for row in done]

    async def take_back(self, identities: Collection[int]) -> frozenset[int]:
        """Take back interactions left for other processes; returns the ids of those still there."""
        done = await self._connection.execute(_TAKE_BACK, {"numbers": sorted(identities)})
        return frozenset(row.id for row in done)

    async def forget_left(self, seconds: float) -> None:
        """Delete what was left more than `seconds` ago, by processes that have ended since."""
        await self._connection.execute(_FORGET, {"seconds": seconds})

    async def forget_all_left(self) -> bool:
        """Delete everything that was left for any process; returns whether there was anything."""
        return (await self._connection.execute(delete(handed))).rowcount > 0

    async def guild_of(self, match: MatchId) -> int | None:
        """The server of a match, 0 for a solo match; None if there is no such match."""
        query = select(func.coalesce(matches.c.guild, 0)).where(matches.c.id == match)
        guild: int | None = (await self._connection.execute(query)).scalar_one_or_none()
        return guild

    async def of_shards(self, numbers: Collection[MatchId], shards: Shards) -> set[MatchId]:
        """Those of these matches whose servers belong to these shards."""
        query = select(matches.c.id).where(_IS_LISTED, shards.has(matches.c.guild))
        rows = await self._connection.execute(query, {"numbers": sorted(numbers)})
        return {MatchId(row.id) for row in rows}

    async def hint(self, what: str) -> None:
        """Tell all processes where to look, once this is committed: ids, and nothing secret."""
        await self._connection.execute(_HINT, {"what": what})


def _delete_handed(which: ColumnElement[bool]) -> Delete:
    """A DELETE of rows of `handed` that locks them in the order of their ids.

    So that two processes that take the same rows can't wait for each other.
    """
    locked = select(handed.c.id).where(which).order_by(handed.c.id).with_for_update()
    return delete(handed).where(handed.c.id.in_(locked))


_LEAVE: Final = (
    upsert(handed)
    .values(id=bindparam("number"), process=bindparam("whose"), payload=bindparam("what"), at=_NOW)
    .on_conflict_do_nothing()
)
_TAKE: Final = _delete_handed(
    and_(
        handed.c.process == bindparam("whose"),
        handed.c.at >= _NOW - bindparam("seconds", type_=Float),
    )
).returning(handed.c.payload)
_TAKE_BACK: Final = _delete_handed(
    handed.c.id == any_(bindparam("numbers", type_=ARRAY(BigInteger)))
).returning(handed.c.id)
_FORGET: Final = _delete_handed(handed.c.at < _NOW - bindparam("seconds", type_=Float))
_HINT: Final = text(f"SELECT pg_notify('{CHANNEL}', :what)").bindparams(bindparam("what"))
