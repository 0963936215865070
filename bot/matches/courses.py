"""The course of the score of a match that has ended, as everybody could follow it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from games import GAMES
from games.history import History, frames

Points = Callable[[Any], Sequence[int]]
"""The points of each seat, from what everybody may see; a function that a process can be handed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """How the score went, step by step."""

    changes: tuple[tuple[int, tuple[int, ...]], ...]
    """After how many steps each seat had how many points, where that changed; the deal first."""

    steps: int
    """How many steps were played."""


def course_of(history: History, points: Points) -> Course:
    """The score after the deal and after each step; WrongError where the rules do not allow them.

    What a game counts is public, so the views are those of an onlooker.
    """
    observe, after = GAMES[history.game].observe, dict[int, tuple[int, ...]]()
    for frame in frames(history):
        after[frame.step] = tuple(points(observe(frame.state, None)))
    changes = [(step, counted) for step, counted in after.items() if counted != after.get(step - 1)]
    return Course(changes=tuple(changes), steps=len(history.steps))
