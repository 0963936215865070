"""The rules confirm what the lesson says about every answer."""

import pytest

from bot.lessons.exercise import LEARNER
from cogs.pico.lesson import LESSON, ROBIN
from games.pico import DECKS
from games.pico.rules import trick_winners
from tests.support.lessons import branches

BRANCHES = branches("pico")
DOTS = DECKS["standard"].dots

MINE, THEIRS = (LEARNER,), (ROBIN,)


def trick(winners, verdict, mine, theirs):
    """A claim: who won the trick, why, and with which cards."""

    def holds(branch):
        last = branch.view.last
        return (last.winners, last.verdict, last.faces) == (winners, verdict, (mine, theirs))

    return holds


CLAIMS = {
    ("higher", "5"): [trick(THEIRS, "higher", 5, 7)],
    ("higher", "9"): [
        trick(MINE, "higher", 9, 7),
        lambda b: b.view.won[LEARNER] == (9,) and b.view.dots[LEARNER] == DOTS[9],
        lambda b: 7 in b.view.hands[ROBIN],
    ],
    ("twice", "11"): [trick(MINE, "higher", 11, 6)],
    ("twice", "13"): [trick(THEIRS, "too high", 13, 6)],
    ("twice", "16"): [
        trick(THEIRS, "too high", 16, 6),
        lambda b: max(b.view.hands[LEARNER]) == 16,
    ],
    ("small", "7"): [trick(MINE, "too high", 7, 16)],
    ("small", "8"): [trick(THEIRS, "higher", 8, 16)],
    ("small", "12"): [trick(THEIRS, "higher", 12, 16)],
    ("dots", "4"): [trick(MINE, "too high", 4, 9), lambda b: b.view.dots[LEARNER] == 2],
    ("dots", "10"): [trick(MINE, "higher", 10, 9), lambda b: b.view.dots[LEARNER] == 3],
    ("dots", "16"): [
        trick(MINE, "higher", 16, 9),
        lambda b: b.view.dots[LEARNER] == 4 == max(DOTS.values()),
    ],
    ("sure", "2"): [trick(MINE, "too high", 2, 12)],
    ("sure", "10"): [trick(THEIRS, "higher", 10, 12)],
    ("sure", "13"): [trick(THEIRS, "too high", 13, 5)],
    ("end", "3"): [
        trick(MINE, "too high", 3, 9),
        lambda b: b.view.totals == ((9 + 1, 8),) and b.view.round == 2,
    ],
    ("end", "16"): [
        trick(MINE, "higher", 16, 9),
        lambda b: b.view.totals == ((9 + 4, 8),) and b.view.round == 2,
        lambda b: {5, 9, 12, 4, 10, 13} == set(b.view.hands[LEARNER]),
    ],
}
RIGHT = {("higher", "9"), ("twice", "11"), ("small", "7"), ("dots", "16"), ("sure", "2")}
RIGHT |= {("end", "16")}


@pytest.mark.parametrize("branch", BRANCHES, ids=" ".join)
def test_the_rules_do_what_an_answer_says(branch):
    assert all(claim(BRANCHES[branch]) for claim in CLAIMS[branch])
    assert BRANCHES[branch].right is (branch in RIGHT)


@pytest.mark.parametrize("exercise", LESSON, ids=lambda exercise: exercise.key)
def test_a_position_has_every_card_of_the_deck_once(exercise):
    state = exercise.state
    cards = [*sum(state.hands, ()), *sum(state.won, ()), state.spare]

    assert sorted(cards) == list(DECKS["standard"].cards)


@pytest.mark.parametrize("card", [2, 10, 13])
def test_only_the_2_surely_wins_against_both_cards(card):
    (exercise,) = [exercise for exercise in LESSON if exercise.key == "sure"]
    against = [trick_winners({LEARNER: card, ROBIN: it})[0] for it in exercise.state.hands[ROBIN]]

    assert (against == [MINE, MINE]) is (card == 2)
