"""Divide & Conquer (board): conflict and the Commander's Choice (R15, R16)."""

import pytest

from games.conquest import CONQUEST
from games.core import IllegalMoveError, Seat
from tests.support.conquest_states import (
    BLUE,
    GREEN,
    RED,
    check,
    listed,
    play,
    position,
    results,
    troops,
)


def bank(state, *battalions):
    return [state.banks[battalion] for battalion in battalions]


def test_example_d7_six_against_four_leave_two():
    state = position(4, {RED: "D6:6", GREEN: "D7:4"})

    state = play(state, "D6-6-D7", "pass", "pass", "pass")

    assert troops(state, RED) == "D7:2"
    assert troops(state, GREEN) == ""
    assert bank(state, RED, GREEN) == [8, 10]


def test_example_e3_four_against_eight_leave_four():
    state = position(4, {RED: "E4:4", GREEN: "E3:8"})

    state = play(state, "E4-4-E3", "pass", "pass", "pass")

    assert troops(state, RED) == ""
    assert troops(state, GREEN) == "E3:4"
    assert bank(state, RED, GREEN) == [10, 6]


def test_equal_numbers_annihilate_each_other():
    state = position(4, {RED: "E4:5", GREEN: "E3:4"})

    state = play(state, "E4-4-E3", "pass", "pass", "pass")

    assert troops(state, RED) == "E4:1"
    assert troops(state, GREEN) == ""
    assert bank(state, RED, GREEN) == [9, 10]


def test_only_troops_that_march_fight():
    state = position(4, {RED: "E4:9", GREEN: "E3:4"})

    state = play(state, "E4-3-E3", "pass", "pass", "pass")

    assert troops(state, RED) == "E4:6"
    assert troops(state, GREEN) == "E3:1"


def test_swapping_squares_can_make_two_conflicts():
    state = position(4, {RED: "D4:6", GREEN: "D5:4"})

    state = play(state, "D4-3-D5", "D5-4-D4", "pass", "pass")

    assert results(state)[:2] == ["red battle", "green battle"]
    assert troops(state, RED) == "D4:2"
    assert troops(state, GREEN) == ""


@pytest.mark.parametrize(("sent", "lapse"), [(4, "empty"), (5, "taken")])
def test_the_second_order_of_a_swap_lapses_if_its_source_is_gone(sent, lapse):
    state = position(4, {RED: "D4:6", GREEN: "D5:4"})

    state = play(state, f"D4-{sent}-D5", "D5-4-D4", "pass", "pass")

    assert results(state)[:2] == ["red battle", f"green {lapse}"]


def test_with_bounce_equal_numbers_never_fight():
    state = position(4, {RED: "E4:5", GREEN: "E3:4"}, equal="bounce")

    state = play(state, "E4-4-E3", "pass", "pass", "pass")

    assert troops(state, RED) == "E4:5"
    assert troops(state, GREEN) == "E3:4"
    assert results(state)[0] == "red bounce"


def test_with_bounce_the_troops_left_are_compared_not_those_ordered():
    """Five were ordered and three are left: they meet three."""
    places = {RED: "D4:5", GREEN: "C4:2", BLUE: "D3:3"}
    state = position(4, places, first=GREEN, equal="bounce")

    state = play(state, "D4-5-D3", "C4-2-D4", "pass", "pass")

    assert "red bounce" in results(state)
    assert troops(state, BLUE) == "D3:3"


@pytest.mark.parametrize("equal", ["bounce", "choice"])
def test_unequal_numbers_fight_whatever_the_option_for_equal_ones(equal):
    state = position(4, {RED: "E4:5", GREEN: "E3:4"}, equal=equal)

    assert troops(play(state, "E4-5-E3", "pass", "pass", "pass"), RED) == "E3:1"
    assert troops(play(state, "E4-3-E3", "pass", "pass", "pass"), GREEN) == "E3:1"


def test_with_choice_only_the_attacker_is_asked_at_that_moment():
    state = position(4, {RED: "E4:5", GREEN: "E3:4", BLUE: "G7:10"}, first=BLUE, equal="choice")

    state = play(state, "E4-4-E3", "E3-4-D3", "G7-1-H7", "pass")

    assert CONQUEST.awaiting(state) == {0}
    assert listed(state, 0) == ["fight", "hold"]
    assert listed(state, 1) == []
    assert troops(state, BLUE) == "G7:9 H7:1"  # executed before
    assert troops(state, GREEN) == "E3:4"  # its order comes later
    with pytest.raises(
        IllegalMoveError, match=(r"The numbers are equal on both sides: write fight or hold\.")
    ):
        check(state, 0, "pass")


def test_a_choice_to_fight_annihilates_both_and_the_turn_goes_on():
    state = position(4, {RED: "E4:5", GREEN: "E3:4"}, equal="choice")

    state = play(play(state, "E4-4-E3", "E3-4-D3", "pass", "pass"), "fight")

    assert troops(state, RED) == "E4:1"
    assert results(state) == ["red battle", "green empty", "blue pass", "yellow pass"]
    assert bank(state, RED, GREEN) == [9, 10]


def test_a_choice_to_hold_changes_nothing_and_the_turn_goes_on():
    state = position(4, {RED: "E4:5", GREEN: "E3:4"}, equal="choice")

    state = play(play(state, "E4-4-E3", "E3-4-D3", "pass", "pass"), "hold")

    assert troops(state, RED) == "E4:5"
    assert troops(state, GREEN) == "D3:4"
    assert results(state) == ["red hold", "green march", "blue pass", "yellow pass"]


def test_choices_are_asked_one_conflict_at_a_time():
    state = position(4, {RED: "E4:5", GREEN: "E3:4", BLUE: "D3:2"}, equal="choice")

    state = play(state, "E4-4-E3", "E3-2-D3", "D3-1-C3", "pass")
    assert CONQUEST.awaiting(state) == {0}
    state = play(state, "hold")
    assert CONQUEST.awaiting(state) == {1}
    state = play(state, "hold")

    assert troops(state, BLUE) == "C3:1 D3:1"


@pytest.mark.parametrize(("first", "shows"), [(RED, True), (GREEN, False)])
def test_a_choice_reveals_hidden_orders_if_others_wait_for_it(first, shows):
    """Red is the first to move here, or the last."""
    state = position(4, {RED: "E4:5", GREEN: "E3:4"}, first=first, equal="choice")

    state = play(state, "E4-4-E3", "pass", "pass", "pass")

    assert CONQUEST.awaiting(state) == {0}
    assert CONQUEST.shows_hidden(state, Seat(0), CONQUEST.parse("hold")) is shows


def test_equality_compares_the_troops_that_really_move_with_the_whole_stack():
    """Five were ordered and three are left: they meet three."""
    places = {RED: "D4:5", GREEN: "C4:2", BLUE: "D3:3"}
    state = position(4, places, first=GREEN, equal="choice")

    state = play(state, "D4-5-D3", "C4-2-D4", "pass", "pass")

    assert CONQUEST.awaiting(state) == {0}
    assert state.contest is not None
    assert state.contest.troops == 3
