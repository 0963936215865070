"""The routes of a battalion's groups to their objectives, followed until they are disturbed."""

from collections.abc import Callable, Mapping

from games.conquest.computer.distance import Distance
from games.conquest.computer.fast_state import March, Stacks

Roll = Callable[[], float]
"""Draws a random number from 0 (included) to 1 (excluded)."""

Held = Mapping[int, tuple[int, int]]
"""The battalion and the number of troops on each square that has some."""


class Route:
    """The rest of a shortest route of a battalion, as groups that march; see `Group`."""

    __slots__ = ("_battalion", "_distance", "_groups", "_partner")

    def __init__(
        self, distance: Distance, pair: tuple[int, int | None], stacks: Stacks, bank: int, left: int
    ) -> None:
        """`pair` is (battalion, partner or None); `left` is the orders that it can still write.

        If those are too few to win, the route leads to the objectives that it can hold in time.
        """
        self._battalion, self._partner = pair
        self._distance = distance
        self._groups = [*distance.groups(stacks, bank, left)]

    def next(self, held: Held, roll: Roll, *, even: bool) -> March | None:
        """The next order, which moves the most troops of all open routes; None if none is open.

        Where groups part, one that marches takes all troops but the fewest that the others need, or
        its proportional share if `even`.
        """
        battalion, bits, groups = self._battalion, self._distance.bits, self._groups
        most, marching, onto = 0, -1, -1
        for i, (square, _, size, steps) in enumerate(groups):
            stack = held.get(square)
            if stack is None or stack[0] != battalion or stack[1] <= most:
                continue
            others, there = -size, stack[1]
            for at, _, rest, _ in groups:
                if at == square:
                    others += rest
            if even and others:
                troops = there * size // (size + others) or 1
            else:
                troops = max(there - others - (square in bits), 1)
            target = steps[int(roll() * len(steps))] if len(steps) > 1 else steps[0]
            if troops > most:
                against = held.get(target)
                if (
                    against is None
                    or against[0] == battalion
                    or (troops > against[1] and against[0] != self._partner)
                ):
                    most, marching, onto = troops, i, target
        if marching < 0:
            return None
        source, part, _, _ = groups.pop(marching)
        rest = part & ~bits.get(onto, 0)
        if rest:
            groups += self._distance.parted(onto, rest)
        return source, most, onto
