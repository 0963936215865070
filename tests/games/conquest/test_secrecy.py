"""Which orders of a course are told, and which nobody but their writers has seen."""

from games.conquest import CONQUEST
from games.core import HIDDEN, Seat
from tests.support.conquest_states import GREEN, RED, play, position

A, B, C = Seat(0), Seat(1), Seat(2)
PLANS = {A: "E5-1-D5", B: "D6-1-D5", C: "F6-1-G6"}


def contested():
    """A Choice of the second seat holds up the order of the third."""
    start = position(3, {RED: "E5:9 D4:1", GREEN: "E6:7 D6:3"}, equal="choice")
    return play(start, *PLANS.values())


def told(state, *course):
    return CONQUEST.redact(CONQUEST.observe(state, None), course)


def test_an_order_that_waits_is_not_told():
    assert told(contested(), PLANS) == ({**PLANS, C: HIDDEN},)


def test_orders_of_earlier_turns_have_all_been_seen():
    assert told(contested(), PLANS, {B: "hold"}, PLANS)[:2] == (PLANS, {B: "hold"})


def test_the_orders_of_one_who_left_before_the_next_turn_are_not_told():
    assert told(position(3), PLANS, C) == ({**PLANS, C: HIDDEN}, C)
    assert told(position(3), PLANS, C, {A: "pass", B: "pass"})[0] == {**PLANS, C: HIDDEN}
