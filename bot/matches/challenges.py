"""A match before the deal: opening it, taking and giving up seats, and starting or ending it.

A seat with a named player belongs to that player; any other seat is open to everyone. The match
starts automatically once all seats are taken and accepted, or by `start` once enough of them are.
"""

from collections.abc import Callable, Sequence
from typing import Any, Literal

from bot import codec
from bot.errors import ChallengeError, MatchError, NotSeatedError, TooLateError
from bot.matches import limits, rated_quota, time_controls
from bot.matches.challenge import Challenge
from bot.matches.effect import Effect, load_effect
from bot.matches.levels import must_play
from bot.matches.loaded import LoadedMatch, load_match, load_open, seat_of
from bot.matches.resolution import deal, queue_start_notices
from bot.matches.returns import Returns
from bot.matches.time_off import public_vacations
from bot.storage import COMPUTER, MatchId, MatchRecord, NewMatch, Transaction, Transactions
from bot.text import counted, listed
from games import GAMES, AnyGame, Seat

NOT_FOR_YOU = "This challenge isn't for you. Start your own with a `play` command."
OPEN_TO_ALL = "You're not invited by name, but there are open seats. Press **Join** to take one."
SEATLESS = "You don't have a seat here, so there's nothing to leave."
SEATLESS_OPEN = "You don't have a seat here. Press **Join** to take one."
FULL = "Someone just took the last seat. Start your own with a `play` command."
NO_COMPUTER = "There's no computer at this table to remove; its seat is open."


