"""Which matches there are: of a person, of a server, with computers, or with something to show."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from sqlalchemy import and_, case, func, select
from sqlalchemy.orm import aliased

from bot.storage.match_rows import LOAD, load_all, match_of
from bot.storage.messages import load_tables, stands
from bot.storage.records import TABLE, MatchId, MatchRecord, Spot
from bot.storage.repository import Repository
from bot.storage.schema import matches, moves, places, seats

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
        ~matches.c.settled,  # as none is that is running; there is an index for these
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
_STATE: Final = case((matches.c.paused_at.is_not(None), "paused"), else_=matches.c.status)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedRecord:
    match: MatchRecord
    table: Spot | None
    hand: Spot | None
    """The hand of the person who asks."""

    @property
    def table_url(self) -> str | None:
        return None if self.table is None else self.table.url(self.match.guild)

    @property
    def hand_url(self) -> str | None:
        return None if self.hand is None else self.hand.url(None)


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveRecord:
    """A match that is open or running, as far as a list of many sorts and counts it."""

    match: MatchId
    game: str
    channel: int
    """Where its table stands."""

    open_seats: int
    """Seats that anybody may take."""

    active_at: int
    """When its last step was revealed, or it began, or was opened: no choice since tells on it."""


class MatchListRepository(Repository):
    async def of_player(self, user: int) -> Sequence[ListedRecord]:
        """The open and running matches in which this person has a seat, oldest first."""
        own, table, hand = aliased(seats), aliased(places), aliased(places)
        query = (
            LOAD.add_columns(
                table.c.channel.label("table_channel"),
                table.c.message.label("table_message"),
                hand.c.channel.label("hand_channel"),
                hand.c.message.label("hand_message"),
            )
            .join(own, and_(own.c.match == matches.c.id, own.c.user == user, own.c.left.is_(None)))
            .outerjoin(table, and_(table.c.match == matches.c.id, stands(table)))
            .outerjoin(hand, and_(hand.c.match == matches.c.id, hand.c.place == own.c.seat))
            .where(matches.c.status.in_(("open", "running")))
            .order_by(None)
            .order_by(matches.c.id, seats.c.seat)
        )
        rows = (await self._connection.execute(query)).all()
        found = []
        for _, group in groupby(rows, key=lambda row: row.id):
            of_match = list(group)
            head = of_match[0]
            found.append(
                ListedRecord(
                    match=match_of(of_match),
                    table=_spot(head.table_channel, head.table_message),
                    hand=_spot(head.hand_channel, head.hand_message),
                )
            )
        return found

    async def running(self, user: int, *, game: str, guild: int | None) -> Sequence[MatchId]:
        """The running matches of this game in which this person still has a seat, oldest first.

        Of one server, or of all for None.
        """
        where = () if guild is None else (matches.c.guild == guild,)
        query = (
            select(matches.c.id)
            .join(seats, seats.c.match == matches.c.id)
            .where(
                seats.c.user == user,
                seats.c.left.is_(None),
                matches.c.status == "running",
                matches.c.game == game,
                *where,
            )
            .order_by(matches.c.id)
        )
        return [MatchId(row.id) for row in await self._connection.execute(query)]

    async def of_guild(self, guild: int) -> Sequence[LiveRecord]:
        """The open and running matches of a server, in no order."""
        taken = select(func.count()).where(seats.c.match == matches.c.id).scalar_subquery()
        query = (
            select(
                matches.c.id,
                matches.c.game,
                func.coalesce(places.c.channel, matches.c.channel).label("channel"),
                (matches.c.status == "open").label("is_open"),
                (matches.c.wanted - taken).label("seats"),
                func.coalesce(_LAST_REVEAL, matches.c.begun_at, matches.c.opened_at).label("at"),
            )
            .outerjoin(places, and_(places.c.match == matches.c.id, places.c.place == TABLE))
            .where(
                matches.c.guild == guild,
                matches.c.status.in_(("open", "running")),
                ~matches.c.settled,
            )
        )
        return [
            LiveRecord(
                match=MatchId(row.id),
                game=row.game,
                channel=row.channel,
                open_seats=row.seats if row.is_open else 0,
                active_at=row.at,
            )
            for row in await self._connection.execute(query)
        ]

    async def some(self, numbers: Collection[MatchId]) -> Mapping[MatchId, ListedRecord]:
        """Those of these matches that there are, with their tables and nobody's hand."""
        records = await load_all(self._connection, numbers)
        tables = await load_tables(self._connection, numbers)
        return {
            match: ListedRecord(match=record, table=tables.get(match), hand=None)
            for match, record in records.items()
        }

    async def with_computers(self) -> Sequence[MatchId]:
        """The running matches in which a computer still plays, those first that are due first."""
        return [MatchId(row.id) for row in await self._connection.execute(WITH_COMPUTERS)]

    async def finished_before(self, match: MatchId, user: int, limit: int) -> Sequence[MatchId]:
        """The matches somebody had finished when this one began, of its game in its server.

        At most so many, the latest first.
        """
        this = matches.alias("this")
        query = (
            select(matches.c.id)
            .join(seats, seats.c.match == matches.c.id)
            .join(this, and_(this.c.guild == matches.c.guild, this.c.game == matches.c.game))
            .where(seats.c.user == user, this.c.id == match, matches.c.id != match)
            .where(matches.c.status == "over", matches.c.ended_at <= this.c.begun_at)
            .order_by(matches.c.ended_at.desc(), matches.c.id.desc())
            .limit(limit)
        )
        return [MatchId(row.id) for row in await self._connection.execute(query)]

    async def unsettled(self) -> Sequence[MatchId]:
        """The matches whose last word may not stand everywhere yet, open and running ones too."""
        query = select(matches.c.id).where(~matches.c.settled).order_by(matches.c.id)
        return [MatchId(row.id) for row in await self._connection.execute(query)]

    async def count_live(self) -> Sequence[tuple[str, str, int]]:
        """Game, state and number of the matches of which something is still to come or be shown.

        Of those only, because they have an index: the others are too many to be counted often.
        """
        query = (
            select(matches.c.game, _STATE.label("stage"), func.count().label("number"))
            .where(~matches.c.settled)
            .group_by(matches.c.game, "stage")
        )
        rows = await self._connection.execute(query)
        return [(row.game, row.stage, row.number) for row in rows]


def _spot(channel: int | None, message: int | None) -> Spot | None:
    return None if channel is None or message is None else Spot(channel, message)
