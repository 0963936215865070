"""The contract of a game that has puzzles: it makes them, and proves again what it made.

A puzzle is a position in which one choice, or a few that are as good, is better than all others,
beyond doubt: proven by the exact solution, or by going through all that can follow.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Final, Generic, TypeVar

from games.chance import Chance
from games.core import Seat

StateT = TypeVar("StateT")

MAX_CHOICES: Final = 25
"""Choices of one puzzle: as many as a menu of Discord's takes."""


@dataclass(frozen=True, slots=True)
class Assessed:
    """A choice of a puzzle, and what is known of it."""

    move: str
    """In the game's notation."""

    worth: float
    """P(win) - P(loss) of what the puzzle asks for, when everybody goes on as well as possible;
    where it is asked for what is certain, 1 if the choice achieves that and -1 if not."""

    line: tuple[str, ...] = ()
    """How it may go on, as moves in the game's notation: what shows that the choice is good, or
    what refutes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Puzzle(Generic[StateT]):
    """A position and what one of its seats can choose there."""

    state: StateT
    seat: Seat
    aim: str
    """What is asked for, a word of the game's own."""

    choices: tuple[Assessed, ...]
    """At least two, at most `MAX_CHOICES`, all legal; what is left out is no better than those
    that are not the best."""

    best: tuple[str, ...]
    """The moves that are right: all of the choices that are worth the most."""

    effort: int
    """How many positions the proof went through."""


class PuzzleMaker(ABC, Generic[StateT]):
    """How puzzles of one game are found and proven. An instance holds nothing."""

    proof: ClassVar[str]
    """A sentence about how each of its puzzles is proven."""

    @abstractmethod
    def attempt(self, chance: Chance) -> Puzzle[StateT] | None:
        """A puzzle from a position that is drawn; None where that position makes none."""

    @abstractmethod
    def assess(self, state: StateT, seat: Seat, aim: str) -> Puzzle[StateT] | None:
        """The puzzle of this position, proven from nothing; None where it has none."""
