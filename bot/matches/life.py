"""Everything that can happen to a match. Each act is one transaction: it is written, or it is not.

A submission carries the step it was made for, so a late click on an old round is never played in
the next one, and the step guards the write, so no round is ever resolved twice. Whoever is to be
told is told by the caller, after the commit.
"""

import secrets
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from typing import Protocol

from bot import codec
from bot.errors import ChallengeError, MatchError, NotSeatedError, TooLateError
from bot.matches import paces
from bot.matches.challenge import Challenge
from bot.matches.looks import Look
from bot.matches.picks import Picks
from bot.matches.positions import (
    ROUND_OVER,
    open_position,
    position,
    running_position,
    seat_of,
)
from bot.matches.resolution import Turn, first_deal, leave, resolve
from bot.storage import MatchId, MatchRecord, MoveRecord, NewMatch, Transaction
from bot.storage.choosing import Pick
from games import GAMES, IllegalMoveError, Seat


class Keeper(Protocol):
    """What this module needs of the storage."""

    def transaction(self) -> AbstractAsyncContextManager[Transaction]: ...

    async def match(self, match: MatchId) -> MatchRecord | None: ...

    async def pick(self, picks: Sequence[Pick]) -> set[tuple[MatchId, Seat]]: ...


class Matches:
    """The acts. It keeps nothing in memory: whose turn it is, is always a query."""

    def __init__(
        self,
        storage: Keeper,
        *,
        seed: Callable[[], str] = lambda: secrets.token_hex(32),
        now: Callable[[], float] = time.time,
    ) -> None:
        self._storage = storage
        self._picks = Picks(storage.pick)
        self._seed = seed
        self._now = now

    async def look(self, match: MatchId, user: int | None) -> Look:
        """The match as this user may know it; as everybody may where he has no seat."""
        found = position(await self._storage.match(match))
        return found.look(None) if user is None else found.look_of(user)

    async def sit(self, match: MatchId, user: int, *, step: int | None = None) -> Look:
        """A running match as a player in it knows it; NotSeatedError for everybody else.

        With a step, TooLateError if the match has gone on since.
        """
        found = running_position(await self._storage.match(match))
        seat = seat_of(
            found, user, "You have no seat in this match; the table shows what is public."
        )
        if found.record.seats[seat].left is not None:
            raise NotSeatedError("You have left this match; the table shows how it goes on.")
        if step is not None and found.record.step != step:
            raise TooLateError(ROUND_OVER)
        return found.look(seat)

    async def looks(self, match: MatchId) -> tuple[Look, ...]:
        """The match as everybody may know it, then as each seat does."""
        found = position(await self._storage.match(match))
        self._picks.remember(found)
        seats = range(len(found.record.seats))
        return (found.look(None), *(found.look(Seat(i)) for i in seats))

    async def open(self, challenge: Challenge) -> Turn:
        """Write a challenge that waits for everybody it names.

        Raises ChallengeError where the game cannot be played like this, or where this very
        interaction has already made a challenge.
        """
        game = GAMES[challenge.game]
        users = (challenge.opener, *challenge.opponents)
        if not game.fits(challenge.options, len(users)):
            wanted = [n for n in game.seats if game.fits(challenge.options, n)]
            count = " or ".join(str(n) for n in wanted)
            raise ChallengeError(
                f"This variant of {game.title} is for {count} players, and you named {len(users)} "
                "with yourself. Choose another variant or other opponents."
            )
        new = NewMatch(
            interaction=challenge.interaction,
            game=game.key,
            options=codec.encode(challenge.options),
            guild=challenge.guild,
            channel=challenge.channel,
            opener=challenge.opener,
            users=users,
            wanted=challenge.wanted,
            pace=challenge.pace,
            tap=challenge.tap,
            due_at=paces.expiry(challenge.pace, self._second()),
        )
        async with self._storage.transaction() as writing:
            match = await writing.open(new, self._second())
            if match is None:
                raise ChallengeError("This challenge has already been posted.")
            return Turn(position(await writing.match(match)))

    async def accept(self, match: MatchId, user: int) -> Turn:
        """Take the seat one was invited to; the last one to accept starts the match."""
        async with self._storage.transaction() as writing:
            found = open_position(await writing.match(match))
            seat = seat_of(
                found, user, "This challenge is not for you. Start your own with a command."
            )
            if found.record.seats[seat].accepted:
                raise MatchError("You have accepted already. The others are still to answer.")
            await writing.accept(match, seat)
            others = [s for i, s in enumerate(found.record.seats) if i != seat]
            if all(s.accepted for s in others):
                seed, now = self._seed(), self._second()
                await writing.deal(match, first_deal(found, seed, now), seed=seed, now=now)
            return Turn(position(await writing.match(match)), resolved=True)

    async def decline(self, match: MatchId, user: int) -> Turn:
        """Refuse a challenge one was invited to, which ends it."""
        async with self._storage.transaction() as writing:
            found = open_position(await writing.match(match))
            seat = seat_of(found, user, "This challenge is not for you, so you can't decline it.")
            if user == found.record.opener:
                raise MatchError("This is your own challenge; you can withdraw it.")
            if found.record.seats[seat].accepted:
                raise MatchError("You have accepted already; you can resign once the match runs.")
            await writing.end(match, "declined", self._second())
            return Turn(position(await writing.match(match)), resolved=True)

    async def withdraw(self, match: MatchId, user: int) -> Turn:
        """Take back one's own challenge."""
        async with self._storage.transaction() as writing:
            found = open_position(await writing.match(match))
            if user != found.record.opener:
                raise NotSeatedError("Only the challenger can withdraw this challenge.")
            await writing.end(match, "withdrawn", self._second())
            return Turn(position(await writing.match(match)), resolved=True)

    async def submit(
        self, match: MatchId, step: int, user: int, text: str, *, block: str | None = None
    ) -> Turn:
        """Choose a move, or change the choice of this step; the last one to choose resolves it.

        `text` is the move in the game's notation; `block` the number of the seat whose block of
        buttons was tapped, which must be one's own. Raises a MatchError or IllegalMoveError and
        writes nothing where the move cannot be chosen now.
        """
        if block is None:
            picked = await self._picks.choose(match, step, user, text, now=self._second())
            if picked is not None:
                return picked
        async with self._storage.transaction() as writing:
            found = running_position(await writing.match(match))
            seat = seat_of(
                found, user, "You have no seat in this match, so you can't choose in it."
            )
            if block is not None and block != str(seat):
                raise NotSeatedError("These are somebody else's; yours stand under your name.")
            if found.record.step != step:
                raise TooLateError(ROUND_OVER)
            try:
                move = found.game.parse(text)
            except ValueError as error:
                raise IllegalMoveError(str(error)) from None
            found.game.check(found.state, seat, move)
            now = self._second()
            chosen = MoveRecord(text=str(move), how="chosen", made_at=now)
            await writing.choose(match, step, seat, chosen)
            if found.record.seats[seat].strikes:
                await writing.strike(match, seat, 0)
            after = replace(found, choices={**found.choices, seat: move})
            return await resolve(writing, after, now)

    async def concede(self, match: MatchId, user: int) -> Turn:
        """Leave a running match for good.

        The others' choices of this step stay, except those that are no longer legal; and if
        nobody owes a move any more, the step is resolved too.
        """
        async with self._storage.transaction() as writing:
            found = running_position(await writing.match(match))
            seat = seat_of(
                found, user, "You have no seat in this match, so you can't resign from it."
            )
            return await leave(writing, found, seat, "resigned", self._second())

    def _second(self) -> int:
        return int(self._now())
