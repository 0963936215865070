"""Divide & Conquer (board): orders, movement and victory (R12-R14, R19)."""

import pytest

from games.conquest import CONQUEST, Options, Order, Plan
from games.core import IllegalMoveError
from tests.support.conquest_states import (
    BLUE,
    GREEN,
    RED,
    YELLOW,
    check,
    concede,
    listed,
    move,
    play,
    position,
    results,
    troops,
)


def test_everybody_begins_with_ten_troops_on_their_headquarters_and_plans():
    state = position(4)

    assert [troops(state, b) for b in (RED, GREEN, BLUE, YELLOW)] == [
        "E5:10",
        "E6:10",
        "F6:10",
        "F5:10",
    ]
    assert CONQUEST.awaiting(state) == {0, 1, 2, 3}


def test_the_rulebooks_order_moves_nine_and_leaves_one():
    state = play(position(4), "E5-9-D4", "pass", "pass", "pass")

    assert troops(state, RED) == "D4:9 E5:1"


def test_an_order_is_one_to_all_troops_of_a_square_one_step():
    texts = listed(position(4), 0)

    assert texts == ["pass"] + [
        f"E5-{n}-{target}" for target in ("D4", "D5", "D6", "E4", "F4") for n in range(1, 11)
    ]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("D4-1-D5", "Red has no troops on D4. It has some on E5."),
        ("F6-1-G6", "Red has no troops on F6. It has some on E5."),
        ("E5-11-D4", "you can send 1 to 10 troops of the red battalion, not 11."),
        ("E5-1-C5", "one step to a neighboring square, and C5 isn't next to E5."),
        ("E5-1-E5", "E5 isn't next to E5."),
        ("E5-1-E6", "E6 is marked for the green battalion, so the red battalion can't enter it."),
        ("+E5", "It's time to plan: write an order like E5-9-D4, or pass."),
        ("hold", "It's time to plan:"),
        ("E5-1-D4 / pass", "You command one battalion, so write one order"),
    ],
)
def test_an_order_that_is_invalid_when_written_is_refused_with_the_reason(text, sentence):
    with pytest.raises(IllegalMoveError) as refused:
        check(position(4), 0, text)

    assert sentence in str(refused.value)


def test_an_order_from_an_empty_square_is_told_all_squares_with_troops():
    state = position(4, {RED: "C4:2 D4:3 E5:5"})

    with pytest.raises(IllegalMoveError) as refused:
        check(state, 0, "D6-1-D5")

    assert str(refused.value) == "Red has no troops on D6. It has some on C4, D4 and E5."


def test_an_order_for_more_than_a_single_troop_is_refused_in_the_singular():
    with pytest.raises(IllegalMoveError) as refused:
        check(position(4, {RED: "D4:1"}), 0, "D4-2-D5")

    assert str(refused.value) == "From D4, you can send 1 troop of the red battalion, not 2."


@pytest.mark.parametrize("wrong", [Plan((Order("E5", 0, "D4"),)), Plan((9,)), Plan(())])
def test_moves_that_cannot_be_written_are_refused(wrong):
    with pytest.raises(IllegalMoveError):
        CONQUEST.check(position(4), 0, wrong)


def test_every_listed_order_is_legal_and_every_other_step_is_not():
    state = position(4, {RED: "H2:2 I9:1 E5:4", GREEN: "H1:3"})
    squares = [f"{row}{column}" for row in "ABCDEFGHIJ" for column in range(1, 11)]
    legal = set()
    for source in ("H2", "I9", "E5", "H1", "A1"):
        for target in squares:
            for n in range(5):
                try:
                    CONQUEST.check(state, 0, Plan((Order(source, n, target),)))
                except IllegalMoveError:
                    continue
                legal.add(f"{source}-{n}-{target}")

    assert legal == set(listed(state, 0)) - {"pass"}
    assert "H2-2-G1" not in legal  # an objective of the green battalion
    assert "H2-2-I1" in legal  # an objective of its own
    assert "H2-1-H1" in legal  # an attack


