"""Which orders of a course are told, and which nobody but their writers has seen."""

import time

from games.conquest import CONQUEST
from games.core import HIDDEN, Seat
from tests.support.conquest_states import GREEN, RED, YELLOW, concede, play, position

A, B, C, D = Seat(0), Seat(1), Seat(2), Seat(3)
PLANS = {A: "E5-1-D5", B: "D6-1-D5", C: "F6-1-G6"}


def contested():
    """A Choice of the second seat holds up the order of the third."""
    start = position(3, {RED: "E5:9 D4:1", GREEN: "E6:7 D6:3"}, equal="choice")
    return play(start, *PLANS.values())


def told(state, *course):
    return CONQUEST.redact(CONQUEST.observe(state, None), course)


def test_an_order_that_waits_is_not_told():
    assert told(contested(), PLANS) == ({**PLANS, C: HIDDEN},)


def test_an_order_that_still_waits_after_another_choice_is_not_told():
    """Red has chosen, green is asked, and blue's order comes after both."""
    plans = {A: "D4-2-D5", B: "G8-1-G9", C: "F6-1-G6"}
    start = position(3, {RED: "D4:2 G9:1", GREEN: "D5:2 G8:1"}, equal="choice")

    state = play(play(start, *plans.values()), "hold")

    assert CONQUEST.awaiting(state) == {B}
    assert told(state, plans, {A: "hold"}) == ({**plans, C: HIDDEN}, {A: "hold"})


def test_orders_that_a_victory_cut_off_are_not_told():
    plans = {A: "H1-1-I1", B: "E6-1-D6", C: "pass"}
    won = play(position(3, {RED: "A9:1 G10:1 J7:1 H1:1"}), *plans.values())

    assert CONQUEST.outcome(won) is not None
    assert told(won, plans) == ({A: "H1-1-I1", B: HIDDEN, C: HIDDEN},)


def test_of_a_teams_orders_only_the_one_that_waits_is_hidden():
    """Red's Choice comes after yellow's order and before those of green and blue."""
    plans = {A: "D4-1-D5 / F6-1-G6", B: "F5-1-F4 / D5-1-D6"}
    start = position(2, {RED: "D4:1", GREEN: "D5:1"}, first=YELLOW, equal="choice")

    assert told(play(start, *plans.values()), plans) == (
        {A: f"D4-1-D5 / {HIDDEN}", B: f"F5-1-F4 / {HIDDEN}"},
    )


def test_orders_of_earlier_turns_have_all_been_seen():
    assert told(contested(), PLANS, {B: "hold"}, PLANS)[:2] == (PLANS, {B: "hold"})


def test_the_orders_of_a_seat_that_left_before_the_next_turn_are_not_told():
    assert told(position(3), PLANS, C) == ({**PLANS, C: HIDDEN}, C)
    assert told(position(3), PLANS, C, {A: "pass", B: "pass"})[0] == {**PLANS, C: HIDDEN}


def test_the_orders_of_all_seats_that_left_are_not_told():
    assert told(position(3), PLANS, B, C) == ({**PLANS, B: HIDDEN, C: HIDDEN}, B, C)


def test_the_order_of_a_seat_that_left_is_hidden_beside_another_that_waits():
    plans = {**PLANS, D: "pass"}
    start = position(4, {RED: "E5:9 D4:1", GREEN: "E6:7 D6:3"}, equal="choice")

    state = concede(play(start, *plans.values()), D)

    assert told(state, plans, D) == ({**plans, C: HIDDEN, D: HIDDEN}, D)


def test_only_the_last_orders_of_a_seat_that_left_are_hidden():
    state = concede(position(3), C)

    assert told(state, PLANS, PLANS, C) == (PLANS, {**PLANS, C: HIDDEN}, C)


def test_a_long_course_is_redacted_quickly():
    """The event loop waits for it; only the last turns can have secrets."""
    took = []
    for _ in range(3):
        began = time.thread_time()
        shown = told(contested(), *([PLANS] * 1000))
        took.append(time.thread_time() - began)

    assert shown[-2:] == (PLANS, {**PLANS, C: HIDDEN})
    assert min(took) < 0.03
