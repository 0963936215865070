"""The dominoes of a double-six set, and the line they are laid in."""

from collections.abc import Iterable
from typing import Final, Literal

Tile = tuple[int, int]
"""A domino. In a hand, the stock or a prize row its higher number comes first, in the line the
number on its left."""

End = Literal["left", "right"]

Ends = tuple[int, int]
"""The open numbers at the left and the right end of the line."""

Line = tuple[Tile, ...]
"""The tiles of the line from left to right; neighbors touch with equal numbers."""

NUMBERS: Final = range(7)

DOMINOES: Final[tuple[Tile, ...]] = tuple(
    (high, low) for high in NUMBERS for low in range(high + 1)
)


def spell(tile: Tile) -> str:
    return f"{tile[0]}-{tile[1]}"


def spell_all(tiles: Iterable[Tile]) -> str:
    return ", ".join(spell(tile) for tile in tiles)


def upright(tile: Tile) -> Tile:
    """The same domino with its higher number first."""
    return (max(tile), min(tile))


def pips(tiles: Iterable[Tile]) -> int:
    return sum(high + low for high, low in tiles)


def numbers(tiles: Iterable[Tile]) -> frozenset[int]:
    """The different numbers that occur on the tiles."""
    return frozenset(number for tile in tiles for number in tile)


def line_ends(line: Line) -> Ends | None:
    """The two open numbers; None before the opening."""
    return (line[0][0], line[-1][1]) if line else None


def places(tile: Tile, ends: Ends) -> tuple[End, ...]:
    """The ends that a tile can be played at; only `right` where both are equal (R25)."""
    left, right = ends
    if left == right:
        return ("right",) if right in tile else ()
    if left in tile:
        return ("left", "right") if right in tile else ("left",)
    return ("right",) if right in tile else ()


def extended(line: Line, tile: Tile, end: End) -> Line:
    """The line after a tile has been placed at an end that it fits."""
    if end == "left":
        joint = line[0][0]
        return ((_other(tile, joint), joint), *line)
    joint = line[-1][1]
    return (*line, (joint, _other(tile, joint)))


def without(tiles: tuple[Tile, ...], tile: Tile) -> tuple[Tile, ...]:
    i = tiles.index(tile)
    return tiles[:i] + tiles[i + 1 :]


def _other(tile: Tile, number: int) -> int:
    """The number of a tile that stays open when it's joined by `number`."""
    return tile[1] if tile[0] == number else tile[0]
