"""Everything that can happen to a match. Each act is one transaction: it is written, or it is not.

A submission carries the step it was made for, so a late click on an old round is never played in
the next one, and the step guards the write, so no round is ever resolved twice. Whoever is to be
told is told by the caller, after the commit.
"""

import secrets
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from bot import codec, upgrades
from bot.errors import ChallengeError, MatchError, NoSuchMatchError, NotSeatedError, TooLateError
from bot.matches.challenge import Challenge
from bot.matches.looks import Look, Position, position
from bot.storage import MatchId, MatchRecord, NewMatch, ResultRecord, Transaction
from games import GAMES, IllegalMoveError, Outcome, Seat
from games.chance import Chance

OVER = "That match is over."
ROUND_OVER = "That round is over. Your desk shows the one that is being played."


class Keeper(Protocol):
    """What this module needs of the storage."""

    def transaction(self) -> AbstractAsyncContextManager[Transaction]: ...

    async def match(self, match: MatchId) -> MatchRecord | None: ...


@dataclass(frozen=True, slots=True)
class Turn:
    """What an act has led to; every look in it is as of the commit."""

    _position: Position = field(repr=False)  # what is true; only looks at it are handed out
    resolved: bool = False
    """Whether the act ended the step (or the match), so that everybody has something to see."""

    dropped: tuple[Seat, ...] = ()
    """Seats whose choice became illegal because another seat left; they must choose anew."""

    def look(self, seat: Seat | None) -> Look:
        return self._position.look(seat)

    def look_of(self, user: int) -> Look:
        """What this user may know: his seat's look, or everybody's."""
        return self._position.look_of(user)


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
        self._seed = seed
        self._now = now

    async def look(self, match: MatchId, user: int | None) -> Look:
        """The match as this user may know it; as everybody may where he has no seat."""
        found = _found(await self._storage.match(match))
        return found.look(None) if user is None else found.look_of(user)

    async def sit(self, match: MatchId, user: int, *, step: int | None = None) -> Look:
        """A running match as a player in it knows it; NotSeatedError for everybody else.

        With a step, TooLateError if the match has gone on since.
        """
        found = _running(await self._storage.match(match))
        seat = _seat(found, user, "You have no seat in this match; the table shows what is public.")
        if found.record.seats[seat].left is not None:
            raise NotSeatedError("You have left this match; the table shows how it goes on.")
        if step is not None and found.record.step != step:
            raise TooLateError(ROUND_OVER)
        return found.look(seat)

    async def looks(self, match: MatchId) -> tuple[Look, ...]:
        """The match as everybody may know it, then as each seat does."""
        found = _found(await self._storage.match(match))
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
        )
        async with self._storage.transaction() as writing:
            match = await writing.open(new, self._second())
            if match is None:
                raise ChallengeError("This challenge has already been posted.")
            return Turn(_found(await writing.match(match)))

    async def accept(self, match: MatchId, user: int) -> Turn:
        """Take the seat one was invited to; the last one to accept starts the match."""
        async with self._storage.transaction() as writing:
            found = _open(await writing.match(match))
            seat = _seat(
                found, user, "This challenge is not for you. Start your own with a command."
            )
            if found.record.seats[seat].accepted:
                raise MatchError("You have accepted already. The others are still to answer.")
            await writing.accept(match, seat)
            others = [s for i, s in enumerate(found.record.seats) if i != seat]
            if all(s.accepted for s in others):
                seed = self._seed()
                state = found.game.setup(found.options, len(found.record.seats), Chance(seed, 0))
                await writing.deal(
                    match,
                    seed=seed,
                    schema=upgrades.schema(found.game.key),
                    state=codec.encode(state),
                )
            return Turn(_found(await writing.match(match)), resolved=True)

    async def decline(self, match: MatchId, user: int) -> Turn:
        """Refuse a challenge one was invited to, which ends it."""
        async with self._storage.transaction() as writing:
            found = _open(await writing.match(match))
            seat = _seat(found, user, "This challenge is not for you, so you can't decline it.")
            if user == found.record.opener:
                raise MatchError("This is your own challenge; you can withdraw it.")
            if found.record.seats[seat].accepted:
                raise MatchError("You have accepted already; you can resign once the match runs.")
            await writing.end(match, "declined", self._second())
            return Turn(_found(await writing.match(match)), resolved=True)

    async def withdraw(self, match: MatchId, user: int) -> Turn:
        """Take back one's own challenge."""
        async with self._storage.transaction() as writing:
            found = _open(await writing.match(match))
            if user != found.record.opener:
                raise NotSeatedError("Only the challenger can withdraw this challenge.")
            await writing.end(match, "withdrawn", self._second())
            return Turn(_found(await writing.match(match)), resolved=True)

    async def submit(self, match: MatchId, step: int, user: int, text: str) -> Turn:
        """Choose a move, or change the choice of this step; the last one to choose resolves it.

        `text` is the move in the game's notation. Raises a MatchError or IllegalMoveError and
        writes nothing where the move cannot be chosen now.
        """
        async with self._storage.transaction() as writing:
            found = _running(await writing.match(match))
            seat = _seat(found, user, "You have no seat in this match, so you can't choose in it.")
            if found.record.step != step:
                raise TooLateError(ROUND_OVER)
            try:
                move = found.game.parse(text)
            except ValueError as error:
                raise IllegalMoveError(str(error)) from None
            found.game.check(found.state, seat, move)
            await writing.choose(match, step, seat, str(move))
            chosen = replace(found, choices={**found.choices, seat: move})
            return await self._resolve_if_complete(writing, chosen)

    async def concede(self, match: MatchId, user: int) -> Turn:
        """Leave a running match for good.

        The others' choices of this step stay, except those that are no longer legal; and if
        nobody owes a move any more, the step is resolved too.
        """
        async with self._storage.transaction() as writing:
            found = _running(await writing.match(match))
            seat = _seat(
                found, user, "You have no seat in this match, so you can't resign from it."
            )
            step = found.record.step
            # A chance of its own: a departure is no play, and must not draw what the play will.
            chance = Chance(f"{found.record.seed}:{seat} leaves", step)
            state = found.game.concede(found.state, seat, chance)
            await writing.leave(
                match,
                seat,
                step,
                schema=upgrades.schema(found.game.key),
                state=codec.encode(state),
            )
            kept, dropped = _still_legal(replace(found, state=state))
            for other in set(found.choices) - set(kept):
                await writing.drop_choice(match, step, other)
            turn = await self._resolve_if_complete(
                writing, replace(found, state=state, choices=kept), left=True
            )
            return replace(turn, resolved=True, dropped=dropped)

    async def _resolve_if_complete(
        self, writing: Transaction, found: Position, *, left: bool = False
    ) -> Turn:
        """Play the step if everybody awaited has chosen, end the match if it is over; read back."""
        record, game, state = found.record, found.game, found.state
        awaited = game.awaiting(state)
        resolved = bool(awaited) and awaited <= set(found.choices)
        if resolved:
            moves = {seat: found.choices[seat] for seat in awaited}
            state = game.play(state, moves, Chance(record.seed or "", record.step + 1))
            stored = await writing.advance(
                record.id, record.step, schema=upgrades.schema(game.key), state=codec.encode(state)
            )
            if not stored:
                raise TooLateError(ROUND_OVER)
        outcome = game.outcome(state)
        if outcome is not None:
            await writing.end(record.id, "over", self._second(), _results(record, outcome))
        if not (resolved or left):
            return Turn(found)
        return Turn(_found(await writing.match(record.id)), resolved=resolved)

    def _second(self) -> int:
        return int(self._now())


