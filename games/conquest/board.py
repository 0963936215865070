"""The troops on the board, as immutable values."""

from collections.abc import Sequence
from dataclasses import dataclass

from games.conquest.battalions import Battalion
from games.conquest.layout import POSITIONS, Square


@dataclass(frozen=True, slots=True)
class Stack:
    """The troops of one battalion on one square; their number isn't limited (R14)."""

    square: Square
    troops: int


Stacks = tuple[Stack, ...]
"""The stacks of one battalion in reading order, at most one on each square."""

Board = tuple[Stacks, ...]
"""The stacks of each battalion; no square has stacks of two battalions."""


def troops_on(board: Board, battalion: Battalion, square: Square) -> int:
    """The number of troops that a battalion has on a square."""
    for stack in board[battalion]:
        if stack.square == square:
            return stack.troops
    return 0


def troops_of(board: Board, battalion: Battalion) -> int:
    """The number of troops that a battalion has on the board."""
    return sum(stack.troops for stack in board[battalion])


def holder(board: Board, square: Square) -> Battalion | None:
    """The battalion that has troops on a square; None if the square is empty."""
    for battalion in Battalion:
        if troops_on(board, battalion, square):
            return battalion
    return None


def with_troops(board: Board, battalion: Battalion, square: Square, change: int) -> Board:
    """The board with `change` more troops of a battalion on a square; may be negative."""
    troops = troops_on(board, battalion, square) + change
    stacks = [stack for stack in board[battalion] if stack.square != square]
    if troops:
        stacks.append(Stack(square, troops))
        stacks.sort(key=lambda stack: POSITIONS[stack.square])
    return (*board[:battalion], tuple(stacks), *board[battalion + 1 :])


def no_troops(battalion: Battalion, square: Square, others: Sequence[Square]) -> str:
    """Text for a player: a square has no troops of a battalion, but the others have some."""
    text = f"{battalion.color.capitalize()} has no troops on {square}."
    if not others:
        return text
    *first, last = others
    listed = f"{', '.join(first)} and {last}" if first else last
    return f"{text} It has some on {listed}."
