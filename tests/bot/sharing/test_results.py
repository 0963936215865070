"""What of the coach's opinions is told as a turning point."""

import pytest

from bot.computers.coach import Said, Study
from bot.sharing.results import LEAST_COST, turning_point

MILD = Said(step=2, when="", move="3", better="4", cost=LEAST_COST)
WORST = Said(step=5, when="", move="9", better="4", cost=0.3)
BEST = Said(step=1, when="", move="4", better=None, cost=0.0)


def study(*said, total=None, **changes):
    total = len(said) if total is None else total
    values = {"looked": total, "complete": True, **changes}
    return Study(snapshot=None, total=total, said=said, **values)


def test_the_choice_that_cost_most_is_the_turning_point():
    assert turning_point(study(BEST, MILD, WORST)) == WORST
    assert turning_point(study(MILD)) == MILD


def test_a_move_that_stays_secret_is_no_turning_point():
    assert turning_point(study(BEST, MILD, WORST), unseen={WORST.step - 1}) == MILD


@pytest.mark.parametrize(
    "found",
    [
        study(),
        study(BEST),
        study(Said(step=1, when="", move="3", better="4", cost=LEAST_COST - 0.001)),
        study(WORST, total=2, looked=1),
        study(WORST, failed=1),
        study(WORST, complete=False),
    ],
    ids=["no choice", "no better one", "too little", "not all", "one failed", "not done"],
)
def test_without_a_sure_one_there_is_none(found):
    assert turning_point(found) is None