def test_squares_marked_for_a_seat_that_conceded_stay_closed():
    state = concede(position(4), 1)

    assert "E5-1-E6" not in listed(state, 0)


def test_squares_marked_for_a_battalion_nobody_plays_are_ordinary_squares():
    state = play(position(3, {RED: "E5:9 C1:1"}), "E5-4-F5", "pass", "pass")

    assert troops(state, RED) == "C1:1 E5:5 F5:4"
    assert "C1-1-B1" in listed(state, 0)


def test_only_awaited_seats_have_moves():
    state = position(4, {RED: ""})

    assert CONQUEST.awaiting(state) == {1, 2, 3}
    assert listed(state, 0) == []
    with pytest.raises(IllegalMoveError, match=r"You have nothing to do right now\."):
        check(state, 0, "pass")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"equal": "draw"}, "The option equal must be one of annihilate, choice, bounce."),
        ({"equal": None}, "The option equal must be one of annihilate, choice, bounce."),
        ({"reinforce": "in_order"}, "The option reinforce must be one of in-order, together."),
        ({"goal": []}, "The option goal must be one of either, both."),
        ({"redeployment": 1}, "The option redeployment must be True or False."),
        ({"signal": "on"}, "The option signal must be True or False."),
        ({"turn_limit": 0}, "The turn limit must be a whole number of turns, at least 1."),
        ({"turn_limit": True}, "The turn limit must be a whole number of turns, at least 1."),
        ({"turn_limit": 1.5}, "The turn limit must be a whole number of turns, at least 1."),
        ({"turn_limit": None}, "The turn limit must be a whole number of turns, at least 1."),
    ],
)
def test_options_out_of_range_are_refused_with_a_sentence(arguments, sentence):
    with pytest.raises(ValueError, match=r"\.$") as refused:
        Options(**arguments)

    assert str(refused.value) == sentence


def test_the_defaults_are_those_of_the_rulings():
    assert CONQUEST.presets == {"standard": Options()}
    assert Options() == Options(
        equal="annihilate",
        reinforce="in-order",
        redeployment=False,
        signal=False,
        goal="either",
        turn_limit=100,
    )


@pytest.mark.parametrize("seats", [-1, 0, 1, 5, 9])
def test_other_numbers_of_players_are_refused(seats):
    assert not CONQUEST.fits(Options(), seats)
    with pytest.raises(ValueError, match=r"for 2, 3 or 4 players"):
        position(seats)


def test_orders_are_executed_clockwise_from_the_initiative():
    state = play(position(4, first=BLUE), "pass", "pass", "pass", "pass")

    assert state.last is not None
    assert [m.battalion for m in state.last.movements] == [BLUE, YELLOW, RED, GREEN]


def test_an_order_from_a_square_that_was_taken_lapses():
    state = position(4, {RED: "D4:3", GREEN: "C4:5"}, first=GREEN)

    state = play(state, "D4-3-D3", "C4-4-D4", "pass", "pass")

    assert results(state) == ["green battle", "blue pass", "yellow pass", "red taken"]
    assert troops(state, RED) == ""
    assert troops(state, GREEN) == "C4:1 D4:1"


def test_an_order_from_a_square_that_was_emptied_lapses():
    state = position(4, {RED: "D4:3", GREEN: "C4:5"}, first=GREEN)

    state = play(state, "D4-3-D3", "C4-3-D4", "pass", "pass")

    assert results(state) == ["green battle", "blue pass", "yellow pass", "red empty"]


def test_if_fewer_troops_are_left_than_ordered_all_that_are_left_move():
    state = position(4, {RED: "D4:5", GREEN: "C4:5"}, first=GREEN)

    state = play(state, "D4-5-D3", "C4-2-D4", "pass", "pass")

    assert troops(state, RED) == "D3:3"
    assert state.current.movements[-1].moved == 3
    assert state.current.movements[-1].order == Order("D4", 5, "D3")


