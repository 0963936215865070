"""What the clock does to due matches: challenges expire, seats run out of time, silence ends them.

The transaction first checks whether a match is still due, so that a choice at the same moment
either comes first and is played, or is refused because the round is over.
"""

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Final, Literal

from bot.matches import clocks, forced_moves
from bot.matches.effect import loaded_match_of
from bot.matches.loaded import LoadedMatch, load_match
from bot.matches.rematches import expire_requests
from bot.matches.reopenings import count_result, counts_at
from bot.matches.resolution import end, leave, resolve
from bot.matches.time_controls import MAX_PAUSE, SILENCE, SILENCE_WARNING
from bot.storage import MatchId, MatchRecord, MoveRecord, Status, Transaction, Transactions
from games import Seat
from games.chance import Chance

MIN_BATCH_SIZE: Final = 20
"""Matches that are handled before others can write, even if they are waiting: writing a batch takes
longer than handling its matches, and hardly less for fewer of them."""


@dataclass(frozen=True, slots=True)
class _Context:
    """What is read once for all matches of a batch."""

    now: int
    for_good: frozenset[int]
    """The servers that don't allow resuming a match that ended because time ran out."""


@dataclass(frozen=True, slots=True)
class Acted:
    """What was done in one transaction."""

    done: Mapping[MatchId, Status]
    """The matches that were due, and their status afterwards."""

    left: Sequence[MatchId]
    """The matches that weren't handled, because others were waiting to write."""


async def act_on(
    storage: Transactions,
    due: Sequence[MatchId],
    now: int,
    *,
    is_wanted: Callable[[], bool] = lambda: False,
) -> Acted:
    """Do what is due in these matches, in one transaction.

    Stops after at least MIN_BATCH_SIZE matches if others want to write (`is_wanted`). An error in
    one match rolls back all.
    """
    async with storage.transaction() as writing:
        found = await writing.matches.load_all(due)
        await writing.matches.lock_results(found.values())
        context = await _context(writing, found.values(), now)
        done: dict[MatchId, Status] = {}
        left = list(found)
        while left and not (len(done) >= MIN_BATCH_SIZE and is_wanted()):
            await asyncio.sleep(0)  # so that the event loop can answer clicks in between
            match = left.pop(0)
            status = await _act(writing, found[match], context)
            if status is not None:
                done[match] = status
    return Acted(done, left)


async def _context(writing: Transaction, due: Collection[MatchRecord], now: int) -> _Context:
    guilds = {record.guild for record in due if record.guild is not None}
    return _Context(now, await writing.guilds.without_resuming(guilds))


async def _act(writing: Transaction, record: MatchRecord, context: _Context) -> Status | None:
    """Do what is due in a match, and return its status; None if nothing was due."""
    now = context.now
    if record.due_at is None or record.due_at > now:
        return None
    if record.status == "open":
        await writing.matches.end(record, "expired", now)
        return "expired"
    if record.status != "running":
        if record.counts_at is not None and record.counts_at <= now:
            await count_result(writing, load_match(record), now)
        else:
            await expire_requests(writing, record)
    elif record.paused_why == "agreed":
        return await _end_pause(writing, load_match(record), now)
    elif record.paused or record.time_control == "none":
        return await _close_if_silent(writing, record, now)
    else:
        return await _check_clocks(writing, load_match(record), context)
    return record.status


async def _close_if_silent(
    writing: Transaction, record: MatchRecord, now: int
) -> Literal["closed"] | None:
    """End a match after 30 days of silence; returns None if it isn't to be ended yet.

    SILENCE_WARNING before, players who owe a move are warned, unless the match has lost its
    channel. They always have that time from the warning on, even if the bot was away before.
    """
    silence = await writing.deadlines.silence(record.id)
    warning = timedelta() if record.paused else SILENCE_WARNING
    due_at = silence.since + int((SILENCE - warning).total_seconds())
    if due_at > now:
        await writing.deadlines.put_off(record.id, due_at)
        return None
    if not record.paused and not silence.told:
        await writing.deadlines.announce_end(record.id, now + int(warning.total_seconds()))
        if record.guild is not None:
            owing = [record.seats[seat].user for seat in sorted(load_match(record).owing)]
            await writing.notices.queue(record.id, "time", owing, due_at=now, turn=record.turn)
        return None
    await writing.matches.end(record, "closed", now, ending="silence")
    return "closed"


async def _end_pause(writing: Transaction, found: LoadedMatch, now: int) -> Status:
    """Resume a match that has been paused by agreement for `MAX_PAUSE`; returns its status."""
    record = found.record
    ends = (record.paused_at or 0) + int(MAX_PAUSE.total_seconds())
    if ends > now:
        await writing.clocks.put(record, replace(record, due_at=ends))
        return record.status
    running = clocks.resumed(record, found.owing, now, remark="pause_over")
    await writing.clocks.put(record, running)
    return (await forced_moves.continue_match(writing, record.id, now)).record.status


