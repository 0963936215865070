"""What stays as it is while a match is played, in plain numbers: squares 0 to 99, marks, roads.

The engine's frozen states are made to be right; a computer that tries thousands of turns needs
them small. Squares are numbered in reading order.
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
"""The squares around each square as one number, a bit a square."""


Roads = tuple[tuple[int, ...], ...]
"""Where a battalion may go from each square, as far as the marks are concerned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """The unchanging part of a match, as long as nobody else leaves it."""

    seats: int
    equal: Equal
    goal: Goal
    limit: int
    """The last turn."""

    teams: tuple[tuple[int, ...], ...]
    """The battalions of each seat."""

    owners: tuple[int | None, ...]
    """The seat of each battalion; None where nobody plays it."""

    partners: tuple[int | None, ...]
    active: tuple[int, ...]
    """The battalions that are still commanded, in N-E-S-W order."""

    playing: tuple[int, ...]
    """The seats that have not left."""

    roads: tuple[Roads, ...]
    """By battalion; empty for those that nobody plays."""

    safe: tuple[int, ...]
    """The squares on which no opponent of a battalion may attack it, a bit a square."""

    def initiative(self, first: int) -> tuple[int, ...]:
        """The battalions in the order of execution, if this one is first or would be."""
        return _clockwise(self.active, first)

    def left_from(self, turn: int) -> int:
        """The orders that a battalion writes from this turn to the last."""
        return self.limit + 1 - turn

    def following(self, first: int) -> int:
        """Who has the initiative in the turn after (R20)."""
        return self.initiative((first + 1) % len(Battalion))[0]


@cache
def _clockwise(active: tuple[int, ...], first: int) -> tuple[int, ...]:
    return tuple(sorted(active, key=lambda battalion: (battalion - first) % len(Battalion)))


@lru_cache(maxsize=64)
def ground_of(
    seats: int, equal: Equal, goal: Goal, limit: int, left: frozenset[int] = frozenset()
) -> Ground:
    """The ground of a match of these options, after these seats have left."""
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
    """The squares closed to every opponent: its own marks, and its partner's."""
    opponents = [
        other
        for other in in_play(seats)
        if battalion in in_play(seats) and owner(seats, other) != owner(seats, battalion)
    ]
    closed = [frozenset(closed_to(seats, other)) for other in opponents]
    common = frozenset.intersection(*closed) if closed else frozenset[Square]()
    return sum(1 << POSITIONS[square] for square in common)
