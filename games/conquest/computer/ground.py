"""The parts of a match that don't change, in plain numbers: squares from 0 to 99, marks, roads.

The frozen states of the rules are made to be correct; a computer that tries thousands of turns
needs something quicker. Squares are numbered in reading order.
"""

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from games.conquest.battalions import TEAMS, Battalion, in_play, owner, partner
from games.conquest.layout import LAYOUT, NEIGHBORS, POSITIONS, Square, closed_to, open_neighbors
from games.conquest.options import Equal, Goal
from games.conquest.view import View

SQUARES: Final[tuple[Square, ...]] = tuple(POSITIONS)
HEADQUARTERS: Final = tuple(POSITIONS[square] for square in LAYOUT.headquarters)
OBJECTIVES: Final = tuple(
    tuple(POSITIONS[square] for square in squares) for squares in LAYOUT.objectives
)
GOALS: Final = tuple(frozenset(squares) for squares in OBJECTIVES)
AROUND: Final = tuple(
    tuple(POSITIONS[other] for other in neighbors) for neighbors in NEIGHBORS.values()
)
BESIDE: Final = tuple(sum(1 << other for other in others) for others in AROUND)
"""The neighbors of each square as a set of bits, one for each square."""


Roads = tuple[tuple[int, ...], ...]
"""The neighbors of each square that a battalion may enter, by the marks alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """The parts of a match that don't change unless a seat leaves."""

    seats: int
    equal: Equal
    goal: Goal
    limit: int
    """The number of the last turn."""

    teams: tuple[tuple[int, ...], ...]
    """The battalions of each seat."""

    owners: tuple[int | None, ...]
    """The seat of each battalion; None for one that isn't in play."""

    partners: tuple[int | None, ...]
    active: tuple[int, ...]
    """The battalions that are still commanded, in N-E-S-W order."""

    playing: tuple[int, ...]
    """The seats that haven't left."""

    roads: tuple[Roads, ...]
    """By battalion; empty for one that isn't in play."""

    safe: tuple[int, ...]
    """For each battalion, the squares where no opponent can attack it, as a set of bits."""

    def initiative(self, first: int) -> tuple[int, ...]:
        """The battalions in the order of execution, if `first` has the initiative.

        It counts even if it's no longer commanded.
        """
        return _clockwise(self.active, first)

    def left_from(self, turn: int) -> int:
        """The number of orders that a battalion can write from this turn to the last one."""
        return self.limit + 1 - turn

    def following(self, first: int) -> int:
        """The battalion that has the initiative in the next turn (R20)."""
        return self.initiative((first + 1) % len(Battalion))[0]


@cache
def _clockwise(active: tuple[int, ...], first: int) -> tuple[int, ...]:
    return tuple(sorted(active, key=lambda battalion: (battalion - first) % len(Battalion)))


@lru_cache(maxsize=64)
def ground_of(
    seats: int, equal: Equal, goal: Goal, limit: int, left: frozenset[int] = frozenset()
) -> Ground:
    """The ground of a match with these options, after the seats in `left` have left."""
    owners = tuple(owner(seats, b) if b in in_play(seats) else None for b in Battalion)
    return Ground(
        seats=seats,
        equal=equal,
        goal=goal,
        limit=limit,
        teams=tuple(tuple(int(b) for b in team) for team in TEAMS[seats]),
        owners=owners,
        partners=tuple(partner(seats, b) if b in in_play(seats) else None for b in Battalion),
        active=tuple(int(b) for b in in_play(seats) if owner(seats, b) not in left),
        playing=tuple(seat for seat in range(seats) if seat not in left),
        roads=tuple(roads_of(seats, b) if b in in_play(seats) else () for b in Battalion),
        safe=tuple(_safe(seats, b) for b in Battalion),
    )


def ground_in(view: View) -> Ground:
    """The ground of the match that a view shows."""
    options = view.options
    return ground_of(
        len(view.teams), options.equal, options.goal, options.turn_limit, frozenset(view.left)
    )


@cache
def roads_of(seats: int, battalion: int) -> Roads:
    roads = open_neighbors(seats, Battalion(battalion))
    return tuple(tuple(POSITIONS[target] for target in roads[square]) for square in SQUARES)


def _safe(seats: int, battalion: Battalion) -> int:
    """The squares closed to all opponents, which are the battalion's and its partner's marks."""
    opponents = [
        other
        for other in in_play(seats)
        if battalion in in_play(seats) and owner(seats, other) != owner(seats, battalion)
    ]
    closed = [frozenset(closed_to(seats, other)) for other in opponents]
    common = frozenset.intersection(*closed) if closed else frozenset[Square]()
    return sum(1 << POSITIONS[square] for square in common)
