"""A match that ended because time ran out: its result waits for a week, and it can be resumed.

Until its result counts, nothing of it is told that was secret while it was played: no seed, no
replay, no export. So whoever goes on knows no more than before.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Final

from bot.errors import MatchError, NotSeatedError, TooLateError
from bot.matches import clocks, forced_moves, limits
from bot.matches.effect import Effect, as_written
from bot.matches.heavy_work import HeavyWork
from bot.matches.loaded import LoadedMatch, load_match, seat_of
from bot.matches.replays import CHANGED, REPLAYS_AN_HOUR, Runner, history_of, play_again
from bot.matches.resolution import away, dealt, results
from bot.matches.returns import Returns
from bot.matches.time_off import is_allowed, must_allow
from bot.storage import MatchId, MatchRecord, Transaction, Transactions
from bot.storage.moves import TranscriptRecord
from games import Seat
from games.history import History, frame

WEEK: Final = timedelta(days=7)
"""So long the result of a match that ended because time ran out does not count."""

STRANGER: Final = "You didn't play in this match. Only its players can decide this."
COUNTED: Final = "It's too late to resume this match: its result counts now. Play another one."
CLOSED: Final = "It's too late to resume this match: it's closed for good. Play another one."
RESUMED: Final = "This match has already been resumed. Play on at its table."
REMATCHED: Final = "You've started a rematch already, so this match stays over. Play that one."
FORMER: Final = "Someone who played here is gone for good, so this match can't be resumed."
AGAIN: Final = "Something changed while I looked that up. Try again."


@dataclass(frozen=True, slots=True)
class _Before:
    """The state that a match is resumed with, and the step at which it is."""

    step: int
    state: Any


class Reopenings:
    def __init__(
        self,
        storage: Transactions,
        runner: Runner,
        *,
        now: Callable[[], float],
        returns: Returns,
    ) -> None:
        self._storage = storage
        self._returns = returns
        self._runner = runner
        self._now = now
        self._work = HeavyWork("resumed matches", REPLAYS_AN_HOUR, now=now)

    def forget(self, user: int) -> None:
        """Remember nothing of this person."""
        self._work.forget(user)

    async def want(self, match: MatchId, user: int) -> Effect:
        """Wish to resume a match; the last one of its people to wish so lets it go on."""
        async with self._work.turn(user):  # replays of all others wait for the same process
            before = await self._before(match, user)
        now = int(self._now())
        async with self._storage.transaction() as writing:
            found = load_match(await writing.matches.load(match))
            seat = _waiting(found, user)
            await must_allow(writing, found.record.guild, "resume")
            if await writing.matches.rematch_of(match) is not None:
                raise TooLateError(REMATCHED)
            if any(found.record.seats[asked].user <= 0 for asked in _asked(found.record)):
                raise TooLateError(FORMER)
            if found.record.seats[seat].agrees == "resume":
                raise MatchError("You've already asked for that. Wait for an answer.")
            await writing.seats.agree(match, seat, "resume")
            if not _others_agree(found.record, seat):
                await writing.matches.show_again(match)
                asked = [found.record.seats[s] for s in _asked(found.record) if s != seat]
                agreed = [other.user for other in asked if other.agrees == "resume"]
                users = [other.user for other in asked if other.agrees != "resume"]
                told = await limits.asked_first(
                    writing, self._returns, users, actor=user, before=agreed
                )
                await writing.notices.tell(match, "offered", told, due_at=now, actor=user)
            elif before is None or before.step != found.record.step:
                raise MatchError(AGAIN)  # the others agreed since it was looked up
            else:
                await _reopen(writing, found, before, now)
            return await as_written(writing, match, resolved=True)

    async def count(self, match: MatchId, user: int) -> Effect:
        """Let the result of a match count at once, so that it can't be resumed any more."""
        now = int(self._now())
        async with self._storage.transaction() as writing:
            found = load_match(await writing.matches.load(match))
            _waiting(found, user)
            await count(writing, found, now)
            return await as_written(writing, match, resolved=True)

    async def _before(self, match: MatchId, user: int) -> _Before | None:
        """What the match goes on from, if this person is the last who has to agree."""
        async with self._storage.reading() as reading:
            read = await reading.moves.transcript(match)
        found = load_match(None if read is None else read.match)
        seat = _waiting(found, user)
        if read is None or not _others_agree(found.record, seat):
            return None
        states = await play_again(self._runner, _last_states, *_histories(read))
        if states[0] != found.state:
            raise MatchError(CHANGED)
        return _Before(found.record.step, states[1])


