"""How many orders a battalion needs to hold all its objectives, if nobody gets in its way.

One order moves a whole stack as well as a single troop, so the fewest orders are the edges of the
shortest tree that joins the troops with the objectives (a Steiner tree; Dreyfus and Wagner, 1971):
troops march together as long as their routes are the same, and split where these fork. The trees
are computed once for each number of seats; in a position, the objectives are only assigned to the
stacks.
"""

from functools import lru_cache
from typing import Final

from games.conquest.computer.fast_state import Stacks
from games.conquest.computer.ground import (
    HEADQUARTERS,
    OBJECTIVES,
    SQUARES,
    Ground,
    Roads,
    roads_of,
)

UNREACHABLE: Final = 40
"""More orders than any route takes; stands for no route at all."""

MISSED_OBJECTIVE_ORDERS: Final = 4
"""The penalty, in orders, for an objective that can't be reached in time."""

CACHED_POSITIONS: Final = 4000
"""The number of positions of a battalion in each cache: two or three megabytes."""

_ALL_OBJECTIVES: Final = (1 << len(OBJECTIVES[0])) - 1
SUBSET_SIZES: Final = tuple(subset.bit_count() for subset in range(_ALL_OBJECTIVES + 1))


def _splits(objectives: int) -> tuple[tuple[int, int], ...]:
    """The ways to split a set of objectives: a part that isn't empty, and the rest."""
    taken = [part for part in range(1, objectives + 1) if part & objectives == part]
    return tuple((part, objectives ^ part) for part in taken)


SPLITS: Final = tuple(_splits(subset) for subset in range(_ALL_OBJECTIVES + 1))

Way = tuple[int, tuple[int, ...]]
"""A set of objectives (a bit each), and the neighbors with which shortest routes to them begin."""

Items = tuple[tuple[int, int], ...]
"""Squares, each with the number of troops on it."""

Group = tuple[int, int, int, tuple[int, ...]]
"""Troops that march together: their square, their objectives (a bit each), the number of these, and
the neighbors with which shortest routes to them begin."""

Trees = tuple[tuple[int, ...], ...]
"""The orders needed from a square to all of a set of objectives: [square][set, a bit each]."""


def _trees(roads: Roads, battalion: int, walls: frozenset[int]) -> Trees:
    steps = [tuple(target for target in targets if target not in walls) for targets in roads]
    back: list[list[int]] = [[] for _ in SQUARES]
    for square, targets in enumerate(steps):
        for target in targets:
            back[target].append(square)
    orders = [[UNREACHABLE] * (_ALL_OBJECTIVES + 1) for _ in SQUARES]
    for row in orders:
        row[0] = 0
    for subset in range(1, _ALL_OBJECTIVES + 1):
        _join(orders, subset)
        if SUBSET_SIZES[subset] == 1:
            orders[OBJECTIVES[battalion][subset.bit_length() - 1]][subset] = 0
        _spread(orders, subset, back)
    return tuple(tuple(row) for row in orders)


def _join(orders: list[list[int]], subset: int) -> None:
    """Take into account the trees that fork at their root."""
    for row in orders:
        for part, rest in SPLITS[subset]:
            row[subset] = min(row[subset], row[part] + row[rest])


def _spread(orders: list[list[int]], subset: int, back: list[list[int]]) -> None:
    """Take into account the trees that begin with one march of all, from shortest to longest."""
    for length in range(UNREACHABLE):
        for square, row in enumerate(orders):
            if row[subset] == length:
                for source in back[square]:
                    orders[source][subset] = min(orders[source][subset], length + 1)


