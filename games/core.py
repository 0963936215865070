"""The contract every game keeps: pure functions over frozen values.

A game knows no Discord, database, clock or global randomness. What is true is a `State`, what a
player may see is a `View`; they are different types and only views leave the engine's callers.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Generic, NewType, TypeVar

from games.chance import Chance

Seat = NewType("Seat", int)
"""A place at the table, from 0, in the order the challenge named."""


class IllegalMoveError(ValueError):
    """A move the rules refuse; `str(error)` is a sentence fit to show to the player."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended."""

    ranks: tuple[int, ...]
    """Finishing place of each seat, 1 is best; ties share a place."""

    scores: tuple[int, ...]
    """The game's own points of each seat."""

    reason: str
    """One clause for the result line, without a name in it."""


def winners(outcome: Outcome | None) -> tuple[Seat, ...]:
    """Who has won; nobody while a match goes on, for which it is None, or where all are equal."""
    if outcome is None:
        return ()
    first = tuple(Seat(i) for i, rank in enumerate(outcome.ranks) if rank == 1)
    return () if len(first) == len(outcome.ranks) else first


Event = Mapping[Seat, str] | Seat
"""What happened in a match: the moves of a resolved step, in the game's notation, or a seat that
left before the next one."""

HIDDEN: Final = "…"
"""In a move that is told, in the place of what its onlooker may not know."""

StateT = TypeVar("StateT")
MoveT = TypeVar("MoveT")
ViewT = TypeVar("ViewT")
OptionsT = TypeVar("OptionsT")


class Game(ABC, Generic[StateT, MoveT, ViewT, OptionsT]):
    """The rules of one game. An instance holds nothing: everything is in its arguments."""

    key: ClassVar[str]
    """Stored with every match, never renamed."""

    title: ClassVar[str]
    """The name that players read."""

    seats: ClassVar[range]
    """Numbers of players."""

    options: type[OptionsT]
    """A frozen dataclass; `options()` is always valid and nonsense raises ValueError."""

    presets: Mapping[str, OptionsT]
    """The named variants; "standard" is always among them."""

    first_preset: ClassVar[str] = "standard"
    """The variant in which somebody who is new to the game meets it: one that doesn't take long."""

    state: type[StateT]
    """The type of a state, for the codec that stores it."""

    hands_are_public: ClassVar[bool] = False
    """Whether everybody may know what each seat may choose from, so that hands can be buttons on
    the table; what a seat chooses is secret in every game."""

    plays_forced_moves: ClassVar[bool] = False
    """Whether the only legal move of a seat plays itself where `is_openly_forced`, unless its
    player wants it to wait."""

    def play(self, state: StateT, moves: Mapping[Seat, MoveT], chance: Chance) -> StateT:
        """The state after a joint move of exactly the seats that are awaited.

        Final: every move is checked before any is made, so nothing half-done can result. Raises
        IllegalMoveError where a move is against the rules, a seat is missing or one is not awaited.
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
        """Whether a match with these options can be played by that many seats."""
        del options
        return seats in self.seats

    def has_signals(self, options: OptionsT) -> bool:
        """Whether players may publicly say at any moment whom they think ahead."""
        del options
        return False

    def is_openly_forced(self, state: StateT, seat: Seat, move: MoveT) -> bool:
        """Whether nobody learns more if a seat's only legal move plays itself than by the move.

        That a tile of a hidden hand plays itself would tell that no other tile fits.
        """
        del state, seat, move
        return self.hands_are_public

    def shows_hidden(self, state: StateT, seat: Seat, move: MoveT) -> bool:
        """Whether a step of this move alone shows a seat what was hidden from it.

        Such a step is never taken back. The answer must follow from what the mover sees: they are
        told, so it would tell them the rest.
        """
        del state, seat, move
        return True

    def redact(self, view: ViewT, course: Sequence[Event]) -> Sequence[Event]:
        """The course of a match so far, without what this view's onlooker may not know of it.

        What is left out of a move is `HIDDEN` in its text; there are as many events as before.
        """
        del view
        return course

    @abstractmethod
    def setup(self, options: OptionsT, seats: int, chance: Chance) -> StateT:
        """The state after the deal; ValueError with a sentence where `fits` is false."""

    @abstractmethod
    def awaiting(self, state: StateT) -> frozenset[Seat]:
        """The seats that owe a move now; empty exactly when the match is over."""

    @abstractmethod
    def legal_moves(self, state: StateT, seat: Seat) -> Sequence[MoveT]:
        """The moves of a seat in a stable order; never empty for an awaited seat, else empty."""

    @abstractmethod
    def check(self, state: StateT, seat: Seat, move: MoveT) -> None:
        """Do nothing if the seat may make this move now; else raise IllegalMoveError."""

    @abstractmethod
    def resolve(self, state: StateT, moves: Mapping[Seat, MoveT], chance: Chance) -> StateT:
        """The state after a joint move that `play` has checked; only `play` calls this."""

    @abstractmethod
    def observe(self, state: StateT, seat: Seat | None) -> ViewT:
        """What a seat may see, or a spectator for None: built by naming what is public.

        Every view has `seat` (whose it is), `awaiting` (a sorted tuple) and `outcome`.
        """

    @abstractmethod
    def outcome(self, state: StateT) -> Outcome | None:
        """The result, exactly when nobody is awaited."""

    @abstractmethod
    def concede(self, state: StateT, seat: Seat, chance: Chance) -> StateT:
        """The state after a seat has left for good (R37).

        Raises IllegalMoveError where the match is over or the seat has already left.
        """

    @abstractmethod
    def fallback(self, state: StateT, seat: Seat, chance: Chance) -> MoveT:
        """The move made for an awaited seat that ran out of time (R38)."""

    @abstractmethod
    def imagine(self, view: ViewT, seat: Seat, chance: Chance) -> StateT:
        """A determinization: a state that this seat's view allows, drawn as the deal was.

        All orders of what was shuffled that agree with what was shown are equally likely. What a
        rule compelled is evidence; a free choice is not.
        """

    @abstractmethod
    def parse(self, text: str) -> MoveT:
        """The move that a text in the game's notation means: the inverse of `str(move)`.

        Lenient in case and spaces. Raises ValueError with a sentence for any other text.
        """
