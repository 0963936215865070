"""Where the troops stand: values and the few things done to them."""

from collections.abc import Sequence
from dataclasses import dataclass

from games.conquest.battalions import Battalion
from games.conquest.layout import POSITIONS, Square


@dataclass(frozen=True, slots=True)
class Stack:
    """The troops of one battalion on one square; there is no limit to them (R14)."""

    square: Square
    troops: int


Stacks = tuple[Stack, ...]
"""The stacks of one battalion in reading order, one on a square."""

Board = tuple[Stacks, ...]
"""The stacks of each battalion; no square belongs to two of them."""


def troops_on(board: Board, battalion: Battalion, square: Square) -> int:
    """How many troops of a battalion stand on a square."""
    for stack in board[battalion]:
        if stack.square == square:
            return stack.troops
    return 0


def troops_of(board: Board, battalion: Battalion) -> int:
    """How many troops a battalion has on the board."""
    return sum(stack.troops for stack in board[battalion])


def holder(board: Board, square: Square) -> Battalion | None:
    """The battalion whose troops stand on a square."""
    for battalion in Battalion:
        if troops_on(board, battalion, square):
            return battalion
    return None


def with_troops(board: Board, battalion: Battalion, square: Square, change: int) -> Board:
    """The board after a square has gained or lost troops of a battalion."""
    troops = troops_on(board, battalion, square) + change
    stacks = [stack for stack in board[battalion] if stack.square != square]
    if troops:
        stacks.append(Stack(square, troops))
        stacks.sort(key=lambda stack: POSITIONS[stack.square])
    return (*board[:battalion], tuple(stacks), *board[battalion + 1 :])


def no_troops(battalion: Battalion, square: Square, others: Sequence[Square]) -> str:
    """Tell a player that a square has none of a battalion, and which other squares have some."""
    told = f"{battalion.color.capitalize()} has no troops on {square}."
    if not others:
        return told
    *first, last = others
    listed = f"{', '.join(first)} and {last}" if first else last
    return f"{told} It has some on {listed}."