class ChallengeActs:
    """The acts on a challenge; each is one transaction."""

    def __init__(
        self,
        storage: Transactions,
        *,
        seed: Callable[[], str],
        now: Callable[[], float],
        returns: Returns,
    ) -> None:
        self._storage = storage
        self._returns = returns
        self._seed = seed
        self._now = now

    async def open(self, challenge: Challenge) -> Effect:
        """Store a challenge and notify the players it names; deal if all others are computers.

        Raises ChallengeError if the game can't be played like this, if somebody doesn't want it or
        has too many challenges, or if this interaction has already made one; HurriedError for a
        double tap, and MatchError if somebody is in too many matches.
        """
        _must_fit(challenge)
        for level in challenge.computers:
            must_play(challenge.game, challenge.options, challenge.wanted, level)
        now = int(self._now())
        new = _new_match(challenge, now)
        async with self._storage.transaction() as writing:
            match = await writing.challenges.open(new, now)
            if match is None:
                raise ChallengeError("This challenge has already been posted. `/games` lists it.")
            await limits.must_be_allowed_to_open(
                writing, challenge, match, returns=self._returns, now=now
            )
            if challenge.begins_at_once:
                return await self._begin_if_complete(writing, match, challenge.opener)
            await writing.asks.note(match, challenge.opener, challenge.opponents, now)
            await writing.notices.queue(
                match,
                "challenged",
                challenge.opponents,
                due_at=now,
                actor=challenge.opener,
            )
            await _wait_for_vacations(writing, challenge, match, now)
            await rated_quota.note_limit(writing, challenge, match, now)
            return await load_effect(writing, match)

    async def accept(self, match: MatchId, user: int) -> Effect:
        """Accept an invitation; deals the match if no other player is missing."""
        async with self._storage.transaction() as writing:
            found = load_open(await writing.matches.load(match))
            seat = seat_of(found, user, _uninvited_refusal(found))
            return await self._accept(writing, found, seat)

    async def join(self, match: MatchId, user: int) -> Effect:
        """Take an open seat, or accept an invitation; deals the match if no player is missing."""
        async with self._storage.transaction() as writing:
            found = load_match(await writing.matches.load(match))
            users = [seat.user for seat in found.record.seats]
            if user not in users and found.record.status == "running":
                raise TooLateError(FULL)
            found = load_open(found.record)
            if user in users:
                return await self._accept(writing, found, Seat(users.index(user)))
            if not _open_seats(found):
                raise TooLateError(FULL)
            await limits.must_be_allowed_to_join(
                writing, found.record, user, returns=self._returns, at_table=found.record.people
            )
            await writing.challenges.take(match, Seat(len(users)), user)
            return await self._begin_if_complete(writing, match, user)

    async def seat_computer(self, match: MatchId, user: int, level: str) -> Effect:
        """Give an open seat to a computer; raises NotSeatedError for all but the challenger."""
        async with self._storage.transaction() as writing:
            found = load_open(await writing.matches.load(match))
            if user != found.record.opener:
                raise NotSeatedError(
                    "Only the challenger can give an open seat to a computer. Ask them to."
                )
            if not _open_seats(found):
                raise TooLateError(FULL)
            must_play(found.record.game, found.options, found.record.wanted, level)
            seat = Seat(len(found.record.seats))
            await writing.challenges.take(match, seat, COMPUTER, level=level)
            return await self._begin_if_complete(writing, match, user)

    async def unseat_computer(self, match: MatchId, user: int) -> Effect:
        """Remove the last computer added; raises NotSeatedError for all but the challenger."""
        async with self._storage.transaction() as writing:
            found = load_open(await writing.matches.load(match))
            if user != found.record.opener:
                raise NotSeatedError("Only the challenger can remove a computer. Ask them to.")
            if not found.record.computers:
                raise MatchError(NO_COMPUTER)
            await writing.challenges.vacate(match, max(found.record.computers))
            return await load_effect(writing, match, resolved=True)

    async def start(self, match: MatchId, user: int) -> Effect:
        """Start the match with the players who have accepted, without the others."""
        async with self._storage.transaction() as writing:
            found = load_open(await writing.matches.load(match))
            seats = found.record.seats
            if user not in {seat.user for seat in seats if seat.accepted}:
                raise NotSeatedError(
                    "Only players who have taken a seat can start this match. Take one first."
                )
            ready = sum(seat.accepted for seat in seats)
            if not found.game.fits(found.options, ready):
                numbers = listed(_player_counts(found.game, found.options), "or")
                raise MatchError(
                    f"This variant of {found.game.title} is for {numbers} players, and only "
                    f"{counted(ready, 'player has', 'players have')} taken a seat. Wait for "
                    "another one."
                )
            for i in reversed(range(len(seats))):
                if not seats[i].accepted:
                    await writing.challenges.vacate(match, Seat(i))
            await writing.challenges.resize(match, ready)
            return await self._begin_if_complete(writing, match, user)

    async def decline(self, match: MatchId, user: int) -> Effect:
        """Turn down an invitation.

        That ends the challenge, unless it is public (see `is_public`): then the seat becomes open.
        """
        async with self._storage.transaction() as writing:
            found = load_open(await writing.matches.load(match))
            seat = seat_of(found, user, _uninvited_refusal(found))
            if user == found.record.opener:
                raise MatchError("This is your own challenge. To take it back, press **Withdraw**.")
            if found.record.seats[seat].accepted:
                raise MatchError("You've already accepted. To give up your seat, press **Leave**.")
            return await self._give_up(writing, found, seat)

    async def vacate(self, match: MatchId, user: int) -> Effect:
        """Give up one's seat, as in `decline`; if the challenger does, withdraw the challenge."""
        async with self._storage.transaction() as writing:
            found = load_open(await writing.matches.load(match))
            seat = seat_of(found, user, _seatless_refusal(found))
            if user == found.record.opener:
                return await self._end(writing, found, "withdrawn")
            return await self._give_up(writing, found, seat)

    async def give_up_absent(
        self, match: MatchId, user: int, why: Literal["declined", "absent"] = "absent"
    ) -> Effect:
        """Give up the seat of a user who can't play, as in `vacate`.

        `why` is "absent" if they have left the server, "declined" if they are banned from the bot.
        """
        async with self._storage.transaction() as writing:
            found = load_open(await writing.matches.load(match))
            seat = seat_of(found, user, "They don't have a seat at this table.")
            if user == found.record.opener:
                return await self._end(writing, found, "withdrawn")
            return await self._give_up(writing, found, seat, why)

    async def withdraw(self, match: MatchId, user: int) -> Effect:
        """Withdraw a challenge; raises NotSeatedError for all but the challenger."""
        async with self._storage.transaction() as writing:
            found = load_open(await writing.matches.load(match))
            if user != found.record.opener:
                raise NotSeatedError(
                    "Only the challenger can withdraw this challenge. If you're invited, "
                    "**Decline** turns it down."
                )
            return await self._end(writing, found, "withdrawn")

    async def undo(self, match: MatchId) -> None:
        """Withdraw or close a match that was just opened but couldn't be shown to anybody."""
        async with self._storage.transaction() as writing:
            found = load_match(await writing.matches.load(match))
            if found.record.status == "open":
                await self._end(writing, found, "withdrawn")
            elif found.record.status == "running":
                await writing.matches.end(
                    found.record,
                    "closed",
                    int(self._now()),
                    ending="call_off",
                    actor=found.record.opener,
                )

    async def _accept(self, writing: Transaction, found: LoadedMatch, seat: Seat) -> Effect:
        seat_record = found.record.seats[seat]
        if seat_record.accepted:
            raise MatchError(_accepted_already(found))
        accepted = [other.user for other in found.record.seats if other.accepted and other.user > 0]
        await limits.must_be_allowed_to_join(
            writing, found.record, seat_record.user, returns=self._returns, at_table=accepted
        )
        await writing.challenges.accept(found.record.id, seat)
        return await self._begin_if_complete(writing, found.record.id, seat_record.user)

    async def _give_up(
        self,
        writing: Transaction,
        found: LoadedMatch,
        seat: Seat,
        why: Literal["declined", "absent"] = "declined",
    ) -> Effect:
        match, seat_record = found.record.id, found.record.seats[seat]
        await writing.asks.decline(match, seat_record.user)
        if not is_public(found.record):
            await writing.seats.agree(match, seat, why)
            return await self._end(writing, found, "declined", seat_record.user)
        await writing.challenges.vacate(match, seat)
        if not seat_record.accepted:
            await writing.notices.queue(
                match,
                "declined",
                [found.record.opener],
                due_at=int(self._now()),
                actor=seat_record.user,
            )
        return await load_effect(writing, match, resolved=True)

    async def _end(
        self,
        writing: Transaction,
        found: LoadedMatch,
        how: Literal["declined", "withdrawn"],
        actor: int | None = None,
    ) -> Effect:
        await writing.matches.end(found.record, how, int(self._now()), actor=actor)
        return await load_effect(writing, found.record.id, resolved=True)

    async def _begin_if_complete(self, writing: Transaction, match: MatchId, actor: int) -> Effect:
        """Deal if all seats are taken and accepted; notify the challenger unless they acted."""
        found = load_match(await writing.matches.load(match))
        seats = found.record.seats
        if len(seats) < found.record.wanted or not all(seat.accepted for seat in seats):
            return Effect(found, resolved=True)
        for seat in seats:
            if seat.computer is not None:  # `start` may have lowered the number of players
                must_play(found.record.game, found.options, len(seats), seat.computer)
        await limits.must_be_allowed_to_begin(writing, found.record.people)
        seed, now = self._seed(), int(self._now())
        await rated_quota.apply_limit(writing, found.record, self._returns, now)
        await deal(writing, found, seed, now)
        await writing.asks.accept(match, found.record.people)
        begun = load_match(await writing.matches.load(match))
        await queue_start_notices(writing, begun, [begun.record.opener], actor, now)
        return Effect(begun, resolved=True)


