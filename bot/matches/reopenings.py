"""Resuming a match that ended because time ran out, within the week before its result counts.

Until then, nothing is revealed that was secret during the match: no seed, no replay, no export. So
players who resume know no more than before.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Final

from bot.errors import MatchError, NotSeatedError, TooLateError
from bot.matches import clocks, forced_moves, limits
from bot.matches.effect import Effect, load_effect
from bot.matches.heavy_work import HeavyWork
from bot.matches.loaded import LoadedMatch, load_match, seat_of
from bot.matches.replays import CHANGED, REPLAYS_AN_HOUR, Runner, history_of, run_replay
from bot.matches.resolution import result_records, state_columns, vacation_ends
from bot.matches.returns import Returns
from bot.matches.time_off import is_allowed, must_allow
from bot.storage import MatchId, MatchRecord, Transaction, Transactions
from bot.storage.moves import TranscriptRecord
from games import Seat
from games.history import History, frame

WEEK: Final = timedelta(days=7)
"""How long the result of a match that ended because time ran out is held back."""

STRANGER: Final = "You didn't play in this match. Only its players can decide this."
COUNTED: Final = "It's too late to resume this match: its result counts now. Play another one."
CLOSED: Final = "It's too late to resume this match: it's closed for good. Play another one."
RESUMED: Final = "This match has already been resumed. Play on at its table."
REMATCHED: Final = "You've started a rematch already, so this match stays over. Play that one."
FORMER: Final = "Someone who played here is gone for good, so this match can't be resumed."
CHANGED_MEANWHILE: Final = "Something changed while I looked that up. Try again."


@dataclass(frozen=True, slots=True)
class _ResumeState:
    """The state to resume a match with, and the number of its step."""

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

    async def want(self, match: MatchId, user: int) -> Effect:
        """Ask for or agree to resuming a match; it resumes when the last of its people agrees."""
        async with self._work.turn(user):  # everyone's replays share one process
            before = await self._before(match, user)
        now = int(self._now())
        async with self._storage.transaction() as writing:
            found = load_match(await writing.matches.load(match))
            seat = _seat_with_say(found, user)
            await must_allow(writing, found.record.guild, "resume")
            if await writing.matches.rematch_of(match) is not None:
                raise TooLateError(REMATCHED)
            if any(found.record.seats[asked].user <= 0 for asked in _seats_to_ask(found.record)):
                raise TooLateError(FORMER)
            if found.record.seats[seat].agrees == "resume":
                raise MatchError("You've already asked for that. Wait for an answer.")
            await writing.seats.agree(match, seat, "resume")
            if not _others_agree(found.record, seat):
                await writing.matches.show_again(match)
                asked = [found.record.seats[s] for s in _seats_to_ask(found.record) if s != seat]
                agreed = [other.user for other in asked if other.agrees == "resume"]
                users = [other.user for other in asked if other.agrees != "resume"]
                recipients = await limits.not_asked_before(
                    writing, self._returns, users, actor=user, before=agreed
                )
                await writing.notices.queue(match, "offered", recipients, due_at=now, actor=user)
            elif before is None or before.step != found.record.step:
                raise MatchError(CHANGED_MEANWHILE)  # the others agreed after `before` was computed
            else:
                await _reopen(writing, found, before, now)
            return await load_effect(writing, match, resolved=True)

    async def count_result(self, match: MatchId, user: int) -> Effect:
        """Let a held result count now, after which the match can't be resumed."""
        now = int(self._now())
        async with self._storage.transaction() as writing:
            found = load_match(await writing.matches.load(match))
            _seat_with_say(found, user)
            await count_result(writing, found, now)
            return await load_effect(writing, match, resolved=True)

    async def _before(self, match: MatchId, user: int) -> _ResumeState | None:
        """The state to resume with, if this user is the last who has to agree; else None."""
        async with self._storage.reading() as reading:
            transcript = await reading.moves.transcript(match)
        found = load_match(None if transcript is None else transcript.match)
        seat = _seat_with_say(found, user)
        if transcript is None or not _others_agree(found.record, seat):
            return None
        states = await run_replay(self._runner, _last_states, *_histories(transcript))
        if states[0] != found.state:
            raise MatchError(CHANGED)
        return _ResumeState(found.record.step, states[1])