def _found(record: MatchRecord | None) -> Position:
    if record is None:
        raise NoSuchMatchError("This match is gone; its buttons lead nowhere any more.")
    return position(record)


def _open(record: MatchRecord | None) -> Position:
    found = _found(record)
    match found.record.status:
        case "open":
            return found
        case "running" | "over":
            raise TooLateError("This challenge was accepted and the match has begun.")
        case "declined":
            raise TooLateError("This challenge was declined.")
        case "withdrawn":
            raise TooLateError("This challenge was withdrawn.")


def _running(record: MatchRecord | None) -> Position:
    found = _found(record)
    match found.record.status:
        case "running":
            return found
        case "open":
            raise TooLateError("This match has not begun; somebody has still to accept it.")
        case "over":
            raise TooLateError(OVER)
        case "declined" | "withdrawn":
            raise TooLateError("This match never began: its challenge was taken back or declined.")


def _seat(found: Position, user: int, refusal: str) -> Seat:
    for i, seat in enumerate(found.record.seats):
        if seat.user == user:
            return Seat(i)
    raise NotSeatedError(refusal)


def _still_legal(found: Position) -> tuple[dict[Seat, Any], tuple[Seat, ...]]:
    """The choices that stay after a seat has left, and the awaited seats that lost theirs."""
    awaited = found.game.awaiting(found.state)
    kept, dropped = {}, []
    for seat, move in found.choices.items():
        if seat not in awaited:
            continue
        try:
            found.game.check(found.state, seat, move)
        except IllegalMoveError:
            dropped.append(seat)
        else:
            kept[seat] = move
    return kept, tuple(dropped)


def _results(record: MatchRecord, outcome: Outcome) -> list[ResultRecord]:
    first = outcome.ranks.count(1)
    return [
        ResultRecord(
            seat=Seat(i),
            user=seat.user,
            rank=outcome.ranks[i],
            score=outcome.scores[i],
            won=int(outcome.ranks[i] == 1 and first == 1),
            drawn=int(outcome.ranks[i] == 1 and first > 1),
            lost=int(outcome.ranks[i] > 1),
        )
        for i, seat in enumerate(record.seats)
    ]
