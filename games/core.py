"""The contract of every game: pure functions over frozen values.

A game uses no Discord, database, clock or global randomness. A `State` holds everything, secrets
included; a `View` holds what one player may see. They are different types, and code that calls a
game passes on views only.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Generic, NewType, TypeVar

from games.chance import Chance

Seat = NewType("Seat", int)
"""A place at the table, counted from 0 in the order in which the challenge named the players."""


class IllegalMoveError(ValueError):
    """Raised for a move that the rules refuse; `str(error)` is a sentence to show to the player."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended."""

    ranks: tuple[int, ...]
    """The finishing place of each seat: 1 is best, ties share a place."""

    scores: tuple[int, ...]
    """The points of each seat, as the game counts them."""

    reason: str
    """One clause for the result line; names no player."""


def winners(outcome: Outcome | None) -> tuple[Seat, ...]:
    """The seats that won; empty if all seats tied or the match isn't over (None)."""
    if outcome is None:
        return ()
    first = tuple(Seat(i) for i, rank in enumerate(outcome.ranks) if rank == 1)
    return () if len(first) == len(outcome.ranks) else first


Event = Mapping[Seat, str] | Seat
"""What happened in a match: the moves of a resolved step, by seat and in the game's notation, or
a seat that left before the next step."""

HIDDEN: Final = "…"
"""Replaces the parts of a move's text that the reader may not know."""

StateT = TypeVar("StateT")
MoveT = TypeVar("MoveT")
ViewT = TypeVar("ViewT")
OptionsT = TypeVar("OptionsT")


class Game(ABC, Generic[StateT, MoveT, ViewT, OptionsT]):
    """The rules of one game. Stateless: every method depends on nothing but its arguments."""

    key: ClassVar[str]
    """Identifies the game in stored matches; never renamed."""

    title: ClassVar[str]
    """The name that players read."""

    seats: ClassVar[range]
    """The possible numbers of players."""

    options: type[OptionsT]
    """A frozen dataclass; `options()` is always valid, and invalid values raise ValueError."""

    presets: Mapping[str, OptionsT]
    """The named variants; "standard" is always among them."""

    first_preset: ClassVar[str] = "standard"
    """The preset suggested to players who are new to the game: one that doesn't take long."""

    state: type[StateT]
    """The type of the states, for the codec that stores them."""

    hands_are_public: ClassVar[bool] = False
    """Whether everybody may know which moves each seat can choose from, so that hands can be shown
    as buttons at the table. The choice itself is secret in every game."""

    plays_forced_moves: ClassVar[bool] = False
    """Whether, by default, a seat's only legal move is played for it if `is_openly_forced` is true
    of it. Each player can override this default."""

    def play(self, state: StateT, moves: Mapping[Seat, MoveT], chance: Chance) -> StateT:
        """The state after a joint move of exactly the awaited seats; not to be overridden.

        Every move is checked before the step is resolved. Raises IllegalMoveError if a move is
        against the rules, an awaited seat has no move, or a seat that isn't awaited has one.
        """
        awaited = self.awaiting(state)
        if not awaited:
            raise IllegalMoveError("This match is over, so no more moves can be made.")
        for seat in sorted(set(moves) - awaited):
            raise IllegalMoveError(f"Seat {seat} owes no move now.")
        for seat in sorted(awaited - set(moves)):
            raise IllegalMoveError(f"The move of seat {seat} is still missing.")
        for seat in sorted(awaited):
            self.check(state, seat, moves[seat])
        return self.resolve(state, moves, chance)

    def fits(self, options: OptionsT, seats: int) -> bool:
        """Whether this many players can play a match with these options."""
        del options
        return seats in self.seats

    def has_signals(self, options: OptionsT) -> bool:
        """Whether players can publicly signal, at any moment, who they think is ahead."""
        del options
        return False

    def is_openly_forced(self, state: StateT, seat: Seat, move: MoveT) -> bool:
        """Whether the bot can make a seat's only legal move for it without revealing a secret.

        The others may learn no more than from the move itself. A tile of a hidden hand that is
        played at once, for example, tells them that no other tile fits.
        """
        del state, seat, move
        return self.hands_are_public

    def shows_hidden(self, state: StateT, seat: Seat, move: MoveT) -> bool:
        """Whether a step that consists of this move alone shows a seat something hidden from it.

        Such a step can't be taken back. The answer may depend only on what the mover sees: it is
        shown to them, so it would reveal anything else that it depends on.
        """
        del state, seat, move
        return True

    def redact(self, view: ViewT, course: Sequence[Event]) -> Sequence[Event]:
        """The events of a match so far, without what the owner of this view may not know.

        Returns as many events as there are in `course`; in the text of a move, `HIDDEN` replaces
        what is left out.
        """
        del view
        return course

    @abstractmethod
    def setup(self, options: OptionsT, seats: int, chance: Chance) -> StateT:
        """The state after the deal; ValueError, with a sentence, if `fits` is false."""

    @abstractmethod
    def awaiting(self, state: StateT) -> frozenset[Seat]:
        """The seats that owe a move now; empty if and only if the match is over."""

    @abstractmethod
    def legal_moves(self, state: StateT, seat: Seat) -> Sequence[MoveT]:
        """The legal moves of a seat in a stable order; empty if and only if it isn't awaited.

        Where there are very many, this may be a selection of them; `check` decides.
        """

    @abstractmethod
    def check(self, state: StateT, seat: Seat, move: MoveT) -> None:
        """Raise IllegalMoveError, with the reason, unless the seat may make this move now."""

    @abstractmethod
    def resolve(self, state: StateT, moves: Mapping[Seat, MoveT], chance: Chance) -> StateT:
        """The state after a joint move that `play` has checked; only `play` calls this."""

    @abstractmethod
    def observe(self, state: StateT, seat: Seat | None) -> ViewT:
        """What a seat may see, or a spectator if `seat` is None; built by naming what is public.

        Every view has the fields `seat` (its owner, or None), `awaiting` (a sorted tuple of seats)
        and `outcome`.
        """

    @abstractmethod
    def outcome(self, state: StateT) -> Outcome | None:
        """The result; None as long as a seat is awaited."""

    @abstractmethod
    def concede(self, state: StateT, seat: Seat, chance: Chance) -> StateT:
        """The state after a seat has left for good (R37).

        Raises IllegalMoveError if the match is over or the seat has already left.
        """

    @abstractmethod
    def fallback(self, state: StateT, seat: Seat, chance: Chance) -> MoveT:
        """The move to make for an awaited seat that ran out of time (R38)."""

    @abstractmethod
    def imagine(self, view: ViewT, seat: Seat, chance: Chance) -> StateT:
        """A determinization: a random state that is consistent with this seat's view.

        All orders of the shuffled cards or tiles that agree with what was shown are equally likely.
        A move that the rules compelled counts as evidence; a free choice doesn't.
        """

    @abstractmethod
    def parse(self, text: str) -> MoveT:
        """The move that a text in the game's notation stands for: the inverse of `str(move)`.

        Lenient about case and spaces. Raises ValueError, with a sentence, for any other text.
        """
