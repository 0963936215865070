"""Rematches: once all players have agreed, a new match is dealt at once, with rotated seats."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

from bot.errors import MatchError, TooLateError
from bot.matches import limits, rated_quota, time_controls
from bot.matches.effect import Effect, load_effect
from bot.matches.loaded import LoadedMatch, load_match, seat_of
from bot.matches.resolution import deal, new_seed, queue_start_notices
from bot.matches.returns import Returns
from bot.matches.time_off import without_barred_reserve
from bot.storage import COMPUTER, MatchId, MatchRecord, NewMatch, Transaction, Transactions
from games import Seat

STRANGER: Final = "You didn't play in this match. Start your own with a `play` command."
BEGUN: Final = "The rematch has already started. The table has a link to it."
BEGUN_ALONE: Final = "The rematch has already started. `/games` shows it."
FORMER: Final = (
    "Someone who played here deleted their data and can't agree to a rematch. Start a new match "
    "with a `play` command."
)

UNWANTED: Final = "You can't ask for a rematch here. Start a new match with a `play` command."
"""Gives no reason: users are promised that their blocks stay secret."""

LIVE_WISH_LIFE: Final = timedelta(minutes=10)
WISH_LIFE: Final = timedelta(days=2)
"""How long a rematch request is valid: at the live pace, and at all others."""


@dataclass(frozen=True, slots=True)
class RematchResult:
    """The result of a rematch request."""

    old: Effect
    new: Effect | None
    """The rematch, if this player was the last to agree; else None."""


class Rematches:
    def __init__(
        self,
        storage: Transactions,
        *,
        seed: Callable[[], str] = new_seed,
        now: Callable[[], float],
        returns: Returns,
    ) -> None:
        self._storage = storage
        self._returns = returns
        self._seed = seed
        self._now = now

    async def want(self, match: MatchId, user: int, interaction: int) -> RematchResult:
        """Ask for or agree to a rematch, even after leaving; the last to agree starts it.

        The id of the interaction identifies the new match, as that of a command does for others.
        """
        async with self._storage.transaction() as writing:
            found = _load_rematchable(await writing.matches.load(match))
            seat = seat_of(found, user, STRANGER)
            if await writing.matches.rematch_of(match) is not None:
                raise TooLateError(BEGUN if found.record.guild else BEGUN_ALONE)
            if any(other.user < COMPUTER for other in found.record.seats):
                raise MatchError(FORMER)
            if found.record.seats[seat].agrees == "rematch":
                raise MatchError("You've already asked for a rematch. Wait for an answer.")
            if await self._returns.blocking(writing, _agreed_users(found.record), user):
                raise MatchError(UNWANTED)
            await limits.must_be_allowed_to_play(writing, user, found.record.people)
            await writing.seats.agree(match, seat, "rematch")
            for computer in found.record.computers:  # a computer always agrees
                await writing.seats.agree(match, computer, "rematch")
            new = await self._begin_if_wanted(writing, found, seat, interaction)
            return RematchResult(await load_effect(writing, match), new)

    async def _begin_if_wanted(
        self, writing: Transaction, found: LoadedMatch, seat: Seat, interaction: int
    ) -> Effect | None:
        record, now = found.record, int(self._now())
        asked = [s for i, s in enumerate(record.seats) if i != seat and s.computer is None]
        if any(s.agrees != "rematch" for s in asked):
            lifetime = LIVE_WISH_LIFE if record.time_control == "live" else WISH_LIFE
            await writing.matches.offer_rematch(record.id, now + int(lifetime.total_seconds()))
            if not record.seats[seat].wished:
                await self._notify_others(writing, record, seat, now)
            return None
        await writing.matches.close_rematch(record.id)
        await writing.asks.accept(record.id, record.people)
        await limits.must_be_allowed_to_begin(writing, record.people)
        table = await writing.messages.table_of(record.id)
        channel = record.channel if table is None else table.channel
        rematch = _rotated(record, interaction, channel, now)
        if record.guild is not None:
            settings = await writing.guilds.settings(record.guild)
            time_control = without_barred_reserve(settings, record.time_control)
            rematch = replace(rematch, time_control=time_control)
        new = await writing.challenges.open(rematch, now)
        assert new is not None  # this interaction has made no other match
        for i in range(len(record.seats)):
            await writing.challenges.accept(new, Seat(i))
        seed, opened = self._seed(), load_match(await writing.matches.load(new))
        await rated_quota.apply_limit(writing, opened.record, self._returns, now)
        await deal(writing, opened, seed, now)
        running, actor = load_match(await writing.matches.load(new)), record.seats[seat].user
        await queue_start_notices(writing, running, running.record.people, actor, now)
        return Effect(running, resolved=True)

    async def _notify_others(
        self, writing: Transaction, record: MatchRecord, seat: Seat, now: int
    ) -> None:
        """Notify the other players of a rematch request, except those who were asked too often.

        Players who aren't notified because of a block are recorded as asked all the same: users get
        these records with their data, and who has blocked them is a secret.
        """
        user, agreed = record.seats[seat].user, _agreed_users(record)
        others = [other for other in record.people if other not in {user, *agreed}]
        asked = await limits.may_be_notified(writing, self._returns, others, actor=user, now=now)
        if not asked:
            return
        await writing.seats.note_wish(record.id, seat)
        await writing.asks.note(record.id, user, asked, now)
        await writing.notices.queue(
            record.id,
            "rematch",
            await limits.not_asked_before(writing, self._returns, asked, actor=user, before=agreed),
            due_at=now,
            turn=record.turn,
            actor=user,
        )


def _agreed_users(record: MatchRecord) -> list[int]:
    """The user ids of the people who have agreed to a rematch."""
    return [seat.user for seat in record.seats if seat.agrees == "rematch" and seat.user > 0]


async def expire_requests(writing: Transaction, record: MatchRecord) -> None:
    """Drop the requests for a rematch that wasn't started in time."""
    await writing.seats.clear_agreements(record.id, "rematch")
    await writing.matches.close_rematch(record.id)


def _load_rematchable(record: MatchRecord | None) -> LoadedMatch:
    """A match that can have a rematch; raises MatchError for any other."""
    found = load_match(record)
    match found.record.status:
        case "over" | "closed":
            return found
        case "running" | "open":
            raise MatchError(
                "This match is still being played. You can have a rematch when it ends."
            )
        case "declined" | "withdrawn" | "expired":
            raise TooLateError("This match never started, so there's nothing to play again.")


def _rotated(record: MatchRecord, interaction: int, channel: int | None, now: int) -> NewMatch:
    """The same match as a new one, with all seats moved up by one: the second becomes the first."""
    seats = (*record.seats[1:], record.seats[0])
    users = tuple(seat.user for seat in seats)
    computers = tuple(seat.computer for seat in seats)
    return NewMatch(
        interaction=interaction,
        game=record.game,
        options=record.options,
        guild=record.guild,
        channel=channel,
        opener=next(seat.user for seat in seats if seat.computer is None),
        users=users,
        computers=computers,
        wanted=len(users),
        time_control=record.time_control,
        tap=record.tap,
        rated=(record.rated or record.limited) and not record.computers,
        due_at=time_controls.expiry(record.time_control, now),
        predecessor=record.id,
    )