async def _wait_for_vacations(
    writing: Transaction, challenge: Challenge, match: MatchId, now: int
) -> None:
    """Postpone the expiry of a slow challenge, for full time to answer after a vacation."""
    if challenge.time_control not in time_controls.SLOW or challenge.guild is None:
        return
    absent = await public_vacations(writing, challenge.guild, challenge.opponents, now)
    if absent:
        back = max(absent.values())
        due_at = time_controls.expiry(challenge.time_control, back)
        await writing.deadlines.put_off(match, due_at)


def _uninvited_refusal(found: LoadedMatch) -> str:
    """The refusal for users who answer a challenge that doesn't name them."""
    return OPEN_TO_ALL if _open_seats(found) else NOT_FOR_YOU


def _seatless_refusal(found: LoadedMatch) -> str:
    """The refusal for users who leave a challenge in which they have no seat."""
    return SEATLESS_OPEN if _open_seats(found) else SEATLESS


def _new_match(challenge: Challenge, now: int) -> NewMatch:
    people = (challenge.opener, *challenge.opponents)
    return NewMatch(
        interaction=challenge.interaction,
        game=challenge.game,
        options=codec.encode(challenge.options),
        guild=challenge.guild,
        channel=challenge.channel,
        opener=challenge.opener,
        users=(*people, *(COMPUTER for _ in challenge.computers)),
        computers=(*(None for _ in people), *challenge.computers),
        wanted=challenge.wanted,
        time_control=challenge.time_control,
        tap=challenge.tap,
        rated=challenge.rated,
        due_at=time_controls.expiry(challenge.time_control, now),
    )


def _must_fit(challenge: Challenge) -> None:
    game, players = GAMES[challenge.game], challenge.wanted
    if game.fits(challenge.options, players):
        return
    numbers = _player_counts(game, challenge.options)
    if 1 + len(challenge.opponents) == players:
        change = "fewer" if numbers[0] < players else "more"
        raise ChallengeError(
            f"This variant of {game.title} is for {listed(numbers, 'or')} players. With you, "
            f"that's {players}. Choose another variant, or name {change} opponents."
        )
    raise ChallengeError(
        f"This variant of {game.title} is for {listed(numbers, 'or')} players, not {players}. "
        "Choose another variant or another number of players."
    )


def _player_counts(game: AnyGame, options: Any) -> Sequence[int]:  # noqa: ANN401 - the game's own
    """The numbers of players that these options allow, ascending."""
    return [n for n in game.seats if game.fits(options, n)]


def _open_seats(found: LoadedMatch) -> int:
    return found.record.wanted - len(found.record.seats)


def is_public(record: MatchRecord) -> bool:
    """Whether the challenge has seats without a named player or computer, taken or not."""
    named = sum(seat.invited or seat.computer is not None for seat in record.seats)
    return 1 + named < record.wanted


def _accepted_already(found: LoadedMatch) -> str:
    """The refusal for users who have already accepted."""
    if _open_seats(found):
        return "You already have a seat. Wait for the others."
    return "You've already accepted. Wait for the others."
