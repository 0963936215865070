"""The act of the clock on one match: a challenge expires, time is up for a seat, silence ends.

Each is one transaction that begins by asking whether the match is still due, so that a choice of
the same instant either comes first and is played, or finds that the round is over.
"""

import time
from collections.abc import Callable
from dataclasses import replace

from bot.matches import clocks
from bot.matches.loaded import LoadedMatch, load_match
from bot.matches.rematches import lapse
from bot.matches.reopenings import count, counts_at
from bot.matches.resolution import Turn, leave, resolve, tell_turn
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
        now = int(self._now())
        async with self._storage.transaction() as writing:
            record = await writing.matches.load(match)
            if record is None or record.due_at is None or record.due_at > now:
                return None
            if record.status == "open":
                await writing.matches.end(match, "expired", now)
            elif record.status != "running":
                if record.counts_at is not None and record.counts_at <= now:
                    await count(writing, load_match(record), now)
                await lapse(writing, record)
            elif record.paused_why == "agreed":
                await _end_pause(writing, load_match(record), now)
            elif record.paused or record.time_control == "none":
                if not await _close_if_silent(writing, record, now):
                    return None
            else:
                await _look(writing, load_match(record), now)
            return Turn(load_match(await writing.matches.load(match)), resolved=True)


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
        await _time_is_up(writing, replace(found, record=record), frozenset(late), now)
        found = load_match(await writing.matches.load(record.id))
        await _release(writing, found, record.step, now)
        record = found.record
    if record.status == "running" and not record.paused:
        await writing.clocks.put(record, clocks.looked_at(record, found.owing, now))


async def _time_is_up(
    writing: Transaction, found: LoadedMatch, late: frozenset[Seat], now: int
) -> None:
    """Go on without waiting for the seats that have not chosen in time.

    The first time in a row the clock plays for a seat, the second time the seat is forfeited;
    seats that are forfeited at once leave in the order of their numbers (R37). Where nobody would
    be left to win, the match is closed without a result: none of them was there.
    """
    record = found.record
    forfeited = {seat for seat in late - record.computers if record.seats[seat].strikes}
    if forfeited and await is_allowed(writing, record.guild, "resume"):
        await writing.matches.hold(record.id, counts_at(now))
    if all(s.left is not None or Seat(i) in forfeited for i, s in enumerate(record.seats)):
        await writing.matches.end(record.id, "closed", now, ending="absence")
        return
    for seat in sorted(forfeited):
        if seat in found.awaiting:
            await leave(writing, found, seat, "time", now)
            found = load_match(await writing.matches.load(record.id))
    played = await _play_for(writing, found, record.turn, late - forfeited, now)
    await writing.matches.note_late(record.id, played)


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
) -> list[Seat]:
    """Play the fallbacks of these seats until this turn has passed, as one strike for each."""
    match, played = found.record.id, set[Seat]()
    while found.record.turn == turn and (owing := late & found.awaiting - set(found.choices)):
        choices = dict(found.choices)
        for seat in sorted(owing):
            # A chance of its own, that draws nothing of what the play will draw.
            chance = Chance(f"{found.record.seed}:{seat} is late", found.record.step)
            choices[seat] = found.game.fallback(found.state, seat, chance)
            move = MoveRecord(text=str(choices[seat]), how="time", made_at=now)
            await writing.moves.choose(match, found.record.step, seat, move)
        await resolve(writing, replace(found, choices=choices), now)
        played |= owing
        found = load_match(await writing.matches.load(match))
    for seat in sorted(played - found.record.computers):
        await writing.seats.strike(match, seat, found.record.seats[seat].strikes + 1)
    return sorted(played)
