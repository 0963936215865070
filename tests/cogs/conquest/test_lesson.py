"""The rules confirm what the lesson says about every answer."""

import pytest

from bot.lessons.exercise import LEARNER
from cogs.conquest.lesson import FULL, LESSON
from games.conquest import CONQUEST, Battalion
from games.conquest.battalions import in_play
from games.conquest.board import holder, troops_of, troops_on
from games.conquest.layout import LAYOUT
from tests.support.lessons import branches

BRANCHES = branches("conquest")
RED, GREEN, BLUE, YELLOW = Battalion
ROBIN = 1


def movement(branch, battalion):
    """The result of a battalion's order in the last revealed turn."""
    view = branch.view
    report = view.current if view.current.movements else view.last
    (found,) = [m for m in report.movements if m.battalion is battalion]
    return found


def battle(battalion, attackers, defenders, lost):
    """A claim: who attacked, the troops of both sides, and what each side lost."""

    def holds(branch):
        conflict = movement(branch, battalion).conflict
        return (conflict.attackers, conflict.defenders) == (
            attackers,
            defenders,
        ) and conflict.attackers_lost == conflict.defenders_lost == lost

    return holds


def stands(battalion, square, troops):
    """A claim: who holds a square in the end, with how many troops; None for nobody."""

    def holds(branch):
        board = branch.view.board
        if battalion is None:
            return holder(board, square) is None
        return troops_on(board, battalion, square) == troops

    return holds


def lapses(battalion, why):
    return lambda branch: movement(branch, battalion).lapse == why


def held(number):
    return lambda branch: branch.view.objectives[RED] == number


CLAIMS = {
    ("objectives", "A9-3-B9"): [held(2), stands(None, "A9", 0)],
    ("objectives", "I6-1-J7"): [held(4), lambda b: b.view.outcome.ranks[LEARNER] == 1],
    ("battle", "D4-3-D5"): [battle(RED, 3, 4, 3), stands(GREEN, "D5", 1)],
    ("battle", "D4-4-D5"): [battle(RED, 4, 4, 4), stands(None, "D5", 0)],
    ("battle", "D4-6-D5"): [battle(RED, 6, 4, 4), stands(RED, "D5", 2)],
    ("first", "D5-3-C4"): [
        stands(RED, "C4", 3),
        stands(GREEN, "D5", 6),
        lambda b: movement(b, GREEN).conflict is None,
    ],
    ("first", "D5-3-D6"): [battle(RED, 3, 6, 3), stands(RED, "D5", 0), stands(GREEN, "D5", 3)],
    ("first", "pass"): [battle(GREEN, 6, 3, 3), stands(GREEN, "D5", 3)],
    ("last", "C5-5-D5"): [battle(GREEN, 6, 4, 4), battle(RED, 5, 2, 2), stands(RED, "D5", 3)],
    ("last", "D5-4-C4"): [lapses(RED, "taken"), stands(GREEN, "D5", 2), stands(RED, "C4", 0)],
    ("bank", "+D5"): [battle(GREEN, 3, 4, 3), stands(RED, "D5", 1)],
    ("bank", "+E5"): [battle(GREEN, 3, 3, 3), stands(None, "D5", 0)],
    ("team", "D4-5-D5 / D6-4-C6"): [stands(RED, "D5", 5), stands(BLUE, "C6", 4)],
    ("team", "D4-5-D5 / D6-4-D5"): [
        stands(RED, "D5", 5),
        lapses(BLUE, "partner"),
        stands(BLUE, "D6", 4),
    ],
}
RIGHT = {
    ("objectives", "I6-1-J7"),
    ("battle", "D4-6-D5"),
    ("first", "D5-3-C4"),
    ("last", "C5-5-D5"),
    ("bank", "+D5"),
    ("team", "D4-5-D5 / D6-4-C6"),
}


@pytest.mark.parametrize("branch", BRANCHES, ids=" ".join)
def test_the_rules_do_what_an_answer_says(branch):
    assert all(claim(BRANCHES[branch]) for claim in CLAIMS[branch])
    assert BRANCHES[branch].right is (branch in RIGHT)


@pytest.mark.parametrize("exercise", LESSON, ids=lambda exercise: exercise.key)
def test_in_a_position_each_battalion_has_ten_troops_on_squares_that_it_can_enter(exercise):
    state = exercise.state
    closed = {
        square: battalion
        for battalion in in_play(state.seats)
        for square in LAYOUT.marks(battalion)
    }

    for battalion in in_play(state.seats):
        assert troops_of(state.board, battalion) + state.banks[battalion] == FULL
        squares = [stack.square for stack in state.board[battalion]]
        assert {closed.get(square, battalion) for square in squares} <= {battalion}


def test_the_lesson_names_the_colors_of_each_seat_in_a_match_of_two():
    """The player who accepts a challenge commands the other two."""
    (team,) = (e for e in LESSON if e.key == "team")

    assert CONQUEST.observe(team.state, LEARNER).teams == ((RED, BLUE), (YELLOW, GREEN))
    assert team.text.startswith(
        "In a match for two, each player commands two battalions: here yours are **red and blue**."
    )


def test_the_two_texts_about_who_goes_first_are_right():
    first, last = (next(e.state for e in LESSON if e.key == key) for key in ("first", "last"))

    assert CONQUEST.observe(first, LEARNER).order[0] is RED
    assert CONQUEST.observe(last, LEARNER).order == (GREEN, BLUE, RED)


def test_robin_goes_first_in_the_turn_after_the_reinforcement():
    view = BRANCHES["bank", "+D5"].view

    assert view.current.initiative is GREEN
    assert view.teams[ROBIN] == (GREEN,)