async def count_result(writing: Transaction, found: LoadedMatch, now: int) -> None:
    """Let a held result count now, and drop what players have asked for.

    If a rematch has started, agreements stay: by them the table knows to link to it.
    """
    outcome, record = found.outcome, found.record
    await writing.matches.count_result(
        record, now, () if outcome is None else result_records(record, outcome)
    )
    has_agreements = any(seat.agrees is not None for seat in record.seats)
    if has_agreements and await writing.matches.rematch_of(record.id) is None:
        await writing.seats.clear_agreements(record.id)


def counts_at(now: int) -> int:
    """When the result counts of a match that ends now because time ran out."""
    return now + int(WEEK.total_seconds())


def seats_out_of_time(record: MatchRecord) -> tuple[Seat, ...]:
    """The seats whose running out of time ended the match.

    Not a seat that was forfeited earlier in the same step, after which the others played on: in a
    match with a held result, that seat has no strikes.
    """
    return tuple(
        Seat(i)
        for i, seat in enumerate(record.seats)
        if seat.left_why == "time" and seat.left_step == record.step and seat.strikes
    )


async def can_resume(reading: Transaction, record: MatchRecord, user: int) -> bool:
    """Whether this user can ask to resume a match with a held result."""
    asked = [record.seats[seat].user for seat in _seats_to_ask(record)]
    return user in asked and await is_resumable(reading, record)


async def is_resumable(reading: Transaction, record: MatchRecord) -> bool:
    """Whether the people in a match with a held result can still ask to resume it."""
    all_there = all(record.seats[seat].user > 0 for seat in _seats_to_ask(record))
    may = all_there and await is_allowed(reading, record.guild, "resume")
    return may and await reading.matches.rematch_of(record.id) is None


def _seats_to_ask(record: MatchRecord) -> list[Seat]:
    """The seats whose people must agree: all who played to the end or whose forfeit ended it."""
    back = seats_out_of_time(record)
    return [
        Seat(i)
        for i, seat in enumerate(record.seats)
        if seat.computer is None and (seat.left is None or i in back)
    ]


def _others_agree(record: MatchRecord, seat: Seat) -> bool:
    return all(record.seats[s].agrees == "resume" for s in _seats_to_ask(record) if s != seat)


def _seat_with_say(found: LoadedMatch, user: int) -> Seat:
    """The seat of a user who has a say about a held result; raises MatchError for others."""
    seat, record = seat_of(found, user, STRANGER), found.record
    ended = CLOSED if record.status == "closed" else COUNTED
    if record.status not in {"over", "closed"} or record.counts_at is None:
        raise TooLateError(ended if record.status != "running" else RESUMED)
    if seat not in _seats_to_ask(record):
        raise NotSeatedError("You left this match earlier, so the others decide this.")
    return seat


def _histories(transcript: TranscriptRecord) -> tuple[History, History]:
    """The whole history of a match, and the same without the forfeits that ended it."""
    whole = history_of(transcript, load_match(transcript.match))
    back = seats_out_of_time(transcript.match)
    stayed = tuple(departure for departure in whole.departures if departure[1] not in back)
    return whole, replace(whole, departures=stayed)


def _last_states(*histories: History) -> tuple[Any, ...]:
    """The last state of each history; InvalidHistoryError if today's rules refuse its moves."""
    return tuple(frame(history, history.frames).state for history in histories)


async def _reopen(writing: Transaction, found: LoadedMatch, before: _ResumeState, now: int) -> None:
    """Resume a match where it was when time ran out, with full time for a move.

    All players have just shown that they are there, so nobody keeps a strike.
    """
    record, back = found.record, seats_out_of_time(found.record)
    seats = [replace(seat, strikes=0) for seat in record.seats]
    for seat in back:
        seats[seat] = replace(seats[seat], left=None, left_why=None, left_step=None)
    running = replace(record, status="running", seats=tuple(seats), ending=None)
    reopened = replace(found, record=running, state=before.state)
    timed = clocks.reopened(running, await vacation_ends(writing, running, now), now)
    timed = clocks.with_next_due(timed, reopened.owing, now)
    await writing.matches.reopen(record.id, state_columns(found.game, before.state, timed), back)
    await writing.clocks.put_seats(record, timed)
    await writing.seats.clear_agreements(record.id)
    await forced_moves.continue_match(writing, record.id, now)