async def count(writing: Transaction, found: LoadedMatch, now: int) -> None:
    """Let the result of a match count from now on, with which all wishes of its players end.

    Who agreed to a rematch that has begun goes on doing so: by that the table leads to it.
    """
    outcome, record = found.outcome, found.record
    await writing.matches.count(record, now, () if outcome is None else results(record, outcome))
    wish = any(seat.agrees is not None for seat in record.seats)
    if wish and await writing.matches.rematch_of(record.id) is None:
        await writing.seats.clear_agreements(record.id)


def counts_at(now: int) -> int:
    """When the result of a match counts that ends because time ran out now."""
    return now + int(WEEK.total_seconds())


def forfeited_at_the_end(record: MatchRecord) -> tuple[Seat, ...]:
    """The seats that time ran out for when the match ended by that.

    Not one that was forfeited earlier in the same step, after which the others played on: in a
    match that is held back, it has no strikes.
    """
    return tuple(
        Seat(i)
        for i, seat in enumerate(record.seats)
        if seat.left_why == "time" and seat.left_step == record.step and seat.strikes
    )


async def can_resume(reading: Transaction, record: MatchRecord, user: int) -> bool:
    """Whether this person can wish to resume a match whose result does not count yet."""
    asked = [record.seats[seat].user for seat in _asked(record)]
    return user in asked and await is_resumable(reading, record)


async def is_resumable(reading: Transaction, record: MatchRecord) -> bool:
    """Whether its people can still wish to resume a match whose result does not count yet."""
    all_there = all(record.seats[seat].user > 0 for seat in _asked(record))
    may = all_there and await is_allowed(reading, record.guild, "resume")
    return may and await reading.matches.rematch_of(record.id) is None


def _asked(record: MatchRecord) -> list[Seat]:
    """The seats whose people have to agree: who played at the end, or forfeited by it."""
    back = forfeited_at_the_end(record)
    return [
        Seat(i)
        for i, seat in enumerate(record.seats)
        if seat.computer is None and (seat.left is None or i in back)
    ]


def _others_agree(record: MatchRecord, seat: Seat) -> bool:
    return all(record.seats[s].agrees == "resume" for s in _asked(record) if s != seat)


def _waiting(found: LoadedMatch, user: int) -> Seat:
    """The seat of somebody who decides about a match whose result does not count yet."""
    seat, record = seat_of(found, user, STRANGER), found.record
    ended = CLOSED if record.status == "closed" else COUNTED
    if record.status not in {"over", "closed"} or record.counts_at is None:
        raise TooLateError(ended if record.status != "running" else RESUMED)
    if seat not in _asked(record):
        raise NotSeatedError("You left this match earlier, so the others decide this.")
    return seat


def _histories(read: TranscriptRecord) -> tuple[History, History]:
    """The whole history of a match, and the same without those who forfeited at its end."""
    whole = history_of(read, load_match(read.match))
    back = forfeited_at_the_end(read.match)
    stayed = tuple(gone for gone in whole.departures if gone[1] not in back)
    return whole, replace(whole, departures=stayed)


def _last_states(*histories: History) -> tuple[Any, ...]:
    """The last state of each of these histories; WrongError where the rules do not allow one."""
    return tuple(frame(history, history.frames).state for history in histories)


async def _reopen(writing: Transaction, found: LoadedMatch, before: _Before, now: int) -> None:
    """Let a match go on where it was when time ran out, with all the time for a move.

    Everybody who had missed a deadline is there again, so nobody is one away from a forfeit.
    """
    record, back = found.record, forfeited_at_the_end(found.record)
    seats = [replace(seat, strikes=0) for seat in record.seats]
    for seat in back:
        seats[seat] = replace(seats[seat], left=None, left_why=None, left_step=None)
    running = replace(record, status="running", seats=tuple(seats), ending=None)
    on = replace(found, record=running, state=before.state)
    timed = clocks.reopened(running, await away(writing, running, now), now)
    timed = clocks.looked_at(timed, on.owing, now)
    await writing.matches.reopen(record.id, dealt(found.game, before.state, timed), back)
    await writing.clocks.put_seats(record, timed)
    await writing.seats.clear_agreements(record.id)
    await forced_moves.go_on(writing, record.id, now)
