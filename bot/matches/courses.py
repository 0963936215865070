"""How the score of an ended match developed, as everyone could follow it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from games import GAMES
from games.history import History, frames

Points = Callable[[Any], Sequence[int]]
"""Returns the points of each seat from a spectator's view; picklable, to run in another process."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """How the score developed, step by step."""

    changes: tuple[tuple[int, tuple[int, ...]], ...]
    """(Steps played, points of each seat) after the deal and each step that changed the points."""

    steps: int
    """The number of steps played."""


def course_of(history: History, points: Points) -> Course:
    """The course of a match's score; raises InvalidHistoryError if today's rules refuse its moves.

    Read from a spectator's views, because what a game counts is public.
    """
    observe, after = GAMES[history.game].observe, dict[int, tuple[int, ...]]()
    for frame in frames(history):
        after[frame.step] = tuple(points(observe(frame.state, None)))
    changes = [(step, counted) for step, counted in after.items() if counted != after.get(step - 1)]
    return Course(changes=tuple(changes), steps=len(history.steps))
