"""The contract every computer player keeps: it gets a view, never a state, and chooses by seed.

A computer holds nothing between two choices but caches, so any process may be asked for any
choice. How long it thinks is a number of playouts or nodes, never a time: the same view, level and
seed give the same move on every machine. The pool outside `games/` holds the clock.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import ClassVar, Final, Generic, TypeVar

from games.chance import Chance
from games.core import Seat

MoveT = TypeVar("MoveT")
ViewT = TypeVar("ViewT")
OptionsT = TypeVar("OptionsT")


LEVEL_KEYS: Final = ("beginner", "easy", "steady", "strong", "perfect")
"""All levels that there are in any game, the weakest first."""


@dataclass(frozen=True, slots=True)
class Level:
    """How well a computer plays. A hurried caller may replace `budget` by a smaller one."""

    key: str
    """One of LEVEL_KEYS, in their order in every game."""

    budget: int
    """Playouts or nodes for a choice, in the game's own unit; 0 where it needs none."""

    says: str
    """One honest sentence to players about what this level is."""

    reads_people: bool = False
    """Whether it wants lessons; nobody's matches are replayed for a level that ignores them."""


@dataclass(frozen=True, slots=True)
class Lesson(Generic[ViewT, MoveT]):
    """A choice that a seat made in a finished match: what it saw, and what it chose."""

    seat: Seat
    view: ViewT
    move: MoveT


@dataclass(frozen=True, slots=True)
class Assessment(Generic[MoveT]):
    """What the coach says of one choice."""

    better: MoveT | None
    """The best move in its opinion; None where none is better."""

    cost: float
    """What the choice gave up, in P(win) - P(loss): from 0 to 2."""


@dataclass(frozen=True, slots=True)
class Mixing:
    """A choice for which best play mixes: now one move, now another, so nobody can foresee it."""

    share: float
    """How often best play makes the obvious move, which looks best at once: from 0 to 1.

    Where several mixes are best, that of the one that makes it most often.
    """

    was_obvious: bool
    """Whether that move was made."""


class Computer(ABC, Generic[ViewT, MoveT, OptionsT]):
    """How the computer plays one game. An instance holds nothing that decides a choice."""

    levels: ClassVar[Sequence[Level]]
    """The weakest first."""

    def levels_for(self, options: OptionsT, seats: int) -> tuple[Level, ...]:
        """The levels that can play a match of these options with this many seats."""
        del options, seats
        return tuple(self.levels)

    @abstractmethod
    def choose(
        self,
        view: ViewT,
        seat: Seat,
        level: Level,
        chance: Chance,
        lessons: Sequence[Lesson[ViewT, MoveT]] = (),
    ) -> MoveT:
        """A legal move of an awaited seat, from its own view.

        `lessons` are choices of the opponents in matches finished before this one began, the
        latest last, for levels that read people; all others ignore them. They are the same at
        each choice of a match: a level may go through its earlier choices again.
        """

    @abstractmethod
    def assess(
        self, view: ViewT, seat: Seat, move: MoveT, chance: Chance
    ) -> Assessment[MoveT] | None:
        """What a choice gave up against best play, as far as this view tells; None: no opinion."""

    def mixing(self, view: ViewT, seat: Seat, move: MoveT) -> Mixing | None:
        """How well a choice could be foreseen; None unless it is known that best play mixes."""
        del view, seat, move
        return None

    def basis(self, seats: int) -> str:
        """A sentence to players about what a match of this many seats is compared with."""
        del seats
        return "This is what the strong computer thinks from what you saw; it may be wrong."

    def luck(self, view: ViewT, seat: Seat) -> float | None:
        """What the deal was worth to a seat at best play of all, in P(win) - P(loss), if known.

        `view` is what the seat saw right after the deal, whoever made its first move.
        """
        del view, seat
        return None


def mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    """The mean of what playouts came to, and its standard error."""
    mean = sum(values) / len(values)
    spread = sum((value - mean) ** 2 for value in values)
    return mean, sqrt(spread / max(1, len(values) - 1) / len(values))
