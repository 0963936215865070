"""The act of the clock on one match: a challenge expires, time is up for a seat, silence ends.

Each is one transaction that begins by asking whether the match is still due, so that a choice of
the same instant either comes first and is played, or finds that the round is over.
"""

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any

from bot.matches import clocks
from bot.matches.loaded import LoadedMatch, load_match
from bot.matches.rematches import lapse
from bot.matches.reopenings import count, counts_at
from bot.matches.resolution import Turn, leave, resolve, tell_turn, truth_of
from bot.matches.time_controls import PAUSE, SILENCE
from bot.matches.time_off import is_allowed
from bot.storage import MatchId, MatchRecord, MoveRecord, Transaction, Transactions
from games import Seat
from games.chance import Chance


class Timeouts:
    def __init__(self, storage: Transactions, *, now: Callable[[], float] = time.time) -> None:
        self._storage = storage
        self._now = now

    async def act(self, match: MatchId) -> Turn | None:
        """Do what is due in this match; what that has led to, None if nothing was due."""
        return (await self.act_on([match])).get(match)

    async def act_on(self, due: Sequence[MatchId]) -> dict[MatchId, Turn]:
        """The same for several matches in one transaction; those that were due, by number.

        What goes wrong with one of them takes back what was done in all.
        """
        now = int(self._now())
        async with self._storage.transaction() as writing:
            found = await writing.matches.load_all(due)
            acted = [match for match in found if await _act(writing, found[match], now)]
            after = await writing.matches.load_all(acted)
            return {match: Turn(load_match(after[match]), resolved=True) for match in acted}


async def _act(writing: Transaction, record: MatchRecord, now: int) -> bool:
    """Do what is due in a match; whether anything was."""
    if record.due_at is None or record.due_at > now:
        return False
    if record.status == "open":
        await writing.matches.end(record.id, "expired", now)
    elif record.status != "running":
        if record.counts_at is not None and record.counts_at <= now:
            await count(writing, load_match(record), now)
        await lapse(writing, record)
    elif record.paused_why == "agreed":
        await _end_pause(writing, load_match(record), now)
    elif record.paused or record.time_control == "none":
        return await _close_if_silent(writing, record, now)
    else:
        await _look(writing, load_match(record), now)
    return True


async def _close_if_silent(writing: Transaction, record: MatchRecord, now: int) -> bool:
    """End a match in which nothing has happened for 30 days; whether it has ended."""
    until = await writing.deadlines.quiet_since(record.id) + int(SILENCE.total_seconds())
    if until > now:
        await writing.deadlines.put_off(record.id, until)
        return False
    await writing.matches.end(record.id, "closed", now, ending="silence")
    return True


async def _end_pause(writing: Transaction, found: LoadedMatch, now: int) -> None:
    """Let a match go on that was paused by agreement for as long as that can last."""
    record = found.record
    ends = (record.paused_at or 0) + int(PAUSE.total_seconds())
    if ends > now:
        await writing.clocks.put(record, replace(record, due_at=ends))
        return
    on = clocks.resumed(record, found.owing, now, remark="pause_over")
    await writing.clocks.put(record, on)
    await tell_turn(writing, load_match(await writing.matches.load(record.id)), now)


async def _look(writing: Transaction, found: LoadedMatch, now: int) -> None:
    """Act on the seats whose time is up, if there are any, and say when to look again."""
    record = clocks.returned(found.record, now)
    await writing.clocks.put_seats(found.record, record)
    late = {seat for seat in found.owing if (clocks.final_deadline(record, seat) or now) <= now}
    if late:
        record = clocks.charged(record, late, now)
        await writing.clocks.put_seats(found.record, record)
        step = record.step
        found = await _time_is_up(writing, replace(found, record=record), frozenset(late), now)
        await _release(writing, found, step, now)
        record = found.record
    if record.status == "running" and not record.paused:
        after = clocks.looked_at(record, found.owing, now)
        if after != record or not late:
            await writing.clocks.put(record, after)


async def _time_is_up(
    writing: Transaction, found: LoadedMatch, late: frozenset[Seat], now: int
) -> LoadedMatch:
    """Go on without waiting for the seats that have not chosen in time; what is true then.

    The first time in a row the clock plays for a seat, the second time the seat is forfeited;
    seats that are forfeited at once leave in the order of their numbers (R37). Where nobody would
    be left to win, the match is closed without a result: none of them was there.
    """
    record = found.record
    forfeited = {seat for seat in late - record.computers if record.seats[seat].strikes}
    if forfeited and await is_allowed(writing, record.guild, "resume"):
        await writing.matches.hold(record.id, counts_at(now))
        found = replace(found, record=replace(record, counts_at=counts_at(now)))
    if all(s.left is not None or Seat(i) in forfeited for i, s in enumerate(record.seats)):
        await writing.matches.end(record.id, "closed", now, ending="absence")
        return load_match(await writing.matches.load(record.id))
    for seat in sorted(forfeited):
        if seat in found.awaiting:
            found = truth_of(await leave(writing, found, seat, "time", now))
    return await _play_for(writing, found, record.turn, late - forfeited, now)


async def _release(writing: Transaction, found: LoadedMatch, step: int, now: int) -> None:
    """Hold back no result but that of a match that ended by nothing else than time.

    Where a step was played since, what was chosen in it is known, so it can't be played again.
    """
    record = found.record
    if record.counts_at is None:
        return
    if record.status == "running":
        await writing.matches.hold(record.id, None)
    elif record.step != step:
        await count(writing, found, now)


async def _play_for(
    writing: Transaction, found: LoadedMatch, turn: int, late: frozenset[Seat], now: int
) -> LoadedMatch:
    """Play the fallbacks of these seats until this turn has passed, as one strike for each."""
    match, played = found.record.id, set[Seat]()
    while found.record.turn == turn and (owing := late & found.awaiting - set(found.choices)):
        chosen = {seat: _fallback(found, seat) for seat in sorted(owing)}
        moves = {
            seat: MoveRecord(text=str(move), how="time", made_at=now)
            for seat, move in chosen.items()
        }
        await writing.moves.choose_for(match, found.record.step, moves)
        on = replace(found, choices={**found.choices, **chosen})
        found = truth_of(await resolve(writing, on, now))
        played |= owing
    if struck := played - found.record.computers:
        await writing.seats.strike_again(match, struck)
    if found.record.late != tuple(sorted(played)):  # forced moves followed
        await writing.matches.note_late(match, sorted(played))
    return _struck(found, struck, played)


def _fallback(found: LoadedMatch, seat: Seat) -> Any:  # noqa: ANN401 - of the game's own type
    """The move that the clock makes, by a chance that draws nothing of what the play will draw."""
    chance = Chance(f"{found.record.seed}:{seat} is late", found.record.step)
    return found.game.fallback(found.state, seat, chance)


def _struck(found: LoadedMatch, struck: Collection[Seat], played: Collection[Seat]) -> LoadedMatch:
    """The match as it is once it is noted for which seats the clock has played."""
    seats = tuple(
        replace(seat, strikes=seat.strikes + 1) if i in struck else seat
        for i, seat in enumerate(found.record.seats)
    )
    return replace(found, record=replace(found.record, seats=seats, late=tuple(sorted(played))))
