"""Lists of matches: of a person, of a server, with computers, or with something left to show."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from sqlalchemy import Integer, Select, and_, bindparam, case, func, or_, select
from sqlalchemy.orm import aliased

from bot.storage.match_rows import (
    LOAD,
    OLDEST_UNDECIDED,
    PLAYS,
    RUNNING,
    load_all,
    match_of,
)
from bot.storage.messages import is_posted_table, load_tables
from bot.storage.records import TABLE, MatchId, MatchRecord, Spot
from bot.storage.repository import Repository
from bot.storage.schema import matches, moves, places, results, seats, watches

_LAST_REVEAL: Final = (
    select(func.max(moves.c.made_at))
    .where(moves.c.match == matches.c.id, moves.c.step == matches.c.step - 1)
    .scalar_subquery()
)
WITH_COMPUTERS: Final = (
    select(matches.c.id)
    .where(
        matches.c.status == "running",
        matches.c.paused_at.is_(None),
        ~matches.c.settled,  # true of all running ones; there is an index for these
        select(seats.c.seat)
        .where(
            seats.c.match == matches.c.id,
            seats.c.computer.is_not(None),
            seats.c.left.is_(None),
        )
        .exists(),
    )
    .order_by(matches.c.due_at, matches.c.id)
)
_OWN_SEAT: Final = aliased(seats)
_TABLE_PLACE: Final = aliased(places)
_HAND_PLACE: Final = aliased(places)
_IS_HELD: Final = and_(matches.c.status.in_(("over", "closed")), matches.c.counts_at.is_not(None))
_OF_PLAYER: Final = (
    LOAD.add_columns(
        _TABLE_PLACE.c.channel.label("table_channel"),
        _TABLE_PLACE.c.message.label("table_message"),
        _HAND_PLACE.c.channel.label("hand_channel"),
        _HAND_PLACE.c.message.label("hand_message"),
    )
    .join(
        _OWN_SEAT,
        and_(
            _OWN_SEAT.c.match == matches.c.id,
            _OWN_SEAT.c.user == bindparam("user"),
            _OWN_SEAT.c.match >= OLDEST_UNDECIDED,
            or_(_OWN_SEAT.c.left.is_(None), _IS_HELD),
        ),
    )
    .outerjoin(
        _TABLE_PLACE, and_(_TABLE_PLACE.c.match == matches.c.id, is_posted_table(_TABLE_PLACE))
    )
    .outerjoin(
        _HAND_PLACE,
        and_(_HAND_PLACE.c.match == matches.c.id, _HAND_PLACE.c.place == _OWN_SEAT.c.seat),
    )
    .where(or_(matches.c.status.in_(("open", "running")), _IS_HELD))
    .order_by(None)
    .order_by(matches.c.id, seats.c.seat)
)
_RUNNING: Final = (
    select(matches.c.id)
    .join(seats, seats.c.match == matches.c.id)
    .where(seats.c.user == bindparam("user"), PLAYS, matches.c.game == bindparam("game"))
    .order_by(matches.c.id)
)
# `+ 0` keeps SQLite from reading all recent matches of the server.
_RUNNING_THERE: Final = _RUNNING.where(matches.c.guild + 0 == bindparam("guild"))
_TAKEN: Final = select(func.count()).where(seats.c.match == matches.c.id).scalar_subquery()
_LIVE: Final = matches.c.status.in_(("open", "running"))
_IN_SHORT: Final = select(
    matches.c.id,
    matches.c.game,
    func.coalesce(places.c.channel, matches.c.channel).label("channel"),
    (matches.c.status == "open").label("is_open"),
    (matches.c.wanted - _TAKEN).label("seats"),
    func.coalesce(_LAST_REVEAL, matches.c.begun_at, matches.c.opened_at).label("at"),
).outerjoin(places, and_(places.c.match == matches.c.id, places.c.place == TABLE))
_OF_GUILD: Final = _IN_SHORT.where(matches.c.guild == bindparam("guild"), _LIVE, ~matches.c.settled)
_WITH_PLAYER: Final = _OF_GUILD.where(
    select(seats.c.seat)
    .where(
        seats.c.match == matches.c.id,
        seats.c.user == bindparam("player"),
        seats.c.left.is_(None),
    )
    .exists()
)
# `+ 0` keeps SQLite from reading all matches the server ever had.
_FOLLOWED: Final = _IN_SHORT.join(watches, watches.c.match == matches.c.id).where(
    watches.c.user == bindparam("follower"),
    matches.c.guild + 0 == bindparam("guild"),
    or_(_LIVE, _IS_HELD),
)
_THIS: Final = matches.c.id == bindparam("this")
_FINISHED_BEFORE: Final = (
    select(results.c.match)
    .where(
        results.c.user == bindparam("user"),
        results.c.guild == select(matches.c.guild).where(_THIS).scalar_subquery(),
        results.c.game == select(matches.c.game).where(_THIS).scalar_subquery(),
        results.c.ended_at <= select(matches.c.begun_at).where(_THIS).scalar_subquery(),
        results.c.match != bindparam("this"),
    )
    .order_by(results.c.sequence.desc())
    .limit(bindparam("limit", type_=Integer))
)
_STATE: Final = case((matches.c.paused_at.is_not(None), "paused"), else_=matches.c.status)
_COUNT_LIVE: Final = (
    select(matches.c.game, _STATE.label("stage"), func.count().label("number"))
    .where(~matches.c.settled)
    .group_by(matches.c.game, "stage")
)

_UNDERWAY: Final = (
    select(
        matches.c.id,
        matches.c.game,
        matches.c.channel,
        matches.c.paused_at,
        matches.c.paused_why,
        matches.c.status,
    )
    .where(~matches.c.settled)
    .order_by(matches.c.id.desc())
)
_RUNNING_ONES: Final = _UNDERWAY.where(RUNNING)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedRecord:
    match: MatchRecord
    table: Spot | None
    hand: Spot | None
    """The hand of the person whose list it is; None in other lists."""

    @property
    def table_url(self) -> str | None:
        return None if self.table is None else self.table.url(self.match.guild)

    @property
    def hand_url(self) -> str | None:
        return None if self.hand is None else self.hand.url(None)


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveRecord:
    """What is needed of a server's match to sort and count it in a long list."""

    match: MatchId
    game: str
    channel: int
    """The channel of its table."""

    open_seats: int
    """The number of seats that anybody may take."""

    active_at: int
    """When its last step was revealed, or else it began or was opened (Unix time). Later choices
    don't change it, so it reveals none."""


