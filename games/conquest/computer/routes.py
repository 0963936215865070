"""The ways of a battalion's groups to their objectives, followed while nobody disturbs them."""

from collections.abc import Callable, Mapping
from typing import Final

from games.conquest.computer.distance import SUBSET_SIZES, Distance
from games.conquest.computer.fast_state import March, Stacks

Roll = Callable[[], float]
"""A number from 0 up to 1, drawn at random."""

Held = Mapping[int, tuple[int, int]]
"""Every square with troops: whose they are, and how many."""


_NOBODY: Final = (-1, 0)


class Route:
    """What is left of a shortest way, as groups: a square, and the objectives they march to."""

    __slots__ = ("_battalion", "_distance", "_groups", "_partner")

    def __init__(
        self, distance: Distance, pair: tuple[int, int | None], stacks: Stacks, bank: int
    ) -> None:
        """`pair` is the battalion and its partner, if it has one."""
        self._battalion, self._partner = pair
        self._distance = distance
        self._groups: list[tuple[int, int]] = []
        for square, objectives in distance.groups(stacks, bank):
            self._join(square, objectives)

    def _join(self, square: int, objectives: int) -> None:
        """Add a group, in parts where its ways part."""
        self._groups += [(square, part) for part, _ in self._distance.ways(square, objectives)]

    def next(self, held: Held, roll: Roll, *, even: bool) -> March | None:
        """The next order, of the largest group whose way is open; None where none is.

        Where groups part, the larger part takes all but the least that the others need, or its
        share if `even`.
        """
        most, marching, onto = 0, -1, -1
        for i, (square, part) in enumerate(self._groups):
            holder, there = held.get(square, _NOBODY)
            if holder != self._battalion or there <= most:
                continue
            troops = self._marching(i, there, even=even)
            steps = self._distance.ways(square, part)[0][1]
            target = steps[int(roll() * len(steps))] if len(steps) > 1 else steps[0]
            if troops > most:
                holder, against = held.get(target, _NOBODY)
                if holder == self._battalion or (troops > against and holder != self._partner):
                    most, marching, onto = troops, i, target
        if marching < 0:
            return None
        source = self._groups[marching][0]
        self._advance(marching, onto)
        return source, most, onto

    def _marching(self, i: int, there: int, *, even: bool) -> int:
        """How many troops a group takes along from its square."""
        square, part = self._groups[i]
        size = SUBSET_SIZES[part]
        others = sum([SUBSET_SIZES[rest] for at, rest in self._groups if at == square]) - size
        if even and others:
            return max(there * size // (size + others), 1)
        return max(there - others - (square in self._distance.bits), 1)

    def _advance(self, i: int, target: int) -> None:
        _, part = self._groups.pop(i)
        rest = part & ~self._distance.bits.get(target, 0)
        if rest:
            self._join(target, rest)
