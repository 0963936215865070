"""What has happened in a match: the moves of all steps that are resolved, and who left when."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.records import How, MatchId, MatchRecord, Why
from bot.storage.schema import matches, moves, seats
from bot.storage.transaction import Transaction
from games.core import Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeRecord:
    """A move of a step that is resolved, so that it is secret no more."""

    step: int
    """From 0: how many steps were resolved before."""

    seat: Seat
    move: str
    how: How


@dataclass(frozen=True, slots=True, kw_only=True)
class DepartureRecord:
    """A seat that left; before the play of this step."""

    step: int
    seat: Seat
    why: Why


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptRecord:
    match: MatchRecord
    moves: Sequence[MadeRecord]
    departures: Sequence[DepartureRecord]
    """In the order in which they left."""


async def transcript(connection: AsyncConnection, match: MatchId) -> TranscriptRecord | None:
    """The whole course of a match, or None if there is no such match.

    A choice of a step that was never resolved is left out: it stays its player's secret.
    """
    record = await Transaction(connection).match(match)
    if record is None:
        return None
    made = await connection.execute(
        select(moves.c.step, moves.c.seat, moves.c.move, moves.c.how)
        .join(matches, matches.c.id == moves.c.match)
        .where(moves.c.match == match, moves.c.step < matches.c.step)
        .order_by(moves.c.step, moves.c.seat)
    )
    left = await connection.execute(
        select(seats.c.left_step, seats.c.seat, seats.c.left_why)
        .where(seats.c.match == match, seats.c.left.is_not(None))
        .order_by(seats.c.left)
    )
    return TranscriptRecord(
        match=record,
        moves=[
            MadeRecord(step=row.step, seat=Seat(row.seat), move=row.move, how=cast(How, row.how))
            for row in made
        ],
        departures=[
            DepartureRecord(
                step=row.left_step, seat=Seat(row.seat), why=cast(Why, row.left_why or "resigned")
            )
            for row in left
        ],
    )
