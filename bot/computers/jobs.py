"""The jobs of worker processes: the functions that they call, and the values these take.

A worker may cache what follows from a finished match; a choice depends on the arguments alone.
"""

import time
from dataclasses import dataclass, replace
from typing import Any, Final

from cachetools import LRUCache

from games import Seat
from games.chance import Chance
from games.computer import Assessment, Lesson, Level, Mixing
from games.computers import COMPUTERS
from games.history import InvalidHistoryError, OwnChoice, Past, choices_of

AnyLesson = Lesson[Any, Any]

MAX_KEPT_LESSONS: Final = 256
"""Finished matches whose lessons a worker keeps."""

_lessons: LRUCache[tuple[int, Seat], tuple[AnyLesson, ...]] = LRUCache(MAX_KEPT_LESSONS)


@dataclass(frozen=True, slots=True, kw_only=True)
class ThinkingJob:
    """A choice to make, with everything that it depends on."""

    game: str
    view: Any  # of the game's own type
    seat: Seat
    level: Level
    seed: str
    step: int
    pasts: tuple[Past, ...] = ()


def wake() -> None:
    """Do nothing; a worker that has done so has imported all that thinking needs."""


def think(thought: ThinkingJob) -> tuple[str, float]:
    """The move that a computer chooses, in the game's notation, and how long it took in seconds."""
    began = time.perf_counter()
    lessons = tuple(lesson for past in thought.pasts for lesson in lessons_of(past))
    chance = Chance(thought.seed, thought.step)
    computer = COMPUTERS[thought.game]
    move = computer.choose(thought.view, thought.seat, thought.level, chance, lessons)
    return str(move), time.perf_counter() - began


def lessons_of(past: Past) -> tuple[AnyLesson, ...]:
    """What a finished match shows of how an opponent chooses; empty if the rules have changed."""
    key = (past.match, past.seat)
    if key not in _lessons:
        try:
            made = choices_of(past.history, past.seat, frozenset(past.steps))
        except InvalidHistoryError:
            made = ()
        _lessons[key] = tuple(Lesson(past.seat, each.view, each.move) for each in made)
    return _lessons[key]


@dataclass(frozen=True, slots=True)
class Opinion:
    """What the computer thinks of a choice."""

    assessment: Assessment[Any] | None
    """What it gave up; None if that isn't certain."""

    mixing: Mixing | None
    """How well it could be foreseen; None if that doesn't matter."""


def assess(game: str, seat: Seat, choice: OwnChoice, seed: str) -> Opinion:
    """The computer's opinion of a choice; its assessment counts only if two runs agree on it."""
    computer = COMPUTERS[game]
    first, second = (
        computer.assess(choice.view, seat, choice.move, Chance(f"{seed}{run}", choice.step))
        for run in ("", " again")
    )
    mixing = computer.mixing(choice.view, seat, choice.move)
    return Opinion(_agreed(first, second), mixing)


def _agreed(
    first: Assessment[Any] | None, second: Assessment[Any] | None
) -> Assessment[Any] | None:
    """The mean of two assessments; None if they name different moves, as luck may decide then."""
    if first is None or second is None or first.better != second.better:
        return None
    return replace(first, cost=(first.cost + second.cost) / 2)


def luck(game: str, seat: Seat, first: OwnChoice) -> float | None:
    """What the deal was worth to a seat, as P(win) - P(loss); None if the computer can't tell."""
    return COMPUTERS[game].luck(first.view, seat)
