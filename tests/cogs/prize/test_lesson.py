"""The rules confirm what the lesson says about every answer."""

import pytest

from bot.lessons.exercise import LEARNER
from cogs.prize.lesson import LESSON, ROBIN
from games.prize import DOMINOES, PRIZE, Draw
from games.prize.tiles import upright
from tests.support.lessons import branches

BRANCHES = branches("prize")


def wins(winner, by, mine, theirs):
    """A claim: who won the hand and how, with these pips left in the hands."""

    def holds(branch):
        last = branch.view.last
        return (last.winner, last.by, last.pips) == (winner, by, (mine, theirs))

    return holds


def deeds(*told):
    """A claim: the last events, for example `1 kept` for Robin's."""

    def holds(branch):
        events = [f"{event.seat} {event.deed}" for event in branch.view.events]
        return events[-len(told) :] == list(told)

    return holds


def needs(*numbers):
    return lambda branch: branch.view.missing[LEARNER] == numbers


CLAIMS = {
    ("ends", "6-1 left"): [
        deeds("0 hand", "1 kept"),
        lambda b: b.view.ends == (1, 1),
        lambda b: PRIZE.legal_moves(b.state, LEARNER) == (Draw(),),
    ],
    ("ends", "6-1 right"): [
        deeds("0 hand", "1 kept", "0 hand"),
        lambda b: b.view.events[-1].ends == (6, 6),
        lambda b: b.view.events[-1].tile == (6, 2),
        wins(LEARNER, "out", 0, 17),
    ],
    ("escape", "draw"): [deeds("1 kept", "0 kept"), wins(ROBIN, "pips", 20, 7)],
    ("escape", "prize 3-1 right"): [
        lambda b: b.view.last is None and b.view.passes == 0,
        lambda b: b.view.prizes[LEARNER] == ((6, 1), (5, 3)),
        needs(0, 2, 4),
    ],
    ("count", "pass"): [deeds("1 pass", "0 pass"), wins(LEARNER, "pips", 19, 40)],
    ("count", "prize 2-0 right"): [
        deeds("0 prize", "1 hand"),
        lambda b: b.view.last is None,
        lambda b: len(b.view.prizes[LEARNER]) == 4,
    ],
    ("take", "take 1-0"): [needs(2, 4)],
    ("take", "take 4-2"): [needs(0)],
    ("take", "take 6-3"): [needs(0, 2, 4)],
    ("seven", "take 0-0"): [needs(), lambda b: b.view.outcome.ranks == (1, 2)],
    ("seven", "take 6-5"): [needs(0), lambda b: b.view.outcome is None],
}
RIGHT = {
    ("ends", "6-1 right"),
    ("escape", "prize 3-1 right"),
    ("count", "pass"),
    ("take", "take 4-2"),
    ("seven", "take 0-0"),
}


@pytest.mark.parametrize("branch", BRANCHES, ids=" ".join)
def test_the_rules_do_what_an_answer_says(branch):
    assert all(claim(BRANCHES[branch]) for claim in CLAIMS[branch])
    assert BRANCHES[branch].right is (branch in RIGHT)


@pytest.mark.parametrize("exercise", LESSON, ids=lambda exercise: exercise.key)
def test_a_position_has_every_domino_once(exercise):
    state = exercise.state
    rows = (*state.hands, *state.prizes, state.line, state.stock)

    assert sorted(upright(tile) for row in rows for tile in row) == sorted(DOMINOES)


def test_passing_has_no_cost_that_the_texts_do_not_mention():
    """Robin has just passed, so one more pass ends the hand, and the 3-1 costs no number."""
    escape, count = (
        PRIZE.observe(next(e.state for e in LESSON if e.key == key), LEARNER)
        for key in ("escape", "count")
    )

    assert escape.passes == count.passes == 1
    assert escape.missing[LEARNER] == (0, 2, 4)
    assert (count.stock, count.held) == (0, (3, 10))
