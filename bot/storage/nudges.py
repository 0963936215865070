"""Nudges in vain: of a seat whose player has blocked the one who nudges, who must not learn that.

A nudge that reaches a player is noted at their seat (`seats.nudged_at`), for everybody who may
nudge them. One in vain is noted with both seats, for as long as it keeps the sender from nudging
again: being allowed to sooner would reveal the block.
"""

from collections.abc import Collection, Mapping
from typing import Final

from sqlalchemy import Column, ForeignKey, Index, Table, bindparam, delete, select, tuple_
from sqlalchemy.dialects.postgresql import insert as upsert

from bot.storage.records import MatchId
from bot.storage.repository import Repository
from bot.storage.schema import NUMBER, metadata
from games.core import Seat

vain_nudges = Table(
    "vain_nudges",
    metadata,
    Column("match", ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", NUMBER, primary_key=True, autoincrement=False),  # that nudged
    Column("target", NUMBER, primary_key=True, autoincrement=False),  # whose player blocked it
    Column("nudged_at", NUMBER, nullable=False),
    sqlite_with_rowid=False,
)
Index("ix_vain_nudges_nudged_at", vain_nudges.c.nudged_at)

_NOTED: Final = upsert(vain_nudges).values(
    match=bindparam("of_match"),
    seat=bindparam("of_seat"),
    target=bindparam("new_target"),
    nudged_at=bindparam("new_nudged_at", type_=vain_nudges.c.nudged_at.type),
)
_NOTE: Final = _NOTED.on_conflict_do_update(
    index_elements=["match", "seat", "target"], set_={"nudged_at": _NOTED.excluded.nudged_at}
)
_OF_SEAT: Final = select(vain_nudges.c.target, vain_nudges.c.nudged_at).where(
    vain_nudges.c.match == bindparam("of_match"), vain_nudges.c.seat == bindparam("of_seat")
)

_IS_OLD: Final = vain_nudges.c.nudged_at <= bindparam("moment")
_ANY_OLD: Final = select(vain_nudges.c.match).where(_IS_OLD).limit(1)
_KEY: Final = tuple_(*vain_nudges.primary_key.columns)
# Rows that another transaction is deleting need no wait.
_FORGET: Final = delete(vain_nudges).where(
    _KEY.in_(
        select(*vain_nudges.primary_key.columns).where(_IS_OLD).with_for_update(skip_locked=True)
    )
)


class VainNudgeRepository(Repository):
    async def note(self, match: MatchId, seat: Seat, targets: Collection[Seat], now: int) -> None:
        """Record that a seat nudged these in vain at `now` (Unix time); no message shows it."""
        await self._locks.matches(match)
        values = {"of_match": match, "of_seat": seat, "new_nudged_at": now}
        for target in targets:
            self._connection.later(_NOTE, {**values, "new_target": target}, about=match)

    async def of(self, match: MatchId, seat: Seat) -> Mapping[Seat, int]:
        """When a seat nudged each of the others in vain (Unix time), as far as that is stored."""
        rows = await self._connection.execute(_OF_SEAT, {"of_match": match, "of_seat": seat})
        return {Seat(row.target): row.nudged_at for row in rows}

    async def any_until(self, moment: int) -> bool:
        """Whether any was made at `moment` or earlier."""
        return (await self._connection.execute(_ANY_OLD, {"moment": moment})).first() is not None

    async def forget_until(self, moment: int) -> None:
        """Delete those made at `moment` or earlier."""
        await self._connection.execute(_FORGET, {"moment": moment})