class Distance:
    """The number of orders that a battalion still needs, from any position."""

    def __init__(self, roads: Roads, battalion: int, walls: frozenset[int]) -> None:
        self.trees = _trees(roads, battalion, walls)
        self.bits = {square: 1 << i for i, square in enumerate(OBJECTIVES[battalion])}
        self._home = HEADQUARTERS[battalion]
        self._roads = roads
        self._ways: dict[tuple[int, int], tuple[Way, ...]] = {}
        self._parted: dict[tuple[int, int], tuple[Group, ...]] = {}
        self._counted = lru_cache(maxsize=CACHED_POSITIONS)(self._count)
        self._grouped = lru_cache(maxsize=CACHED_POSITIONS)(self._group)
        self._reached = lru_cache(maxsize=CACHED_POSITIONS)(self._reach)

    def __call__(self, stacks: Stacks, bank: int) -> int:
        """The fewest orders; casualties can come back onto squares with troops or the HQ."""
        return self._counted(tuple(stacks.items()), bank)

    def shortfall(self, stacks: Stacks, bank: int, left: int) -> tuple[int, int, int]:
        """(objectives that `left` orders can't reach, orders for the others, orders for all).

        Lower is better, in this order: a battalion that can't win in time plays for objectives
        (R23).
        """
        items = tuple(stacks.items())
        needed = self._counted(items, bank)
        if needed <= left:
            return 0, needed, needed
        return *self._reached(items, bank, left)[:2], needed

    def to_go(self, stacks: Stacks, bank: int, left: int) -> int:
        """The orders for all objectives, plus a penalty for each that `left` orders can't reach.

        Progress toward objectives out of reach counts as much as ever: if only those in reach
        counted, the battalion would leave no orders to spare in case something goes wrong.
        """
        if left >= UNREACHABLE:
            return self(stacks, bank)
        missed, _, needed = self.shortfall(stacks, bank, left)
        return needed + MISSED_OBJECTIVE_ORDERS * missed

    def groups(self, stacks: Stacks, bank: int, left: int = UNREACHABLE) -> tuple[Group, ...]:
        """The groups that march by a shortest tree to all objectives.

        If `left` orders are too few for that, they march to the most objectives in reach.
        """
        items, reached = tuple(stacks.items()), 0
        if left < UNREACHABLE and left < self._counted(items, bank):
            reached = self._reached(items, bank, left)[2]
        return self._grouped(items, bank, reached)

    def parted(self, square: int, objectives: int) -> tuple[Group, ...]:
        """The group on a square that is bound for these objectives, or its parts if it splits."""
        key = (square, objectives)
        known = self._parted.get(key)
        if known is None:
            known = self._parted[key] = tuple(
                (square, part, SUBSET_SIZES[part], steps)
                for part, steps in self.ways(square, objectives)
            )
        return known

    def _count(self, stacks: Items, bank: int) -> int:
        missing = self._missing(stacks)
        return self._least(stacks, bank, missing)[missing] if missing else 0

    def _least(self, stacks: Items, bank: int, missing: int) -> list[int]:
        """The fewest orders for each subset of the missing objectives."""
        least = _NOTHING
        for square, spare in self._sources(stacks, bank):
            least = _shared(least, self.trees[square], missing, spare)
        return least

    def _reach(self, stacks: Items, bank: int, left: int) -> tuple[int, int, int]:
        """The objectives that `left` orders can reach, as a set: (missed, orders, set).

        `missed` is how many others there are, `orders` what the set takes. It is as large as
        possible; of several such sets, the one with the fewest orders.
        """
        missing = self._missing(stacks)
        least = self._least(stacks, bank, missing)
        return min(
            (SUBSET_SIZES[missing ^ part], least[part], part)
            for part in (0, *_PARTS[missing])
            if least[part] <= left
        )

    def _group(self, stacks: Items, bank: int, reached: int) -> tuple[Group, ...]:
        """The groups bound for the objectives in `reached`; for all missing ones, if that is 0."""
        left, sources = reached or self._missing(stacks), self._sources(stacks, bank)
        layers = [_NOTHING]
        for square, spare in sources:
            layers.append(_shared(layers[-1], self.trees[square], left, spare))
        if layers[-1][left] >= UNREACHABLE:
            return ()
        groups: list[Group] = []
        for i, (square, spare) in reversed(tuple(enumerate(sources))):
            row, before, orders = self.trees[square], layers[i], layers[i + 1][left]
            if orders < before[left]:
                part = next(
                    part
                    for part, rest in SPLITS[left]
                    if SUBSET_SIZES[part] <= spare and row[part] + before[rest] == orders
                )
                groups += self.parted(square, part)
                left ^= part
        return tuple(groups)

    def _missing(self, stacks: Items) -> int:
        """The objectives that the battalion doesn't hold, a bit each."""
        missing = _ALL_OBJECTIVES
        for square, _ in stacks:
            missing &= ~self.bits.get(square, 0)
        return missing

    def _sources(self, stacks: Items, bank: int) -> list[tuple[int, int]]:
        """The squares that troops can leave, and how many of them, including those in the bank."""
        bits = self.bits
        sources = [
            (square, troops + bank - (square in bits))
            for square, troops in stacks
            if troops + bank > 1 or square not in bits
        ]
        if bank and all(square != self._home for square, _ in stacks):
            sources.append((self._home, bank))
        return sources

    def ways(self, square: int, objectives: int) -> tuple[Way, ...]:
        """How troops bound for some objectives leave a square: together, or split at once."""
        key = (square, objectives)
        known = self._ways.get(key)
        if known is None:
            known = self._ways[key] = self._find_ways(square, objectives)
        return known

    def _find_ways(self, square: int, objectives: int) -> tuple[Way, ...]:
        row = self.trees[square]
        orders = row[objectives]
        steps = tuple(
            target for target in self._roads[square] if self.trees[target][objectives] < orders
        )
        if steps:
            return ((objectives, steps),)
        part, rest = next(
            (part, rest) for part, rest in SPLITS[objectives] if row[part] + row[rest] == orders
        )
        return (*self.ways(square, part), *self.ways(square, rest))


def _shared(least: list[int], row: tuple[int, ...], missing: int, spare: int) -> list[int]:
    """The fewest orders for each set of objectives, if one more stack can go to some of them.

    `row` has the orders that the stack needs, `spare` is the number of its troops that can leave.
    """
    better = least.copy()
    for subset in _PARTS[missing]:
        best = least[subset]
        for part, rest in SPLITS[subset]:
            orders = row[part] + least[rest]
            if orders < best and SUBSET_SIZES[part] <= spare:
                best = orders
        better[subset] = best
    return better


_PARTS: Final = tuple(tuple(part for part, _ in splits) for splits in SPLITS)
_NOTHING: Final = [0, *[UNREACHABLE] * _ALL_OBJECTIVES]


def distance_of(ground: Ground, battalion: int, walls: frozenset[int] = frozenset()) -> Distance:
    """The distances of a battalion; `walls` are squares held by troops that never move."""
    return _distance(ground.seats, battalion, walls)


@lru_cache(maxsize=24)
def _distance(seats: int, battalion: int, walls: frozenset[int]) -> Distance:
    """Shared by all matches, as the marks depend on nothing but the number of seats."""
    return Distance(roads_of(seats, battalion), battalion, walls)
