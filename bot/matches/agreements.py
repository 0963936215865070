"""What needs everybody: a draw, to call the match off, a pause. All who still play must agree.

An offer stands until somebody who has not agreed to it plays on, declines it or leaves. A step
whose moves have all played themselves ends none but that to take back the one before it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from math import ceil
from types import MappingProxyType
from typing import Final, Literal, get_args

from cachetools import FIFOCache

from bot.errors import ButtonError, MatchError, TooLateError
from bot.matches import clocks, limits
from bot.matches.effect import Effect, as_written
from bot.matches.heavy_work import HeavyWork
from bot.matches.loaded import (
    LoadedMatch,
    agreed_draw,
    load_running,
    playing_seat_of,
)
from bot.matches.replays import REPLAYS_AN_HOUR, Runner
from bot.matches.resolution import results
from bot.matches.returns import Returns
from bot.matches.take_backs import Previous, previous, take_back
from bot.matches.time_off import must_allow
from bot.storage import MatchId, SeatRecord, Transaction, Transactions
from bot.text import counted
from games import Seat

Offer = Literal["draw", "call_off", "pause", "take_back"]
OFFERS: Final[tuple[Offer, ...]] = get_args(Offer)

WORDS: Final[Mapping[Offer, str]] = MappingProxyType(
    {
        "draw": "a draw",
        "call_off": "to call the match off",
        "pause": "a pause",
        "take_back": "to take back the last step",
    }
)
"""What is offered, after "offers"."""

STRANGER: Final = "You're not playing in this match. Only its players can decide this."
GONE: Final = (
    "That offer has expired: it was answered or replaced, or someone moved or left. To make one "
    "yourself, press **Menu**."
)

NO_DRAW: Final = (
    "Computers don't accept draws. To stop, call the match off; it then ends without a result."
)

NO_CLOCK: Final = "This match has no clock, so there is nothing to pause. Take your time."

AGAIN_STEPS: Final = 3
AGAIN_AFTER: Final = timedelta(minutes=10)
"""One offer of a kind: the same player makes the next after so many steps or so much time."""

MAX_REMEMBERED_OFFERS: Final = 4096


def offer_of(text: str) -> Offer:
    """What a button offers; ButtonError for anything else."""
    for offer in OFFERS:
        if offer == text:
            return offer
    raise ButtonError("I don't know that offer. Press **Menu** at the table again.")


class Agreements:
    """The acts. What was offered when is kept in memory only: it is a limit, not a fact."""

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
        self._work = HeavyWork("take-backs", REPLAYS_AN_HOUR, now=now)
        self._offered: FIFOCache[tuple[MatchId, Seat, Offer], tuple[int, float]] = FIFOCache(
            MAX_REMEMBERED_OFFERS
        )

    def forget(self, user: int) -> None:
        """Remember nothing of this person."""
        self._work.forget(user)

    async def offer(self, match: MatchId, user: int, what: Offer) -> Effect:
        """Offer it to the others; where it has been offered already, agree to it."""
        back = await self._previous(match, user, what)
        async with self._storage.transaction() as writing:
            found, seat = await _seated(writing, match, user)
            await self._must_be_possible(writing, found, what)
            if found.record.seats[seat].agrees == what:
                raise MatchError("You've already offered that. Wait for an answer.")
            is_new = not _stands(found, what)
            if is_new:
                self._must_not_pester(found, seat, what)
                await writing.seats.clear_agreements(match, "declined")  # that was the last offer
            effect = await self._agree(writing, found, seat, what, back)
        if is_new:
            self._offered[match, seat, what] = (found.record.step, self._now())
        return replace(effect, replaces=found.record.seats[seat].agrees in OFFERS)

    async def accept(self, match: MatchId, user: int, what: Offer) -> Effect:
        """Agree to what another has offered; it is done once the last one agrees."""
        back = await self._previous(match, user, what)
        async with self._storage.transaction() as writing:
            found, seat = await _seated(writing, match, user)
            if found.record.seats[seat].agrees == what:
                raise MatchError("You've already agreed. Wait for an answer.")
            if not _stands(found, what):
                raise TooLateError(GONE)
            await self._must_be_possible(writing, found, what)
            return await self._agree(writing, found, seat, what, back)

    async def decline(self, match: MatchId, user: int, what: Offer) -> Effect:
        """Decline what another has offered; one's own offer is taken back the same way.

        What else is offered stands.
        """
        async with self._storage.transaction() as writing:
            found, seat = await _seated(writing, match, user)
            if not _stands(found, what):
                raise TooLateError(GONE)
            await writing.seats.clear_agreements(match, what)
            # Who takes back an offer declines none, and an own one that stands is not replaced.
            if found.record.seats[seat].agrees not in OFFERS:
                await writing.seats.agree(match, seat, "declined")
            return await as_written(writing, match)

    async def _previous(self, match: MatchId, user: int, what: Offer) -> Previous | None:
        """What a step is taken back to; computed before the transaction, for it may take long.

        Only for players, and one after another for each: replays wait for the same process.
        """
        if what != "take_back":
            return None
        async with self._storage.reading() as reading:
            await _seated(reading, match, user)
        async with self._work.turn(user):
            return await previous(self._storage, self._runner, match)

    async def _agree(
        self,
        writing: Transaction,
        found: LoadedMatch,
        seat: Seat,
        what: Offer,
        back: Previous | None,
    ) -> Effect:
        record, now = found.record, int(self._now())
        await writing.seats.agree(record.id, seat, what)
        for computer in record.computers:  # it never keeps anybody from ending a match
            await writing.seats.agree(record.id, computer, what)
        others = _others(found, seat)
        agreed, user = all(other.agrees == what for other in others), record.seats[seat].user
        if agreed:
            await writing.seats.clear_agreements(record.id)
            await _do(writing, found, what, back, user, now)
        else:
            asked = [other.user for other in others if other.agrees != what]
            before = [seat.user for seat in record.seats if seat.agrees == what and seat.user > 0]
            await writing.notices.tell(
                record.id,
                "offered",
                await limits.asked_first(writing, self._returns, asked, actor=user, before=before),
                due_at=now,
                turn=record.turn,
                actor=user,
            )
        return await as_written(writing, record.id, resolved=agreed)

    async def _must_be_possible(
        self, writing: Transaction, found: LoadedMatch, what: Offer
    ) -> None:
        if what == "draw" and found.record.computers:
            raise MatchError(NO_DRAW)
        if what in {"pause", "take_back"}:
            await must_allow(writing, found.record.guild, what)
        if what == "pause" and found.record.deadline is None:
            raise MatchError(NO_CLOCK)

    def _must_not_pester(self, found: LoadedMatch, seat: Seat, what: Offer) -> None:
        """Raise MatchError where others would be asked the same again too soon."""
        if not _others(found, seat):
            return
        step, moment = self._offered.get((found.record.id, seat, what), (-AGAIN_STEPS, 0.0))
        steps = step + AGAIN_STEPS - found.record.step
        passed = self._now() - moment
        seconds = AGAIN_AFTER.total_seconds() - passed
        # A time to come is from before the clock was set back: it says nothing.
        if steps > 0 and passed >= 0 and seconds > 0:
            raise MatchError(
                f"You recently offered {WORDS[what]}. You can offer that again after "
                f"{counted(steps, 'more move')}, or in {counted(ceil(seconds / 60), 'minute')}."
            )


async def _do(
    writing: Transaction,
    found: LoadedMatch,
    what: Offer,
    back: Previous | None,
    actor: int,
    now: int,
) -> None:
    """Do what all have agreed to, the last of them the actor; `back` is what is gone back to."""
    record = found.record
    match what:
        case "draw":
            lines = results(record, agreed_draw([s.left for s in record.seats]))
            await writing.matches.end(record, "over", now, lines, ending="draw", actor=actor)
        case "call_off":
            await writing.matches.end(record, "closed", now, ending="call_off", actor=actor)
        case "pause":
            await writing.clocks.put(record, clocks.paused(record, now))
        case "take_back":
            assert back is not None
            await take_back(writing, found, back, now)


async def _seated(tx: Transaction, match: MatchId, user: int) -> tuple[LoadedMatch, Seat]:
    """A running match and the seat of somebody who still plays in it."""
    found = load_running(await tx.matches.load(match))
    return found, playing_seat_of(found, user, STRANGER)


def _others(found: LoadedMatch, seat: Seat) -> Sequence[SeatRecord]:
    """The other people who still play: those who are asked."""
    return [
        other
        for i, other in enumerate(found.record.seats)
        if other.left is None and other.computer is None and i != seat
    ]


def _stands(found: LoadedMatch, what: Offer) -> bool:
    return any(seat.agrees == what for seat in found.record.seats)
