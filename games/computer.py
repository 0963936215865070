"""The contract of every computer player: it chooses a move from a view, never from a state.

Between two choices a computer keeps nothing but caches, so any process can be asked for any choice.
Its effort is limited by a number of playouts or nodes, never by time: the same view, level and seed
give the same move on every machine. Time limits are up to the process pool outside `games/`.
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
"""The keys of all levels, weakest first; not every game has all of them."""


@dataclass(frozen=True, slots=True)
class Level:
    """How well a computer plays. A caller who is short of time may lower `budget`."""

    key: str
    """One of LEVEL_KEYS; every game lists its levels in that order."""

    budget: int
    """The effort for one choice, in the game's own unit (playouts, nodes); 0 if it needs none."""

    says: str
    """One sentence that tells players honestly how this level plays."""

    reads_people: bool = False
    """Whether `choose` uses `lessons`. If not, no past matches are replayed for it."""


@dataclass(frozen=True, slots=True)
class Lesson(Generic[ViewT, MoveT]):
    """A choice that a seat made in a finished match, with the view it was made from."""

    seat: Seat
    view: ViewT
    move: MoveT


@dataclass(frozen=True, slots=True)
class Assessment(Generic[MoveT]):
    """The coach's verdict on one choice."""

    better: MoveT | None
    """The best move in the coach's opinion; None if no move is better than the one chosen."""

    cost: float
    """What the choice gave up, in P(win) - P(loss), from 0 to 2."""


@dataclass(frozen=True, slots=True)
class Mixing:
    """A choice for which best play is a mixed strategy: a random move, so nobody can predict it."""

    share: float
    """The probability, from 0 to 1, with which best play makes the obvious move.

    The obvious move is the one that looks best in the short run. If several mixed strategies are
    best, this is the highest probability among them.
    """

    was_obvious: bool
    """Whether the choice was the obvious move."""


class Computer(ABC, Generic[ViewT, MoveT, OptionsT]):
    """The computer player of one game. No choice depends on anything that an instance stores."""

    levels: ClassVar[Sequence[Level]]
    """All levels of this game, weakest first."""

    def levels_for(self, options: OptionsT, seats: int) -> tuple[Level, ...]:
        """The levels that can play a match with these options and this many seats."""
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
        """Choose a legal move for an awaited seat, from that seat's own view.

        `lessons` are choices of the opponents in matches finished before this one began, latest
        last. Levels with `reads_people` use them, all others ignore them. They are the same for
        every choice of a match, so that a level can recompute its earlier choices.
        """

    @abstractmethod
    def assess(
        self, view: ViewT, seat: Seat, move: MoveT, chance: Chance
    ) -> Assessment[MoveT] | None:
        """What a choice gave up against best play, judged from this view; None for no opinion."""

    def mixing(self, view: ViewT, seat: Seat, move: MoveT) -> Mixing | None:
        """How predictable a choice was; None unless best play is known to be a mixed strategy."""
        del view, seat, move
        return None

    def basis(self, seats: int) -> str:
        """A sentence that tells players what the coach compares with, by the number of seats."""
        del seats
        return "This is what the strong computer thinks from what you saw; it may be wrong."

    def luck(self, view: ViewT, seat: Seat) -> float | None:
        """What the deal was worth to a seat if everyone plays best, in P(win) - P(loss).

        None if that isn't known. `view` is the seat's view right after the deal.
        """
        del view, seat
        return None


def mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    """The mean of the results of playouts, and its standard error."""
    mean = sum(values) / len(values)
    spread = sum((value - mean) ** 2 for value in values)
    return mean, sqrt(spread / max(1, len(values) - 1) / len(values))
