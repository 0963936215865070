"""Puzzles of prize in words."""

import re
from dataclasses import replace

import pytest

from bot.puzzles.calendar import calendar
from cogs.prize import puzzles
from games.core import Seat
from games.prize.moves import read_move
from games.puzzle import Assessed

PUZZLES = [shipped.puzzle for shipped in calendar() if shipped.game == "prize"]

PASSES = re.compile(r"two passes in a row you (win with fewer pips|both hold \d+ pips?)")


def test_the_task_says_what_the_opponent_holds():
    puzzle = PUZZLES[0]
    theirs = puzzle.state.hands[1 - puzzle.seat]

    assert all(f"{high}-{low}" in puzzles.task(puzzle) for high, low in theirs)


STAND = replace(
    PUZZLES[0].state,
    hands=(((6, 4), (0, 0)), ((4, 0), (6, 1))),
    line=((6, 5), (5, 4)),
    prizes=((), ()),
    turn=Seat(0),
)
"""The ends show 6 and 4."""


def told(state, best, line, *beaten):
    others = beaten or (Assessed("6-4 right", -1.0, ("6-1 left",)),)
    choices = (Assessed(best, 1.0, line), *others)
    return puzzles.reason(
        replace(PUZZLES[0], state=state, seat=Seat(0), choices=choices, best=(best,))
    )


def test_how_it_goes_on_and_what_beats_the_others_is_told():
    beaten = (Assessed("prize 6-1 right", -1.0, ("1-1 right",)), Assessed("pass", -1.0))

    assert told(STAND, "6-4 left", ("4-0 right", "0-0 right"), *beaten) == (
        "**6-4 left** wins the hand whatever they play. For example, they play 4-0 right, you play "
        "0-0 right, and you go out. Prize 6-1 right loses to 1-1 right and Pass loses at once."
    )


def test_what_beats_a_move_is_named_as_in_a_sentence():
    beaten = (
        Assessed("6-4 right", -1.0, ("pass",)),
        Assessed("4-0 left", -1.0, ("prize 6-1 right", "pass")),
    )

    assert told(STAND, "6-4 left", ("4-0 right", "0-0 right"), *beaten).endswith(
        " 6-4 right loses to a pass and 4-0 left loses to the prize 6-1 right."
    )


LAST = replace(STAND, hands=(((6, 4),), ((4, 0),)))
LIGHT = replace(STAND, hands=(((6, 4), (0, 0)), ((5, 1), (5, 2))))
PASSED = replace(STAND, hands=(((0, 0),), ((5, 1),)), passes=1)
EQUAL = replace(STAND, hands=(((5, 1),), ((3, 3),)))
LONG = replace(
    STAND,
    hands=(((6, 4), (4, 0), (1, 0), (2, 1), (3, 2)), ((3, 3), (6, 6), (6, 3))),
    line=((6, 1), (1, 5)),
)
ALONE = ("pass", "4-0 left", "pass", "1-0 left", "pass", "2-1 left", "pass", "3-2 left")
AT_ONCE = "wins the hand: after two passes in a row you win with fewer pips, 0 to 6."
LIGHTER = "they pass, you pass. After two passes in a row you win with fewer pips, 0 to 13."
FIRST = "After two passes in a row you both hold 6 pips, and you win by passing first."


@pytest.mark.parametrize(
    ("state", "best", "line", "end"),
    [
        (LAST, "6-4 left", (), "**6-4 left** wins the hand: you go out."),
        (PASSED, "pass", (), f"**Pass** {AT_ONCE}"),
        (LIGHT, "6-4 left", ("pass", "pass"), LIGHTER),
        (EQUAL, "pass", ("pass",), f"For example, they pass. {FIRST}"),
        (LONG, "6-4 left", ALONE, "they pass, you play 2-1 left, and so on until you go out."),
    ],
    ids=["out at once", "lighter at once", "lighter", "first pass", "long"],
)
def test_it_is_told_how_the_hand_is_won(state, best, line, end):
    assert end in told(state, best, line)


def test_a_move_of_another_kind_is_told_as_it_is():
    assert puzzles.choice(PUZZLES[0], "draw") == "draw"


def test_every_puzzle_of_the_year_can_be_told_to_its_end():
    """None stops in the middle of a hand, or at a pass of which nothing is said to follow."""
    for puzzle in PUZZLES:
        won = puzzles.reason(puzzle).removesuffix(".").rpartition(". ")[0]
        assert won.endswith("go out") or re.search(
            r"two passes in a row you (win with|both hold)", won
        )
        assert puzzles.reason(puzzle).startswith(f"**{puzzles.choice(puzzle, puzzle.best[0])}**")
        labels = [puzzles.choice(puzzle, choice.move) for choice in puzzle.choices]
        assert len(set(labels)) == len(labels)
        assert all(read_move(choice.move) for choice in puzzle.choices)
