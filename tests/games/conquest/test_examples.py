"""The advice in refusals can be followed: it names moves that are accepted."""

import re
from random import Random
from typing import Final

import pytest

from games.chance import Chance
from games.conquest import CONQUEST, Options
from games.core import IllegalMoveError, Seat
from tests.support.conquest_states import BLUE, CHANCE, RED, check, listed, play, position

PASSES = ("pass / pass", "pass / pass")
MATCHES: Final = 8
"""Per number of seats."""

STEPS: Final = 40
PART: Final = r"(?:[A-J]\d+-\d+-[A-J]\d+|\+[A-J]\d+|[A-J]\d+>HQ|\b(?:pass|none)\b)"
MOVE: Final = re.compile(rf"{PART}(?: / {PART})*|\b(?:fight|hold)\b")
"""A move as it is written; in a refusal, only advice looks like this."""


@pytest.mark.parametrize(("seats", "wrong"), [(2, "none / none"), (2, "pass"), (3, "none")])
def test_the_example_in_a_refusal_is_accepted(seats, wrong):
    """In the first turn, for every seat: each has its own headquarters and number of battalions."""
    state = CONQUEST.setup(Options(), seats, CHANCE)
    for seat in range(seats):
        check(state, seat, advised(state, seat, wrong)[0])


@pytest.mark.parametrize("seats", CONQUEST.seats)
def test_the_advice_in_a_refusal_is_accepted_at_any_step(seats):
    """Even with empty banks, redeployment, squares without troops, and partners in the way."""
    for number in range(MATCHES):
        random = Random(f"{seats} {number}")
        state = CONQUEST.setup(any_options(random, seats), seats, CHANCE)
        for step in range(STEPS):
            awaited = sorted(CONQUEST.awaiting(state))
            if not awaited:
                break
            for seat in awaited:
                refused_with_advice(state, seat, random)
            moves = {seat: random.choice(CONQUEST.legal_moves(state, seat)) for seat in awaited}
            state = CONQUEST.play(state, moves, Chance("0" * 64, step))


@pytest.mark.parametrize(
    ("troops", "told"),
    [
        ({}, "like E5-9-D4 / pass."),
        ({RED: "C4:3 D4:5"}, "like D4-4-C3 / pass."),
        ({RED: "E5:1"}, "like E5-1-D4 / pass."),
        ({RED: "", BLUE: "F6:2"}, "like pass / F6-1-E5."),
    ],
)
def test_the_example_of_an_order_moves_all_but_one_of_the_largest_stack(troops, told):
    assert refusal(position(2, troops), 0, "none / none").endswith(told)


@pytest.mark.parametrize(
    ("troops", "redeployment", "wrong", "told"),
    [
        ({RED: "E5:4"}, False, "pass", "like +E5 / none."),
        ({BLUE: "F6:7"}, False, "+F6", "like none / +F6."),
        ({BLUE: "F6:7"}, False, "+E5 / +F6", "no troop can go to E5. Write none / +F6."),
        ({BLUE: "F6:7"}, False, "+E5 / +A1", "no troop can go to E5. Write none / none."),
        (
            {RED: "E5:3 D4:7", BLUE: "F6:7"},
            True,
            "+E5 / +F6",
            "no troop can go to E5. Write none / +F6, or pull a troop back, like D4>HQ / +F6.",
        ),
    ],
)
def test_the_example_of_two_reinforcements_has_one_for_the_battalion_that_can_place(
    troops, redeployment, wrong, told
):
    state = play(position(2, troops, redeployment=redeployment), *PASSES)

    assert refusal(state, 0, wrong).endswith(told)


def test_a_seat_that_can_only_pull_back_is_told_so():
    state = play(position(3, {RED: "D4:3 E5:7"}, redeployment=True), "pass", "pass", "pass")

    assert refusal(state, 0, "E5-1-D5") == (
        "It's time to reinforce: write none, or pull a troop back, like D4>HQ."
    )


@pytest.mark.parametrize(
    ("troops", "told"),
    [
        ({RED: "D4:4"}, "Write a square like +E5 / none, or none / none."),
        ({RED: "D4:4", BLUE: "E5:9"}, "Write a square like +D4 / none, or none / none."),
        ({RED: "D4:5 E5:5", BLUE: "F6:7"}, "Write none / none."),
    ],
)
def test_a_match_without_redeployment_says_so_in_any_position(troops, told):
    state = play(position(2, troops), *PASSES)

    assert refusal(state, 0, "D4>HQ / none") == f"This match has no redeployment. {told}"


def test_a_seat_without_a_square_for_a_reinforcement_is_told_so():
    state = play(position(2, {RED: "", BLUE: "E5:9"}), *PASSES)

    assert refusal(state, 0, "+D9 / +E5") == (
        "Red has no troops on the board, and your other battalion is on E5, so no troop can go to "
        "D9. Write none / +E5."
    )


def any_options(random, seats):
    return Options(
        equal=random.choice(["annihilate", "choice", "bounce"]),
        reinforce=random.choice(["in-order", "together"]),
        redeployment=random.choice([True, False]),
        goal=random.choice(["either", "both"]) if seats == 2 else "either",
    )


def refused_with_advice(state, seat, random):
    """Try moves that fit no phase and moves close to legal ones; all advice must be accepted."""
    assert any(advised(state, seat, wrong) for wrong in ("fight", "pass", "none", "pass / pass"))
    for _ in range(10):
        parts = [near(state, seat, random) for _ in range(random.randint(1, 2))]
        advised(state, seat, " / ".join(parts))


def near(state, seat, random):
    """A part of a move, mostly on occupied squares."""
    held = [stack.square for stacks in state.board for stack in stacks]
    source, target = (
        random.choice([*held, f"{random.choice('ABCDEFGHIJ')}{random.randint(1, 10)}"])
        for _ in range(2)
    )
    some = random.choice(listed(state, seat)).partition(" / ")[0]
    order = f"{source}-{random.randint(1, 12)}-{target}"
    return random.choice([order, f"+{source}", f"{source}>HQ", "pass", "none", some])


def advised(state, seat, wrong):
    """The moves that the refusal of this move advises, each checked; none if it is accepted."""
    try:
        move = CONQUEST.parse(wrong)
    except ValueError:  # an order beside a reinforcement is no move in any phase
        return []
    try:
        CONQUEST.check(state, Seat(seat), move)
    except IllegalMoveError as error:
        advice = MOVE.findall(str(error))
        for text in advice:
            check(state, seat, text)
        return advice
    return []


def refusal(state, seat, wrong):
    with pytest.raises(IllegalMoveError) as raised:
        check(state, seat, wrong)
    return str(raised.value)
