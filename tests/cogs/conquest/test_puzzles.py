"""Puzzles of conquest in words."""

from dataclasses import replace

from bot.puzzles.calendar import calendar
from cogs.conquest import puzzles
from games.puzzle import Assessed

PUZZLES = [shipped.puzzle for shipped in calendar() if shipped.game == "conquest"]


def refuted(line):
    """A puzzle with one wrong order, which these orders of the others refute."""
    puzzle = next(p for p in PUZZLES if p.seat == 1 and p.aim == "two")
    right = Assessed("C1-1-B1", 1.0)
    return replace(puzzle, choices=(right, Assessed("E2-2-D1", -1.0, line)), best=("C1-1-B1",))


def test_what_refutes_the_tempting_order_is_told_with_its_color():
    assert puzzles.reason(refuted(("pass", "F3-2-E2"))) == (
        "**1 troop C1 to B1** wins this turn or next, whatever anyone orders. "
        "2 troops E2 to D1 can fail: blue orders 2 troops F3 to E2."
    )


def test_where_nobody_has_to_interfere_now_nothing_else_is_sure():
    assert puzzles.reason(refuted(("pass", "pass"))).endswith("Nothing else is sure to.")


def test_a_choice_is_told_as_a_march():
    assert puzzles.choice(PUZZLES[0], "E2-2-D1") == "2 troops E2 to D1"
    assert puzzles.choice(PUZZLES[0], "pass") == "Pass"


def test_every_puzzle_of_the_year_can_be_told():
    for puzzle in PUZZLES:
        when = "this turn" if puzzle.aim == "one" else "this turn or next"
        assert f"Win {when}, whatever the others order." in puzzles.task(puzzle)
        assert f"wins {when}, whatever anyone orders." in puzzles.reason(puzzle)
        labels = [puzzles.choice(puzzle, choice.move) for choice in puzzle.choices]
        assert len(set(labels)) == len(labels)
        assert max(map(len, labels)) <= 80
