"""Divide & Conquer (board): leaving, and running out of time (R37, R38)."""

import pytest

from games.conquest import CONQUEST
from games.core import IllegalMoveError
from tests.support.conquest_states import (
    BLUE,
    CHANCE,
    GREEN,
    RED,
    YELLOW,
    concede,
    listed,
    play,
    position,
    results,
    troops,
)

ALL_PASS = ("pass", "pass", "pass", "pass")


def test_leaving_while_all_plan_leaves_the_others_planning():
    state = concede(position(4), 2)

    assert CONQUEST.awaiting(state) == {0, 1, 3}
    assert troops(state, BLUE) == "F6:10"


def test_the_turn_goes_on_if_the_last_seat_that_was_planning_leaves():
    state = concede(position(4, {GREEN: "", BLUE: "", YELLOW: ""}), 0)

    assert results(state) == ["green pass", "blue pass", "yellow pass"]
    assert CONQUEST.awaiting(state) == {1}


def test_troops_of_a_seat_that_left_stay_and_defend():
    state = concede(position(4, {RED: "E4:4", GREEN: "E3:6"}), 1)

    state = play(state, "E4-4-E3", "pass", "pass")

    assert troops(state, GREEN) == "E3:2"
    assert state.banks[GREEN] == 8
    assert CONQUEST.awaiting(state) == {0}  # and never reinforce


def test_unexecuted_orders_of_a_seat_that_left_are_void():
    state = position(4, {RED: "E4:5", GREEN: "E3:4"}, equal="choice")
    state = play(state, "E4-4-E3", "pass", "F6-1-G6", "F5-1-F4")

    state = play(concede(state, 2), "hold")

    assert troops(state, BLUE) == "F6:10"
    assert troops(state, YELLOW) == "F4:1 F5:9"
    assert results(state) == ["red hold", "green pass", "yellow march"]


def test_an_order_that_waits_for_its_own_choice_is_void_if_its_seat_leaves():
    state = position(4, {RED: "E4:5", GREEN: "E3:4"}, equal="choice")
    state = play(state, "E4-4-E3", "E3-4-D3", "pass", "pass")

    state = concede(state, 0)

    assert troops(state, RED) == "E4:5"
    assert troops(state, GREEN) == "D3:4"
    assert results(state) == ["red void", "green march", "blue pass", "yellow pass"]


@pytest.mark.parametrize("seats", [3, 4])
def test_a_choice_against_the_troops_of_a_seat_that_left_is_still_asked(seats):
    state = position(seats, {RED: "E4:5", GREEN: "E3:4"}, equal="choice")
    state = play(state, "E4-4-E3", "E3-4-D3", *["pass"] * (seats - 2))

    state = concede(state, 1)
    assert CONQUEST.awaiting(state) == {0}
    state = play(state, "fight")

    assert troops(state, RED) == "E4:1"
    assert troops(state, GREEN) == ""


def test_equal_troops_of_a_seat_that_left_still_cause_a_choice():
    state = concede(position(4, {RED: "E4:5", GREEN: "E3:4"}, equal="choice"), 1)

    state = play(state, "E4-4-E3", "pass", "pass")

    assert CONQUEST.awaiting(state) == {0}
    assert listed(state, 0) == ["fight", "hold"]


def test_equal_troops_of_a_seat_that_left_bounce_like_any_others():
    state = concede(position(4, {RED: "E4:5", GREEN: "E3:4"}, equal="bounce"), 1)

    state = play(state, "E4-4-E3", "pass", "pass")

    assert results(state)[0] == "red bounce"
    assert troops(state, GREEN) == "E3:4"


@pytest.mark.parametrize("reinforce", ["in-order", "together"])
def test_leaving_during_reinforcement_passes_it_to_the_next_seat(reinforce):
    places = {RED: "E5:9", GREEN: "E6:9", BLUE: "F6:9"}
    state = play(position(4, places, reinforce=reinforce), *ALL_PASS)

    state = concede(state, 0)
    assert CONQUEST.awaiting(state) == ({1} if reinforce == "in-order" else {1, 2})
    state = concede(state, 1)
    assert CONQUEST.awaiting(state) == {2}
    state = concede(state, 2)

    assert CONQUEST.awaiting(state) == frozenset()
    assert CONQUEST.outcome(state).ranks == (4, 3, 2, 1)


def test_a_seat_that_leaves_before_its_reinforcement_is_skipped():
    places = {RED: "E5:9", GREEN: "E6:9", BLUE: "F6:9"}
    state = play(position(4, places), *ALL_PASS)

    state = concede(state, 1)
    assert CONQUEST.awaiting(state) == {0}
    state = play(state, "none")

    assert CONQUEST.awaiting(state) == {2}


def test_the_next_turn_begins_if_the_last_seat_that_could_reinforce_leaves():
    state = concede(play(position(4, {RED: "E5:9"}), *ALL_PASS), 0)

    assert state.turn == 2
    assert CONQUEST.awaiting(state) == {1, 2, 3}


def test_the_last_seat_that_stays_wins_at_once_and_scores_stay_as_they_are():
    state = concede(position(4, {RED: "E5:5 A9:1", BLUE: "F6:9 J2:1"}), 2, 1, 0)

    outcome = CONQUEST.outcome(state)
    assert outcome.ranks == (2, 3, 4, 1)
    assert outcome.scores == (1, 0, 1, 0)
    assert outcome.reason == "everybody else has left"


def test_seats_that_left_rank_last_even_if_they_hold_the_most():
    state = position(3, {RED: "A9:1 G10:1 J7:1", GREEN: "E6:9", BLUE: "F6:8"}, turn_limit=1)
    state = play(concede(state, 0), "pass", "pass")
    state = play(play(state, "none"), "none")

    outcome = CONQUEST.outcome(state)
    assert outcome.ranks == (3, 1, 2)
    assert outcome.scores == (3, 0, 0)
    assert outcome.reason == "as many objectives but more troops after 1 turn, 9 to 8"


def test_nobody_can_leave_twice():
    with pytest.raises(IllegalMoveError, match=r"This seat is no longer in the match\."):
        concede(position(4), 1, 1)


def test_a_seat_out_of_time_passes_holds_and_places_nothing():
    planning = position(4, {RED: "E4:5", GREEN: "E3:4"}, equal="choice")
    choosing = play(planning, "E4-4-E3", "pass", "pass", "pass")
    reinforcing = play(choosing, "fight")

    fallbacks = [CONQUEST.fallback(s, 0, CHANCE) for s in (planning, choosing, reinforcing)]

    assert [str(fallback) for fallback in fallbacks] == ["pass", "hold", "none"]
