"""The shipped puzzles of Pico, proven by linear programs: only payoffs come from their maker."""

import numpy as np
import pytest
from scipy.optimize import linprog

from bot.puzzles.calendar import calendar
from games.pico.computer.solution import advice
from games.pico.puzzles import MIN_MARGIN
from games.pico.rules import PICO

pytestmark = pytest.mark.slow

SLACK = 1e-9
"""How far an optimal mix may miss the value: the precision of the linear programs."""

SHOWN = 0.001
"""The precision of stored worths, which have three digits."""

PUZZLES = {
    f"day {day}": shipped.puzzle for day, shipped in enumerate(calendar()) if shipped.game == "pico"
}


def payoffs_of(puzzle):
    return advice(PICO.observe(puzzle.state, puzzle.seat), puzzle.seat).payoffs


def value_of(payoffs):
    """What the rows get if both sides play their best."""
    height, width = payoffs.shape
    solved = linprog(
        [*np.zeros(height), -1],
        A_ub=np.hstack([-payoffs.T, np.ones((width, 1))]),
        b_ub=np.zeros(width),
        A_eq=[[*np.ones(height), 0]],
        b_eq=[1],
        bounds=[(0, None)] * height + [(None, None)],
    )
    return -solved.fun


def most_played(payoffs, row):
    """The highest probability of a row in a mix of the rows that gets the value everywhere."""
    height, width = payoffs.shape
    solved = linprog(
        -(np.arange(height) == row).astype(float),
        A_ub=-payoffs.T,
        b_ub=np.full(width, SLACK - value_of(payoffs)),
        A_eq=np.ones((1, height)),
        b_eq=[1],
    )
    return -solved.fun


def most_won(payoffs, row):
    """The most that a row gets against a mix of the columns that concedes no more than the value.

    That is the mix kindest to this row, so it gets no more against any other optimal one.
    """
    height, width = payoffs.shape
    solved = linprog(
        -payoffs[row],
        A_ub=payoffs,
        b_ub=np.full(height, value_of(payoffs) + SLACK),
        A_eq=np.ones((1, width)),
        b_eq=[1],
    )
    return -solved.fun


@pytest.mark.parametrize("puzzle", PUZZLES.values(), ids=PUZZLES)
def test_every_right_card_is_in_an_optimal_mix_and_no_other_card_is(puzzle):
    payoffs = payoffs_of(puzzle)
    shares = {choice.move: most_played(payoffs, row) for row, choice in enumerate(puzzle.choices)}

    assert {move for move, share in shares.items() if share > 1e-6} == set(puzzle.best)


@pytest.mark.parametrize("puzzle", PUZZLES.values(), ids=PUZZLES)
def test_every_wrong_card_gives_up_the_margin_to_each_optimal_mix(puzzle):
    payoffs = payoffs_of(puzzle)
    value = value_of(payoffs)
    losses = {
        choice.move: value - most_won(payoffs, row)
        for row, choice in enumerate(puzzle.choices)
        if choice.move not in puzzle.best
    }

    assert min(losses.values()) >= MIN_MARGIN - 1e-6


@pytest.mark.parametrize("puzzle", PUZZLES.values(), ids=PUZZLES)
def test_each_card_is_shown_with_the_most_that_it_gets_against_an_optimal_mix(puzzle):
    payoffs = payoffs_of(puzzle)
    most = [most_won(payoffs, row) for row in range(len(payoffs))]

    assert [choice.worth for choice in puzzle.choices] == pytest.approx(most, abs=SHOWN)
