"""The dominoes of the tile duel as data (R8, R9)."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class TileSet:
    """The tiles of a match; each of the two seats is dealt half of them."""

    totals: tuple[int, ...]
    """The totals of the tiles in ascending order, all different."""

    hand: int
    """The number of tiles in a hand, which is also the number of pairs in a round."""


SETS: Final[Mapping[int, TileSet]] = MappingProxyType(
    {
        10: TileSet(totals=(2, 3, 4, 5, 6, 7, 8, 9, 10, 12), hand=5),
        14: TileSet(totals=(2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 15, 16, 18), hand=7),
    }
)
"""The tile sets by their number of tiles."""

HALVES: Final[Mapping[int, tuple[int, int]]] = MappingProxyType(
    {
        2: (1, 1),
        3: (1, 2),
        4: (2, 2),
        5: (2, 3),
        6: (3, 3),
        7: (3, 4),
        8: (4, 4),
        9: (4, 5),
        10: (5, 5),
        12: (6, 6),
        14: (7, 7),
        15: (7, 8),
        16: (8, 8),
        18: (9, 9),
    }
)
"""The pips on the two halves of the tile shown for each total (R9)."""