async def _check_clocks(writing: Transaction, found: LoadedMatch, context: _Context) -> Status:
    """Handle the seats that ran out of time, if any, and store when to look again."""
    now = context.now
    record = clocks.without_ended_vacations(found.record, now)
    await writing.clocks.put_seats(found.record, record)
    late = {seat for seat in found.owing if (clocks.final_deadline(record, seat) or now) <= now}
    if late:
        record = clocks.with_reserve_charged(record, late, now)
        await writing.clocks.put_seats(found.record, record)
        found = await _handle_late(writing, replace(found, record=record), frozenset(late), context)
        await _release_result(writing, record, found, now)
        record = found.record
    if record.status == "running" and not record.paused:
        after = clocks.with_next_due(record, found.owing, now)
        if after != record or not late:
            await writing.clocks.put(record, after)
    return record.status


async def _handle_late(
    writing: Transaction, found: LoadedMatch, late: frozenset[Seat], context: _Context
) -> LoadedMatch:
    """Play on for the seats that haven't chosen in time; returns the match afterwards.

    The first time in a row, the clock plays for a seat; the second time, the seat is forfeited.
    Seats that are forfeited together leave in the order of their numbers (R37). If nobody would be
    left to win, the match is closed without a result, because none of the players was there.
    """
    record, now = found.record, context.now
    forfeited = {seat for seat in late - record.computers if record.seats[seat].strikes}
    if forfeited and record.guild not in context.for_good:
        await writing.matches.hold_result(record.id, counts_at(now))
        found = replace(found, record=replace(record, counts_at=counts_at(now)))
    if all(s.left is not None or Seat(i) in forfeited for i, s in enumerate(record.seats)):
        return await end(writing, found, "closed", now, ending="absence")
    for seat in sorted(forfeited):
        if seat in found.awaiting:
            found = loaded_match_of(await leave(writing, found, seat, "time", now, None))
    return await _play_for(writing, found, late - forfeited, context)


async def _release_result(
    writing: Transaction, before: MatchRecord, found: LoadedMatch, now: int
) -> None:
    """Keep the result held only if nothing but time ended the match.

    If a step was played meanwhile, its choices are known, so it can't be played again, and the
    result counts now. In a match with a held result, seats forfeited earlier lose their strikes:
    see `seats_out_of_time`.
    """
    record = found.record
    if record.counts_at is None:
        return
    if record.status == "running":
        await writing.matches.hold_result(record.id, None)
    elif record.step != before.step:
        await count_result(writing, found, now)
    else:
        for i, seat in enumerate(before.seats):
            if seat.left_why == "time" and seat.strikes:
                await writing.seats.clear_strikes(record.id, Seat(i))


async def _play_for(
    writing: Transaction, found: LoadedMatch, late: frozenset[Seat], context: _Context
) -> LoadedMatch:
    """Play fallback moves for these seats until this turn is over; each person gets one strike."""
    turn, now = found.record.turn, context.now
    match, played = found.record.id, set[Seat]()
    while found.record.turn == turn and (owing := late & found.owing):
        chosen = {seat: _fallback(found, seat) for seat in sorted(owing)}
        for seat, move in chosen.items():
            made = MoveRecord(text=str(move), how="time", made_at=now)
            await writing.moves.choose(match, found.record.step, seat, made)
        record = replace(found.record, by_clock=found.record.by_clock | owing)
        on = replace(found, record=record, choices={**found.choices, **chosen})
        found = loaded_match_of(await resolve(writing, on, now))
        played |= owing
    struck = played - found.record.computers
    await writing.seats.strike_again(match, struck)
    if found.record.late != tuple(sorted(played)):  # forced moves followed and changed it
        await writing.matches.note_late(match, sorted(played))
    return _with_strikes(found, struck, played)


def _fallback(found: LoadedMatch, seat: Seat) -> Any:  # noqa: ANN401 - of the game's own type
    """The move that the clock makes, with a chance of its own: it draws what no step will draw."""
    chance = Chance(f"{found.record.seed}:{seat} is late", found.record.step)
    return found.game.fallback(found.state, seat, chance)


def _with_strikes(
    found: LoadedMatch, struck: Collection[Seat], played: Collection[Seat]
) -> LoadedMatch:
    """The match with one more strike for the `struck` seats, and `played` as its late seats."""
    seats = tuple(
        replace(seat, strikes=seat.strikes + 1) if i in struck else seat
        for i, seat in enumerate(found.record.seats)
    )
    return replace(found, record=replace(found.record, seats=seats, late=tuple(sorted(played))))