@dataclass(frozen=True, slots=True)
class Underway:
    """What is needed of a running match or open challenge to pick it from a list."""

    match: MatchId
    game: str
    channel: int
    paused: bool
    lost: bool = False
    """Whether it's paused because its channel or server is gone, not by agreement."""

    is_open: bool = False
    """Whether it's a challenge that has not begun."""


class MatchListRepository(Repository):
    async def of_player(self, user: int) -> Sequence[ListedRecord]:
        """The open and running matches in which this person has a seat, the oldest first.

        Includes ended ones that they played in whose result doesn't count yet.
        """
        rows = (await self._connection.execute(_OF_PLAYER, {"user": user})).all()
        listed = []
        for _, group in groupby(rows, key=lambda row: row.id):
            of_match = list(group)
            head = of_match[0]
            listed.append(
                ListedRecord(
                    match=match_of(of_match),
                    table=_spot(head.table_channel, head.table_message),
                    hand=_spot(head.hand_channel, head.hand_message),
                )
            )
        return listed

    async def running(self, user: int, *, game: str, guild: int | None) -> Sequence[MatchId]:
        """The running matches of a game in which this person still plays, the oldest first.

        In one server, or in all for None.
        """
        values = {"user": user, "game": game}
        if guild is None:
            rows = await self._connection.execute(_RUNNING, values)
        else:
            rows = await self._connection.execute(_RUNNING_THERE, {**values, "guild": guild})
        return [MatchId(row.id) for row in rows]

    async def of_guild(self, guild: int) -> Sequence[LiveRecord]:
        """The open and running matches of a server, in no particular order."""
        return await self._in_short(_OF_GUILD, {"guild": guild})

    async def with_player(self, guild: int, player: int) -> Sequence[LiveRecord]:
        """The open and running matches of a server in which this person sits or is invited."""
        return await self._in_short(_WITH_PLAYER, {"guild": guild, "player": player})

    async def followed(self, guild: int, follower: int) -> Sequence[LiveRecord]:
        """The matches of a server that this person follows, in no particular order.

        Only open and running ones, and those whose result doesn't count yet.
        """
        return await self._in_short(_FOLLOWED, {"guild": guild, "follower": follower})

    async def _in_short(
        self, query: Select[tuple[int, str, int, bool, int, int]], values: Mapping[str, int]
    ) -> Sequence[LiveRecord]:
        return [
            LiveRecord(
                match=MatchId(row.id),
                game=row.game,
                channel=row.channel,
                open_seats=row.seats if row.is_open else 0,
                active_at=row.at,
            )
            for row in await self._connection.execute(query, values)
        ]

    async def running_in(self, guild: int) -> Sequence[Underway]:
        """The running matches of a server, the newest first."""
        return await self._underway(_RUNNING_ONES.where(matches.c.guild == guild))

    async def unfinished_in(self, guild: int) -> Sequence[Underway]:
        """The running matches and the open challenges of a server, the newest first."""
        of_guild = _UNDERWAY.where(matches.c.guild == guild)
        return await self._underway(of_guild.where(matches.c.status.in_(["open", "running"])))

    async def paused_of(self, user: int, guild: int) -> Sequence[Underway]:
        """The paused matches of a server in which this person still plays, the newest first."""
        return await self._underway(
            _RUNNING_ONES.join(seats, seats.c.match == matches.c.id).where(
                seats.c.user == user,
                seats.c.left.is_(None),
                matches.c.guild == guild,
                matches.c.paused_at.is_not(None),
            )
        )

    async def _underway(
        self, query: Select[tuple[int, str, int, int | None, str | None, str]]
    ) -> list[Underway]:
        return [
            Underway(
                MatchId(row.id),
                row.game,
                row.channel,
                paused=row.paused_at is not None,
                lost=row.paused_why == "lost",
                is_open=row.status == "open",
            )
            for row in await self._connection.execute(query)
        ]

    async def load_listed(self, numbers: Collection[MatchId]) -> Mapping[MatchId, ListedRecord]:
        """The existing ones of these matches, with their tables and nobody's hand."""
        records = await load_all(self._connection, numbers)
        tables = await load_tables(self._connection, numbers)
        return {
            match: ListedRecord(match=record, table=tables.get(match), hand=None)
            for match, record in records.items()
        }

    async def with_computers(self) -> Sequence[MatchId]:
        """The running, unpaused matches in which a computer plays, by when they are due."""
        return [MatchId(row.id) for row in await self._connection.execute(WITH_COMPUTERS)]

    async def finished_before(self, match: MatchId, user: int, limit: int) -> Sequence[MatchId]:
        """A person's matches, same game and server, whose result counted when this match began.

        At most `limit`, the latest first. None of them can be resumed.
        """
        values = {"user": user, "this": match, "limit": limit}
        rows = await self._connection.execute(_FINISHED_BEFORE, values)
        return [MatchId(row.match) for row in rows]

    async def count_live(self) -> Sequence[tuple[str, str, int]]:
        """The number of unsettled matches, as (game, status or "paused", number).

        Only those, because they have an index; the others are too many to be counted often.
        """
        rows = await self._connection.execute(_COUNT_LIVE)
        return [(row.game, row.stage, row.number) for row in rows]


def _spot(channel: int | None, message: int | None) -> Spot | None:
    return None if channel is None or message is None else Spot(channel, message)
