"""The contract of a maker of puzzles: it finds positions, and can prove them again later.

A puzzle is a position in which one choice, or a few equally good ones, is provably better than all
others: by the exact solution of the game, or by an exhaustive search of everything that can follow.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Final, Generic, TypeVar

from games.chance import Chance
from games.core import Seat

StateT = TypeVar("StateT")

MAX_CHOICES: Final = 25
"""The most choices of one puzzle: the number of options in a Discord select menu."""


@dataclass(frozen=True, slots=True)
class Assessed:
    """A choice of a puzzle, and how good it is."""

    move: str
    """In the game's notation."""

    worth: float
    """P(win) - P(loss) if everybody plays best from here on. If the puzzle asks for something that
    is certain, 1 if the choice achieves it and -1 if not."""

    line: tuple[str, ...] = ()
    """The moves that may follow, in the game's notation: they show that the choice is good, or
    refute it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Puzzle(Generic[StateT]):
    """A position and the choices of one of its seats."""

    state: StateT
    seat: Seat
    aim: str
    """What the puzzle asks for: a word defined by the game, for example "hand" or "turn"."""

    choices: tuple[Assessed, ...]
    """Legal moves, from 2 to `MAX_CHOICES`. Moves that are left out are no better than the wrong
    ones among these."""

    best: tuple[str, ...]
    """The right moves: all choices that are worth the most."""

    effort: int
    """The number of positions that the proof searched."""


class PuzzleMaker(ABC, Generic[StateT]):
    """Finds and proves the puzzles of one game. Stateless."""

    proof: ClassVar[str]
    """One sentence that says how each of these puzzles is proven."""

    @abstractmethod
    def attempt(self, chance: Chance) -> Puzzle[StateT] | None:
        """Make a puzzle from randomly drawn play; None if that produced none."""

    @abstractmethod
    def assess(self, state: StateT, seat: Seat, aim: str) -> Puzzle[StateT] | None:
        """The puzzle of this position, proven from scratch; None if it makes no puzzle."""
