"""Where the tiles of the line are drawn: in one row, or folded into three rows if it's long.

A line is a path of squares, two for each tile. A folded line runs right, turns down and runs back
left, then turns down and runs right again, like a wide Z. So its left end stays on the left of the
picture and its right end on the right, however long it gets.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from bot.drawing.box import Box
from games.prize.tiles import Line, Tile

MAX_SQUARE_SIDE: Final = 92
"""The largest side of a square, in pixels: that of a short line."""

_GAIN_TO_FOLD: Final = 1.2
"""A line is folded if that makes its squares at least this many times as large."""

_FOLDED_ROWS: Final = 5  # three rows of tiles, and two rows of squares between them

_MIN_FOLDED_SQUARES: Final = 8
"""The squares of the shortest line that can be folded: three rows of two, and two turns."""

Square = tuple[int, int]
"""A column and a row, counted from 0."""


@dataclass(frozen=True, slots=True)
class Laid:
    """A tile, and where it's drawn; its halves are in order from left to right or top to bottom."""

    box: Box
    halves: Tile


@dataclass(frozen=True, slots=True, kw_only=True)
class LineLayout:
    tiles: tuple[Laid, ...]
    """From the left end to the right end."""

    left: Box
    """Room for the sign of the left end, one square high."""

    right: Box


def lay_out(line: Line, box: Box, sign: int) -> LineLayout:
    """Lay out a line in the middle of a box, with room for a sign of this width at each end."""
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
    """The side (at most `side`) and the squares of the largest folded line that fits this width."""
    while (back := _back(length, room // side)) is None:
        side -= 1  # this ends: smaller squares allow more columns
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
    """The number of squares in the middle row; None if the line doesn't fit these columns."""
    # The outer rows overlap by the middle row, so the width is the sum of both minus its length.
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
