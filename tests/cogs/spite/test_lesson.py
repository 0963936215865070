"""The rules confirm what the lesson says about every answer."""

import re

import pytest

from bot.lessons.exercise import LEARNER
from cogs.spite.lesson import ROBIN, TURN
from games.spite import SPITE
from tests.support.lessons import branches

BRANCHES = branches("spite")


def stocks(mine, theirs):
    """A claim: how many cards are left in the stocks."""
    return lambda branch: tuple(s.stock for s in branch.view.sides) == (mine, theirs)


def tops(*faces):
    """A claim: the ranks on top of the foundations; a king counts as a king."""
    return lambda branch: tuple(pile[-1] for pile in branch.view.foundations) == faces


def on(turn, seat=LEARNER):
    """A claim: whose turn it is, and its number."""
    return lambda branch: (branch.view.turn, branch.view.on_turn) == (turn, seat)


CLAIMS = {
    ("stock", "5>f1"): [stocks(6, 6), tops("5"), lambda b: b.view.sides[LEARNER].top == "5"],
    ("stock", "stock>f1"): [stocks(5, 6), tops("5"), lambda b: b.view.sides[LEARNER].top == "8"],
    ("build", "5>f1"): [stocks(5, 6), tops("7"), on(TURN)],
    ("build", "Q>d1"): [stocks(6, 6), tops("4"), on(TURN + 2)],
    ("hold", "5>f1"): [stocks(6, 5), tops("6"), on(TURN + 1, ROBIN)],
    ("hold", "Q>d1"): [stocks(6, 6), tops("4"), lambda b: b.view.sides[ROBIN].top == "6"],
    ("discard", "7>d1"): [stocks(5, 6), tops("10"), on(TURN + 2)],
    ("discard", "Q>d1"): [
        stocks(6, 6),
        tops("7"),
        lambda b: b.view.sides[LEARNER].discards[0] == ("9", "8", "Q"),
        lambda b: not [m for m in SPITE.legal_moves(b.state, LEARNER) if str(m) == "d1>f1"],
    ],
    ("king", "K>f1"): [stocks(5, 6), tops("6")],
    ("king", "K>new"): [
        stocks(6, 6),
        tops("4", "K"),
        lambda b: not [m for m in SPITE.legal_moves(b.state, LEARNER) if "stock" in str(m)],
    ],
    ("refill", "4>d3"): [stocks(6, 6), on(TURN + 2)],
    ("refill", "4>f2"): [on(TURN), tops("7", "4"), lambda b: len(b.view.hand) == 5],
}
RIGHT = {
    ("stock", "stock>f1"),
    ("build", "5>f1"),
    ("hold", "Q>d1"),
    ("discard", "7>d1"),
    ("king", "K>f1"),
    ("refill", "4>f2"),
}


@pytest.mark.parametrize("branch", BRANCHES, ids=" ".join)
def test_the_rules_do_what_an_answer_says(branch):
    assert all(claim(BRANCHES[branch]) for claim in CLAIMS[branch])
    assert BRANCHES[branch].right is (branch in RIGHT)


def test_the_lesson_does_not_mention_rounds_which_the_game_does_not_have():
    for branch in BRANCHES.values():
        assert "round" not in re.findall(r"\w+", f"{branch.exercise.text} {branch.answer.says}")


def test_robin_has_no_card_that_would_change_what_is_taught():
    """If Robin only discards after a wrong answer, they had no card to play."""
    for key in (("build", "Q>d1"), ("hold", "Q>d1"), ("refill", "4>d3")):
        state = BRANCHES[key].exercise.state
        moves = [SPITE.parse(BRANCHES[key].answer.move)]
        for move in moves:
            state = SPITE.play(state, {LEARNER: move}, None)
        legal = [str(move) for move in SPITE.legal_moves(state, ROBIN)]
        assert not [move for move in legal if ">f" in move], key
