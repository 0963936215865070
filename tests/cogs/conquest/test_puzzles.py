"""The texts of the puzzles of Divide & Conquer (board)."""

import re
from dataclasses import replace

import pytest

from bot.puzzles.calendar import calendar
from cogs.conquest import puzzles
from games.chance import Chance
from games.conquest import CONQUEST, Battalion, Plan
from games.conquest.puzzles import NEXT, stop_next
from games.core import Seat
from games.puzzle import Assessed

MAX_LENGTH = 240
"""The most characters of a reason: about five lines on a phone."""

NOTHING = Chance("nothing is drawn", 0)
PUZZLES = [shipped.puzzle for shipped in calendar() if shipped.game == "conquest"]


def refuted(line):
    """A puzzle with one wrong order, which these orders of the opponents refute."""
    puzzle = next(p for p in PUZZLES if p.seat == 1 and p.aim == "two")
    right = Assessed("C1-1-B1", 1.0)
    return replace(puzzle, choices=(right, Assessed("E2-2-D1", -1.0, line)), best=("C1-1-B1",))


def test_the_refutation_of_the_tempting_order_names_the_color():
    assert puzzles.reason(refuted(("pass", "F3-2-E2"))) == (
        "**1 troop C1 to B1** wins this turn or next, whatever anyone orders. "
        "2 troops E2 to D1 can fail: blue orders 2 troops F3 to E2."
    )


def test_without_a_tempting_order_no_other_order_is_named():
    for aim in ("one", "two"):
        puzzle = replace(refuted(("pass", "pass")), aim=aim)
        assert puzzles.reason(puzzle).endswith("anyone orders. Nothing else is sure to.")


LATER = [
    "1 troop H9 to G10 can fail: blue orders 3 troops J2 to J1 next turn, before you go on to I1.",
    (
        "1 troop H9 to I10 can fail: red orders 2 troops J6 to J5 and blue orders 1 troop I5 to J5 "
        "next turn, before you go on to J4."
    ),
    (
        "1 troop A3 to A4 can fail: after reinforcing, red orders 3 troops C8 to C9 next turn, "
        "before you go on to B10."
    ),
]


@pytest.mark.parametrize("sentence", LATER, ids=["one", "together", "reinforced"])
def test_an_order_that_is_stopped_only_next_turn_is_explained_too(sentence):
    assert any(puzzles.reason(puzzle).endswith(sentence) for puzzle in PUZZLES)


def test_of_several_tempting_orders_the_one_that_enters_an_objective_is_named():
    tempting = [puzzles.reason(puzzle).split("anyone orders. ")[1] for puzzle in PUZZLES]

    assert not any(sentence.startswith("Pass") for sentence in tempting)
    assert any(
        sentence.startswith("1 troop E1 to D1 can fail: red orders") for sentence in tempting
    )


def test_a_choice_is_described_as_a_march():
    assert puzzles.choice(PUZZLES[0], "E2-2-D1") == "2 troops E2 to D1"
    assert puzzles.choice(PUZZLES[0], "pass") == "Pass"


def test_every_puzzle_of_the_year_has_its_texts():
    for puzzle in PUZZLES:
        when = "this turn" if puzzle.aim == "one" else "this turn or next"
        assert f"Win {when}, whatever the others order." in puzzles.task(puzzle)
        reason = puzzles.reason(puzzle)
        assert f"wins {when}, whatever anyone orders. " in reason
        assert re.search(r" can fail: .*orders \d troop", reason)
        assert len(reason) <= MAX_LENGTH
        labels = [puzzles.choice(puzzle, choice.move) for choice in puzzle.choices]
        assert len(set(labels)) == len(labels)
        assert max(map(len, labels)) <= 80


def stopped(puzzle):
    """The wrong orders that, by the puzzle's text, are stopped next turn, and by which orders."""
    for known in puzzle.choices:
        if puzzle.aim == NEXT and known.move not in puzzle.best:
            order = CONQUEST.parse(known.move)
            stop = stop_next(puzzle.state, Battalion(puzzle.seat), order.orders[0])
            if stop is not None:
                yield order, stop


def reinforced(state, me, stop):
    """All states of the next turn; troops that march are reinforced first if the text says so."""
    if state.phase != "reinforcement":
        yield state
        return
    (seat,) = CONQUEST.awaiting(state)
    source = next((order.source for other, order in stop.orders if int(other) == seat), None)
    supply = f"+{source}" if stop.reinforced and source else "none"
    ways = CONQUEST.legal_moves(state, seat) if seat == me else [CONQUEST.parse(supply)]
    for way in ways:
        yield from reinforced(CONQUEST.play(state, {seat: way}, NOTHING), me, stop)


@pytest.mark.slow
def test_orders_that_are_said_to_stop_another_next_turn_do_so_by_the_rules():
    """However the player reinforces, and whatever they order next."""
    tried = 0
    for puzzle in PUZZLES:
        for order, stop in stopped(puzzle):
            moves = {Seat(seat): CONQUEST.parse("pass") for seat in range(3)} | {puzzle.seat: order}
            for state in reinforced(CONQUEST.play(puzzle.state, moves, NOTHING), puzzle.seat, stop):
                told = {Seat(int(other)): Plan((answer,)) for other, answer in stop.orders}
                for mine in CONQUEST.legal_moves(state, puzzle.seat):
                    after = CONQUEST.play(state, moves | told | {puzzle.seat: mine}, NOTHING)
                    assert CONQUEST.outcome(after) is None
                    tried += 1
    assert tried > 1000
