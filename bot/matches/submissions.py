"""Choices of moves, written in a transaction that resolves the step if they complete it.

Choices that wait share a transaction: opening one, sending its statements to the database and
committing takes several times as long as resolving a step.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from bot.errors import NotSeatedError, TooLateError
from bot.matches import clocks
from bot.matches.batch_queue import Take
from bot.matches.effect import Effect, all_committed
from bot.matches.loaded import (
    ROUND_OVER,
    ROUND_OVER_HERE,
    LoadedMatch,
    load_running,
    playing_seat_of,
)
from bot.matches.resolution import resolve
from bot.storage import How, MatchId, MatchRecord, MoveRecord, Transaction, Transactions
from games import IllegalMoveError, Seat

MAX_CHOICES_AT_ONCE: Final = 20
"""Choices per transaction; everything else that wants to write waits for its end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """A move that a user chooses."""

    step: int
    """The step that their message showed."""

    user: int
    text: str
    """The move, in the game's notation."""

    block: str | None
    """The number of the seat whose block of buttons was tapped; None for buttons of a hand."""

    made_at: int
    """Unix time, in seconds."""


async def carry_out(
    storage: Transactions, take: Take[MatchId, Submission]
) -> Mapping[MatchId, Effect | Exception]:
    """Write a batch of submissions; returns each one's committed effect, or why it was refused."""
    async with storage.transaction() as writing:
        batch = take()
        records = await writing.matches.load_all(batch)
        if len(records) > 1:
            await writing.matches.lock_results(records.values())
        refused: dict[MatchId, Exception] = {}
        effects: dict[MatchId, Effect] = {}
        for match, submission in batch.items():
            await asyncio.sleep(0)  # so that the event loop can answer clicks in between
            try:
                found, seat, move = _checked(records.get(match), submission)
            except Exception as error:  # noqa: BLE001 - nothing of it is written yet
                refused[match] = error
                continue
            seat_record = found.record.seats[seat]
            if submission.block is not None and not seat_record.plays_here:
                await writing.seats.play_here(match, seat)
                found = found.with_seat(seat, replace(seat_record, plays_here=True))
            effects[match] = await choose(writing, found, seat, move, "chosen", submission.made_at)
        return {**refused, **await all_committed(writing, effects)}


def _checked(
    record: MatchRecord | None, submission: Submission
) -> tuple[LoadedMatch, Seat, Any]:  # the move is of the game's own type
    """The match, seat and move of a submission; raises if the move can't be chosen now."""
    found = load_running(record)
    refusal = "You're not playing in this match. Start your own with a `play` command."
    seat = playing_seat_of(found, submission.user, refusal)
    block = submission.block
    if block is not None and block != str(seat):
        raise NotSeatedError("Those aren't yours. Use the buttons under your name.")
    if found.record.step != submission.step:
        raise TooLateError(ROUND_OVER if block is None else ROUND_OVER_HERE)
    return found, seat, legal_move(found, seat, submission.text)


def legal_move(found: LoadedMatch, seat: Seat, text: str) -> Any:  # noqa: ANN401 - the game's own
    """Parse a move; raises IllegalMoveError if the seat can't choose it."""
    try:
        move = found.game.parse(text)
    except ValueError as error:
        raise IllegalMoveError(str(error)) from None
    found.game.check(found.state, seat, move)
    return move


async def choose(
    writing: Transaction,
    found: LoadedMatch,
    seat: Seat,
    move: Any,  # noqa: ANN401 - of the game's own type
    how: How,
    now: int,
) -> Effect:
    """Write a choice that is legal, and resolve the step if it completes it."""
    match, seat_record = found.record.id, found.record.seats[seat]
    chosen = MoveRecord(text=str(move), how=how, made_at=now)
    await writing.moves.choose(match, found.record.step, seat, chosen)
    if seat_record.strikes:
        await writing.seats.clear_strikes(match, seat)
        found = found.with_seat(seat, replace(seat_record, strikes=0))
    timed = found.record
    if seat not in found.choices:  # changing a choice takes no time
        timed = clocks.with_reserve_charged(found.record, [seat], now)
        await writing.clocks.put_seats(found.record, timed)
    timed = replace(timed, by_clock=timed.by_clock - {seat})
    after = replace(found, record=timed, choices={**found.choices, seat: move})
    return await resolve(writing, after, now, actor=timed.seats[seat].user)
