"""Courses: how the score went, step by step, as everybody could follow it."""

from itertools import pairwise

import pytest

from bot.matches.courses import course_of
from games import GAMES, Seat
from games.history import History
from tests.support.histories import SEED, by_lot
from tests.support.presentations import PRESENTATIONS, keeps_score


@pytest.mark.parametrize("game", GAMES)
def test_every_games_course_ends_with_the_final_score(game):
    history, state = by_lot(game)
    points = keeps_score(game).points

    course = course_of(history, points)

    final = tuple(points(GAMES[game].observe(state, None)))
    assert course.changes[0][0] == 0
    assert course.changes[-1][1] == final
    assert course.steps == len(history.steps)
    steps = [step for step, _ in course.changes]
    assert steps == sorted(set(steps))
    assert all(one != other for (_, one), (_, other) in pairwise(course.changes))
    assert len(final) == history.seats
    assert len(PRESENTATIONS[game].marks) >= max(GAMES[game].seats)


@pytest.mark.parametrize("game", ["pico", "duel"])
def test_a_course_in_points_ends_with_the_score_of_the_result(game):
    history, state = by_lot(game)

    course = course_of(history, keeps_score(game).points)

    assert course.changes[-1][1] == GAMES[game].outcome(state).scores


def test_a_match_resigned_at_once_has_a_course_with_only_the_deal():
    history = History(
        game="pico",
        options=GAMES["pico"].presets["standard"],
        seats=2,
        seed=SEED,
        steps=(),
        departures=((0, Seat(1)),),
    )

    course = course_of(history, keeps_score("pico").points)

    assert (course.steps, course.changes) == (0, ((0, (0, 0)),))
