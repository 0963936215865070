"""Where the tiles of a line lie: in one row, and folded in the middle when the line is long.

A line is a path of squares, two to a tile. Folded, it goes right, turns down and back left, turns
down and goes right again, like an S laid wide: so its left end stays at the left of the picture
and its right end at the right, however long it grows. Only the part in the middle gets longer.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from bot.drawing.box import Box
from games.prize.tiles import Line, Tile

MAX_SQUARE_SIDE: Final = 92
"""The side of a square of a short line."""

_GAIN_TO_FOLD: Final = 1.2
"""A line is folded when that makes its squares so many times as large."""

_FOLDED_ROWS: Final = 5  # of squares: three of tiles, two between them

_MIN_FOLDED_SQUARES: Final = 8
"""So many squares are needed for three rows of two and the two turns between them."""

Square = tuple[int, int]
"""A column and a row."""


@dataclass(frozen=True, slots=True)
class Laid:
    """A tile in its place; of a standing one the first half is the upper one, else the left."""

    box: Box
    halves: Tile


@dataclass(frozen=True, slots=True, kw_only=True)
class LineLayout:
    tiles: tuple[Laid, ...]
    """From the left end to the right end."""

    left: Box
    """Room for the sign of the left end, as high as a square."""

    right: Box


def lay_out(line: Line, box: Box, sign: int) -> LineLayout:
    """The line laid in the middle of a box, with signs of this width at its ends."""
    room = box.width - 2 * sign
    length = 2 * len(line)
    side = min(MAX_SQUARE_SIDE, box.height, room // length)
    squares = [(column, 0) for column in range(length)]
    if length >= _MIN_FOLDED_SQUARES:
        larger, folded = _folded(length, room, min(MAX_SQUARE_SIDE, box.height // _FOLDED_ROWS))
        if larger >= _GAIN_TO_FOLD * side:
            side, squares = larger, folded
    columns = 1 + max(column for column, _ in squares)
    rows = 1 + squares[-1][1]
    area = box.centered(columns * side, rows * side)
    places = [Box(area.left + x * side, area.top + y * side, side, side) for x, y in squares]
    first, last = places[0], places[-1]
    return LineLayout(
        tiles=tuple(_laid(line, places)),
        left=Box(first.left - sign, first.top, sign, side),
        right=Box(last.right, last.top, sign, side),
    )


def _folded(length: int, room: int, side: int) -> tuple[int, list[Square]]:
    """The largest squares, at most `side`, with which a folded line is no wider than the room."""
    while (back := _back(length, room // side)) is None:
        side -= 1  # it ends: the narrower the squares, the more columns there are
    ahead = length - 2 - back
    first, last = ahead - ahead // 2, ahead // 2
    turn, start = first - 1, first - back
    squares = [(column, 0) for column in range(first)]
    squares += [(turn, 1)]
    squares += [(column, 2) for column in range(turn, start - 1, -1)]
    squares += [(start, 3)]
    squares += [(column, 4) for column in range(start, start + last)]
    return side, squares


def _back(length: int, columns: int) -> int | None:
    """How many squares the row in the middle needs; None if they do not fit that way."""
    # The rows overlap by this many columns, so the whole is as wide as both others without them.
    back = max(2, -(-(length - 2 - columns) // 2))
    return back if 2 * back <= length - 2 - back else None


def _laid(line: Sequence[Tile], places: Sequence[Box]) -> Iterator[Laid]:
    for i, tile in enumerate(line):
        one, two = places[2 * i], places[2 * i + 1]
        backwards = (two.left, two.top) < (one.left, one.top)
        first = two if backwards else one
        lying = one.top == two.top
        width, height = (2 * one.width, one.height) if lying else (one.width, 2 * one.height)
        yield Laid(Box(first.left, first.top, width, height), tile[::-1] if backwards else tile)
