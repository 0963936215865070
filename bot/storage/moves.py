"""Moves: the choices of the current step, and the transcript of all resolved steps."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import and_, bindparam, delete, select
from sqlalchemy.dialects.postgresql import insert as upsert

from bot.storage.columns import Columns
from bot.storage.match_rows import load
from bot.storage.records import How, MatchId, MatchRecord, MoveRecord, Why
from bot.storage.repository import Repository
from bot.storage.schema import matches, moves, seats
from games.core import Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedMoveRecord:
    """A move of a resolved step, which is no longer secret."""

    step: int
    """From 0: how many steps were resolved before it."""

    seat: Seat
    move: str
    how: How


@dataclass(frozen=True, slots=True, kw_only=True)
class DepartureRecord:
    """A seat that left, before this step was resolved."""

    step: int
    seat: Seat
    why: Why


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptRecord:
    match: MatchRecord
    moves: Sequence[ResolvedMoveRecord]
    departures: Sequence[DepartureRecord]
    """In the order in which the seats left."""


_MOVE: Final = Columns(MoveRecord, moves, renamed={"text": "move"})
_MADE: Final = Columns(ResolvedMoveRecord, moves)
_DEPARTURE: Final = Columns(
    DepartureRecord,
    seats,
    renamed={"step": "left_step", "why": "left_why"},
    read={"why": lambda why: why or "resigned"},
)

_CHOICE: Final = upsert(moves)
_CHOOSE: Final = _CHOICE.on_conflict_do_update(
    index_elements=["match", "step", "seat"],
    set_={column.name: _CHOICE.excluded[column.name] for column in _MOVE.columns},
)
"""Replaces an earlier choice."""

_OF_MATCH: Final = moves.c.match == bindparam("of_match")
_DROP: Final = delete(moves).where(
    _OF_MATCH, moves.c.step == bindparam("at_step"), moves.c.seat == bindparam("of_seat")
)
_FORGET_FROM: Final = delete(moves).where(_OF_MATCH, moves.c.step >= bindparam("at_step"))
_MADE_IN: Final = (
    select(*_MADE.columns)
    .join(matches, matches.c.id == moves.c.match)
    .where(_OF_MATCH, moves.c.step < matches.c.step)
    .order_by(moves.c.step, moves.c.seat)
)
_LAST_CHOSEN: Final = (
    select(moves.c.made_at)
    .join(seats, and_(seats.c.match == moves.c.match, seats.c.seat == moves.c.seat))
    .where(_OF_MATCH, moves.c.how == "chosen", seats.c.user == bindparam("of_user"))
    .order_by(moves.c.step.desc())
    .limit(1)
)
_DEPARTURES_IN: Final = (
    select(*_DEPARTURE.columns)
    .where(seats.c.match == bindparam("of_match"), seats.c.left.is_not(None))
    .order_by(seats.c.left)
)


class MoveRepository(Repository):
    async def choose(self, match: MatchId, step: int, seat: Seat, move: MoveRecord) -> None:
        """Store what a seat has chosen; replaces its earlier choice in this step."""
        await self._touch(match)
        values = {"match": match, "step": step, "seat": seat, **_MOVE.values(move)}
        self._connection.later(_CHOOSE, values, about=match)

    async def drop(self, match: MatchId, step: int, seat: Seat) -> None:
        """Delete what a seat has chosen in this step."""
        await self._touch(match)
        values = {"of_match": match, "at_step": step, "of_seat": seat}
        await self._connection.execute(_DROP, values)

    async def forget_from(self, match: MatchId, step: int) -> None:
        """Delete the choices of this step and all later ones."""
        await self._touch(match)
        await self._connection.execute(_FORGET_FROM, {"of_match": match, "at_step": step})

    async def last_chosen(self, match: MatchId, user: int) -> int | None:
        """When this person last chose a move in this match (Unix time); None if never."""
        found = await self._connection.execute(_LAST_CHOSEN, {"of_match": match, "of_user": user})
        moment: int | None = found.scalar_one_or_none()
        return moment

    async def transcript(self, match: MatchId) -> TranscriptRecord | None:
        """The whole transcript of a match; None if there is no such match.

        Choices of a step that was never resolved are left out: they stay their players' secrets.
        """
        record = await load(self._connection, match)
        if record is None:
            return None
        made = await self._connection.execute(_MADE_IN, {"of_match": match})
        left = await self._connection.execute(_DEPARTURES_IN, {"of_match": match})
        return TranscriptRecord(
            match=record,
            moves=[_MADE.of(row) for row in made],
            departures=[_DEPARTURE.of(row) for row in left],
        )
