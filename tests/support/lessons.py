"""The lessons of all games, with every answer played."""

from dataclasses import dataclass
from typing import Any

from bot.lessons.exercise import Answer, Exercise, snapshot_in, state_after
from games import GAMES
from tests.support.presentations import PRESENTATIONS


@dataclass(frozen=True)
class Branch:
    """One answer of an exercise and its result."""

    exercise: Exercise
    answer: Answer
    view: Any
    """What the learner sees afterwards."""

    state: Any
    right: bool


def branches(game: str) -> dict[tuple[str, str], Branch]:
    """Every answer of a game's lesson, played by the rules, by the exercise's key and the move."""
    found = {}
    for exercise in PRESENTATIONS[game].lesson:
        for answer in exercise.answers:
            state = state_after(GAMES[game], exercise, answer)
            after = snapshot_in(GAMES[game], exercise, state)
            branch = Branch(exercise, answer, after.view, state, exercise.solves(after))
            found[exercise.key, answer.move] = branch
    return found
