"""Offers that all remaining players must accept: draw, call-off, pause, take-back.

An offer lapses when it is declined or withdrawn, when anybody leaves, and when a player who hasn't
agreed to it moves in a step that is resolved. A step that consists only of forced moves ends no
offer but the one to take back the step before it.
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
from bot.matches.effect import Effect, load_effect
from bot.matches.heavy_work import HeavyWork
from bot.matches.loaded import (
    LoadedMatch,
    agreed_draw,
    load_running,
    playing_seat_of,
)
from bot.matches.replays import REPLAYS_AN_HOUR, Runner
from bot.matches.resolution import result_records
from bot.matches.returns import Returns
from bot.matches.take_backs import Previous, load_previous, take_back
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
"""Each offer, as it follows "offers" in a sentence."""

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
"""A player can repeat an offer after this many steps or this much time, whichever comes first."""

MAX_REMEMBERED_OFFERS: Final = 4096


def offer_of(text: str) -> Offer:
    """The offer that a button's argument names; raises ButtonError for any other text."""
    for offer in OFFERS:
        if offer == text:
            return offer
    raise ButtonError("I don't know that offer. Press **Menu** at the table again.")


class Agreements:
    """Make, accept and decline offers; each act is one transaction.

    When an offer was last made is kept in memory only: it merely limits how often it is repeated.
    """

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

    async def offer(self, match: MatchId, user: int, what: Offer) -> Effect:
        """Make an offer to the other players, or agree to it if one of them has made it already.

        Raises MatchError if it isn't possible now, or if this player repeats it too soon.
        """
        back = await self._previous(match, user, what)
        async with self._storage.transaction() as writing:
            found, seat = await _load_with_seat(writing, match, user)
            await self._must_be_possible(writing, found, what)
            if found.record.seats[seat].agrees == what:
                raise MatchError("You've already offered that. Wait for an answer.")
            is_new = not _is_offered(found, what)
            if is_new:
                self._must_not_pester(found, seat, what)
                await writing.seats.clear_agreements(match, "declined")  # of an earlier offer
            effect = await self._agree(writing, found, seat, what, back)
        if is_new:
            self._offered[match, seat, what] = (found.record.step, self._now())
        return replace(effect, replaces=found.record.seats[seat].agrees in OFFERS)

    async def accept(self, match: MatchId, user: int, what: Offer) -> Effect:
        """Agree to another player's offer; it's carried out when the last player agrees."""
        back = await self._previous(match, user, what)
        async with self._storage.transaction() as writing:
            found, seat = await _load_with_seat(writing, match, user)
            if found.record.seats[seat].agrees == what:
                raise MatchError("You've already agreed. Wait for an answer.")
            if not _is_offered(found, what):
                raise TooLateError(GONE)
            await self._must_be_possible(writing, found, what)
            return await self._agree(writing, found, seat, what, back)

    async def decline(self, match: MatchId, user: int, what: Offer) -> Effect:
        """Decline an offer; players withdraw their own offer the same way.

        Other offers aren't affected.
        """
        async with self._storage.transaction() as writing:
            found, seat = await _load_with_seat(writing, match, user)
            if not _is_offered(found, what):
                raise TooLateError(GONE)
            await writing.seats.clear_agreements(match, what)
            # Withdrawing isn't declining, and a different offer by this seat must be kept.
            if found.record.seats[seat].agrees not in OFFERS:
                await writing.seats.agree(match, seat, "declined")
            return await load_effect(writing, match)

    async def _previous(self, match: MatchId, user: int, what: Offer) -> Previous | None:
        """The state to take a step back to; None for other offers.

        Computed before the transaction because it can take long. Players only, and one request at
        a time for each of them: all replays share one process.
        """
        if what != "take_back":
            return None
        async with self._storage.reading() as reading:
            await _load_with_seat(reading, match, user)
        async with self._work.turn(user):
            return await load_previous(self._storage, self._runner, match)

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
        for computer in record.computers:  # a computer never blocks an agreement
            await writing.seats.agree(record.id, computer, what)
        others = _others(found, seat)
        agreed, user = all(other.agrees == what for other in others), record.seats[seat].user
        if agreed:
            await writing.seats.clear_agreements(record.id)
            await _carry_out(writing, found, what, back, user, now)
        else:
            asked = [other.user for other in others if other.agrees != what]
            before = [seat.user for seat in record.seats if seat.agrees == what and seat.user > 0]
            await writing.notices.queue(
                record.id,
                "offered",
                await limits.not_asked_before(
                    writing, self._returns, asked, actor=user, before=before
                ),
                due_at=now,
                turn=record.turn,
                actor=user,
            )
        return await load_effect(writing, record.id, resolved=agreed)

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
        """Raise MatchError if this player made the same offer to the others too recently."""
        if not _others(found, seat):
            return
        step, moment = self._offered.get((found.record.id, seat, what), (-AGAIN_STEPS, 0.0))
        steps = step + AGAIN_STEPS - found.record.step
        passed = self._now() - moment
        seconds = AGAIN_AFTER.total_seconds() - passed
        # Less than 0 seconds passed: the system clock was set back, so the time is meaningless.
        if steps > 0 and passed >= 0 and seconds > 0:
            raise MatchError(
                f"You recently offered {WORDS[what]}. You can offer that again after "
                f"{counted(steps, 'more move')}, or in {counted(ceil(seconds / 60), 'minute')}."
            )


async def _carry_out(
    writing: Transaction,
    found: LoadedMatch,
    what: Offer,
    back: Previous | None,
    actor: int,
    now: int,
) -> None:
    """Carry out an offer that everyone has accepted.

    `actor` was the last to agree; `back` is the state to return to, for a take-back.
    """
    record = found.record
    match what:
        case "draw":
            lines = result_records(record, agreed_draw([s.left for s in record.seats]))
            await writing.matches.end(record, "over", now, lines, ending="draw", actor=actor)
        case "call_off":
            await writing.matches.end(record, "closed", now, ending="call_off", actor=actor)
        case "pause":
            await writing.clocks.put(record, clocks.paused(record, now))
        case "take_back":
            assert back is not None
            await take_back(writing, found, back, now)


async def _load_with_seat(tx: Transaction, match: MatchId, user: int) -> tuple[LoadedMatch, Seat]:
    """The running match and this user's seat; raises NotSeatedError if they don't play in it."""
    found = load_running(await tx.matches.load(match))
    return found, playing_seat_of(found, user, STRANGER)


def _others(found: LoadedMatch, seat: Seat) -> Sequence[SeatRecord]:
    """The other people who still play, who must be asked; computers needn't be."""
    return [
        other
        for i, other in enumerate(found.record.seats)
        if other.left is None and other.computer is None and i != seat
    ]


def _is_offered(found: LoadedMatch, what: Offer) -> bool:
    return any(seat.agrees == what for seat in found.record.seats)
