"""The orientation of the board: turned so that each seat starts in the same place in its picture.

Squares keep their names. Spectators see row A at the top.
"""

from typing import Final

from cogs.conquest.battalions import own_team
from games.conquest import LAYOUT, Battalion, Square, View
from games.conquest.layout import POSITIONS

_TURNS: Final = {
    Battalion.SOUTH: 0,
    Battalion.EAST: 1,
    Battalion.NORTH: 2,
    Battalion.WEST: 3,
}
"""The quarter turns clockwise that move a battalion's side to the bottom."""

_ARROWS: Final = {
    (-1, -1): "\N{NORTH WEST ARROW}",
    (-1, 0): "\N{UPWARDS ARROW}",
    (-1, 1): "\N{NORTH EAST ARROW}",
    (0, -1): "\N{LEFTWARDS ARROW}",
    (0, 1): "\N{RIGHTWARDS ARROW}",
    (1, -1): "\N{SOUTH WEST ARROW}",
    (1, 0): "\N{DOWNWARDS ARROW}",
    (1, 1): "\N{SOUTH EAST ARROW}",
}


def turns_of(view: View) -> int:
    """The quarter turns clockwise by which the board is turned for a view.

    A team's battalions are on opposite sides; the one that needs fewer turns is at the bottom.
    """
    return min((_TURNS[battalion] for battalion in own_team(view)), default=0)


def place_of(square: Square, turns: int) -> tuple[int, int]:
    """The row and column of a square on a turned board, counted from 0."""
    row, column = divmod(POSITIONS[square], LAYOUT.columns)
    for _ in range(turns):
        row, column = column, len(LAYOUT.rows) - 1 - row
    return row, column


def step_of(source: Square, target: Square, turns: int) -> tuple[int, int]:
    """How many rows down and columns right `target` is from `source` on a turned board."""
    (row, column), (to_row, to_column) = place_of(source, turns), place_of(target, turns)
    return to_row - row, to_column - column


def arrow_of(source: Square, target: Square, turns: int) -> str:
    """The arrow that points to a neighboring square on a turned board."""
    return _ARROWS[step_of(source, target, turns)]


def orientation_text(turns: int) -> str:
    """The orientation of the board in words, for alt text."""
    return (
        "rows A to J from the top",
        "turned: columns 1 to 10 down, rows J to A across",
        "turned: rows J to A down, columns 10 to 1 across",
        "turned: columns 10 to 1 down, rows A to J across",
    )[turns]
