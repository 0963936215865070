"""The rules confirm what the lesson says about every answer."""

import pytest

from bot.lessons.exercise import LEARNER
from cogs.duel.lesson import LESSON, ROBIN
from games.duel import SETS
from tests.support.lessons import branches

BRANCHES = branches("duel")


def pair(winner, verdict, mine, theirs):
    """A claim: who won the pair, why, and with which tiles."""

    def holds(branch):
        last = branch.view.last
        return (last.winner, last.verdict, last.totals) == (winner, verdict, (mine, theirs))

    return holds


CLAIMS = {
    ("higher", "5"): pair(ROBIN, "higher", 5, 7),
    ("higher", "10"): pair(LEARNER, "higher", 10, 7),
    ("divides", "4"): pair(ROBIN, "higher", 4, 10),
    ("divides", "5"): pair(LEARNER, "divides", 5, 10),
    ("divides", "7"): pair(ROBIN, "higher", 7, 10),
    ("divided", "7"): pair(LEARNER, "higher", 7, 3),
    ("divided", "9"): pair(ROBIN, "divides", 9, 3),
    ("divided", "12"): pair(ROBIN, "divides", 12, 3),
    ("less", "5"): pair(LEARNER, "one less", 5, 6),
    ("less", "7"): pair(ROBIN, "one less", 7, 6),
    ("less", "12"): pair(ROBIN, "divides", 12, 6),
    ("sure", "5"): pair(LEARNER, "divides", 5, 10),
    ("sure", "12"): pair(ROBIN, "divides", 12, 6),
    ("swap", "6"): pair(LEARNER, "divides", 6, 12),
    ("swap", "8"): pair(ROBIN, "higher", 8, 12),
    ("swap", "10"): pair(ROBIN, "higher", 10, 12),
}
RIGHT = {
    ("higher", "10"),
    ("divides", "5"),
    ("divided", "7"),
    ("less", "5"),
    ("sure", "5"),
    ("swap", "6"),
}


@pytest.mark.parametrize("branch", BRANCHES, ids=" ".join)
def test_the_rules_do_what_an_answer_says(branch):
    assert CLAIMS[branch](BRANCHES[branch])
    assert BRANCHES[branch].right is (branch in RIGHT)


@pytest.mark.parametrize("exercise", LESSON, ids=lambda exercise: exercise.key)
def test_every_position_can_follow_from_a_deal_of_all_tiles(exercise):
    dealt = sorted(sum(exercise.state.dealt, ()))

    assert dealt == sorted(SETS[10].totals)
    assert {len(hand) for hand in exercise.state.dealt} == {SETS[10].hand}


def test_after_the_swap_robin_has_the_tiles_dealt_to_the_learner():
    before, after = LESSON[-2].state, LESSON[-1].state

    assert after.round == 2
    assert after.hands == before.dealt[::-1]
    assert set(after.pairs[:3]) == set(before.pairs)
