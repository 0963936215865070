"""Prize Dominoes: what the coach says about a prize that was taken."""

import pytest

from games.chance import Chance
from games.prize import PRIZE, Options, Take
from games.prize.computer import PrizeComputer
from tests.support.prize_states import A, won


def assessed(state, text):
    view = PRIZE.observe(state, A)
    return PrizeComputer().assess(view, A, PRIZE.parse(text), Chance("thinking", 1))


def test_the_coach_names_the_better_prize_and_what_the_other_cost():
    state = won(b="6-6 5-4 6-0", prizes=("6-5 4-3 2-1", ""))
    assessment = assessed(state, "take 5-4")

    assert assessment.better == Take((6, 0))
    assert 0 < assessment.cost < 1


def test_the_coach_finds_nothing_better_than_the_best_prize():
    assessment = assessed(won(b="6-6 6-0", prizes=("6-5 4-3 2-1", "")), "take 6-0")

    assert (assessment.better, assessment.cost) == (None, 0)


def test_the_coach_has_no_opinion_about_a_prize_that_another_sample_could_prefer():
    assert assessed(won(b="5-1 4-1"), "take 4-1") is None


@pytest.mark.parametrize(("hands", "is_free"), [(2, True), (3, True), (4, False), (10, False)])
def test_the_coach_mentions_a_declined_win_unless_the_other_tile_wins_as_surely(hands, is_free):
    """The 0-0 wins at once; with the 5-1, B would have to make up for five numbers."""
    row = ("6-1 6-6 5-4 5-3 4-2", "2-2")
    state = won(b="0-0 5-1", prizes=row, options=Options(hand_limit=hands))

    better = [assessed(state, f"take {tile}").better for tile in ("0-0", "5-1")]

    assert better == [None, None if is_free else Take((0, 0))]