def test_if_enough_troops_are_left_as_many_move_as_ordered():
    state = position(4, {RED: "D4:5", GREEN: "C4:5"}, first=GREEN)

    state = play(state, "D4-2-D3", "C4-2-D4", "pass", "pass")

    assert troops(state, RED) == "D3:2 D4:1"


def test_own_troops_that_meet_merge_without_limit():
    state = position(4, {RED: "D4:6 D5:4"})

    state = play(state, "D4-6-D5", "pass", "pass", "pass")

    assert troops(state, RED) == "D5:10"


def test_an_order_onto_a_square_that_was_left_meanwhile_is_a_march():
    state = position(4, {RED: "D4:5", GREEN: "C4:5"}, first=GREEN)

    state = play(state, "D4-5-C4", "C4-5-B4", "pass", "pass")

    assert troops(state, RED) == "C4:5"
    assert troops(state, GREEN) == "B4:5"


def test_a_troop_on_all_four_objectives_wins_at_once_and_later_orders_are_not_executed():
    state = position(4, {RED: "A9:1 G10:1 J7:1 H1:2"}, first=YELLOW)

    state = play(state, "H1-1-I1", "E6-1-D6", "pass", "F5-1-F4")

    outcome = CONQUEST.outcome(state)
    assert CONQUEST.awaiting(state) == frozenset()
    assert troops(state, YELLOW) == "F4:1 F5:9"
    assert troops(state, GREEN) == "E6:10"
    assert outcome.ranks[0] == 1
    assert outcome.scores == (4, 0, 0, 0)
    assert outcome.reason == "all objectives of the red battalion held on turn 1"


def test_several_troops_hold_an_objective_like_one():
    state = position(4, {RED: "A9:3 G10:2 J7:2 H1:2"})

    state = play(state, "H1-2-I1", "pass", "pass", "pass")

    assert CONQUEST.outcome(state).scores == (4, 0, 0, 0)
    assert CONQUEST.outcome(state).ranks[0] == 1


def test_three_objectives_do_not_win():
    state = position(4, {RED: "A9:1 G10:1 H1:2"})

    state = play(state, "H1-1-I1", "pass", "pass", "pass")

    assert CONQUEST.outcome(state) is None


def test_the_objectives_must_be_held_at_the_same_moment():
    state = position(4, {RED: "A9:1 G10:1 J7:1 H1:2"})

    state = play(state, "A9-1-A8", "pass", "pass", "pass")
    state = play(state, "none")
    state = play(state, "H1-1-I1", "pass", "pass", "pass")

    assert CONQUEST.outcome(state) is None


def test_the_first_to_complete_in_the_order_of_the_turn_wins():
    places = {RED: "A9:1 G10:1 J7:1 H1:1", GREEN: "I10:1 J4:1 G1:1 A3:1"}
    state = position(4, places, first=GREEN)

    state = play(state, "H1-1-I1", "A3-1-A2", "pass", "pass")

    assert CONQUEST.outcome(state).ranks[1] == 1
    assert troops(state, RED) == "A9:1 G10:1 H1:1 J7:1"


def test_ranks_after_a_victory_go_by_objectives_then_troops_and_equals_share():
    places = {
        RED: "A9:1 G10:1 J7:1 H1:1",
        GREEN: "I10:1 J4:1",
        BLUE: "J2:1 F6:3",
        YELLOW: "B1:1 F5:3",
    }

    state = play(position(4, places), "H1-1-I1", "pass", "pass", "pass")

    outcome = CONQUEST.outcome(state)
    assert outcome.ranks == (1, 2, 3, 3)
    assert outcome.scores == (4, 2, 1, 1)


def test_a_match_that_is_won_accepts_no_more_moves():
    state = play(position(4, {RED: "A9:1 G10:1 J7:1 H1:1"}), "H1-1-I1", "pass", "pass", "pass")

    with pytest.raises(IllegalMoveError, match=r"over"):
        CONQUEST.play(state, {0: move("pass")}, None)
    with pytest.raises(IllegalMoveError, match=r"over"):
        concede(state, 1)
