"""The four battalions and who commands them (R10, R21)."""

from collections.abc import Mapping
from enum import IntEnum
from types import MappingProxyType
from typing import Final

from games.core import Seat

COLORS: Final = ("red", "green", "blue", "yellow")


class Battalion(IntEnum):
    """A battalion, in clockwise order from the top of the board."""

    NORTH = 0
    EAST = 1
    SOUTH = 2
    WEST = 3

    @property
    def color(self) -> str:
        return COLORS[self]

    def __str__(self) -> str:
        return f"the {self.color} battalion"


Teams = tuple[tuple[Battalion, ...], ...]
"""The battalions of each seat, in the order in which their parts of a move are written."""

TEAMS: Final[Mapping[int, Teams]] = MappingProxyType(
    {
        2: ((Battalion.NORTH, Battalion.SOUTH), (Battalion.WEST, Battalion.EAST)),
        3: ((Battalion.NORTH,), (Battalion.EAST,), (Battalion.SOUTH,)),
        4: ((Battalion.NORTH,), (Battalion.EAST,), (Battalion.SOUTH,), (Battalion.WEST,)),
    }
)
"""The battalions of each seat, by the number of seats (R21)."""

_OWNERS: Final = {
    seats: {battalion: Seat(i) for i, team in enumerate(teams) for battalion in team}
    for seats, teams in TEAMS.items()
}


def in_play(seats: int) -> tuple[Battalion, ...]:
    """The battalions that are commanded when a match begins, in N-E-S-W order."""
    return tuple(battalion for battalion in Battalion if battalion in _OWNERS[seats])


def owner(seats: int, battalion: Battalion) -> Seat:
    """The seat that commands a battalion, or commanded it until it left."""
    return _OWNERS[seats][battalion]


def partner(seats: int, battalion: Battalion) -> Battalion | None:
    """The other battalion of the same seat; None if the seat has only one."""
    for other in TEAMS[seats][owner(seats, battalion)]:
        if other is not battalion:
            return other
    return None
