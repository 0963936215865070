"""Divide & Conquer (board) for two: each commands a team of two battalions (R17, R21)."""

import pytest

from games.conquest import CONQUEST, Plan
from games.conquest.parts import joined
from games.conquest.planning import can_order, orders_of
from games.core import IllegalMoveError
from tests.support.conquest_states import (
    BLUE,
    CHANCE,
    GREEN,
    RED,
    YELLOW,
    check,
    concede,
    listed,
    play,
    position,
    results,
    troops,
)

PASSES = ("pass / pass", "pass / pass")


def test_red_and_blue_play_against_yellow_and_green_with_ten_troops_each():
    state = position(2)

    assert [troops(state, b) for b in (RED, GREEN, BLUE, YELLOW)] == [
        "E5:10",
        "E6:10",
        "F6:10",
        "F5:10",
    ]
    assert CONQUEST.observe(state, None).teams == ((RED, BLUE), (YELLOW, GREEN))


def test_red_is_written_before_blue_and_yellow_before_green():
    state = play(position(2), "E5-1-D4 / F6-2-G7", "F5-3-G4 / E6-4-D7")

    assert troops(state, RED) == "D4:1 E5:9"
    assert troops(state, BLUE) == "F6:8 G7:2"
    assert troops(state, YELLOW) == "F5:7 G4:3"
    assert troops(state, GREEN) == "D7:4 E6:6"


def test_orders_are_executed_by_battalion_not_by_seat():
    state = play(position(2, first=GREEN), *PASSES)

    assert state.last is not None
    assert [m.battalion for m in state.last.movements] == [GREEN, BLUE, YELLOW, RED]


@pytest.mark.parametrize("text", ["pass", "E5-1-D4"])
def test_both_parts_are_always_written(text):
    with pytest.raises(IllegalMoveError, match=r"both orders, red before blue"):
        check(position(2), 0, text)


def test_a_plan_with_one_part_that_is_no_order_is_refused():
    with pytest.raises(IllegalMoveError, match="It's time to plan: write both orders"):
        CONQUEST.check(position(2), 0, Plan((None, 9)))


def test_both_parts_are_written_even_if_one_battalion_has_no_troops():
    state = position(2, {BLUE: ""})

    assert listed(state, 0)[:3] == ["pass / pass", "E5-1-D4 / pass", "E5-2-D4 / pass"]
    with pytest.raises(IllegalMoveError, match=r"both orders, red before blue"):
        check(state, 0, "E5-1-D4")
    check(state, 0, "E5-1-D4 / pass")
    with pytest.raises(IllegalMoveError, match=r"^Blue has no troops on E5\.$"):
        check(state, 0, "E5-1-D4 / E5-1-D4")


def test_a_seat_without_troops_is_not_asked_for_orders():
    assert CONQUEST.awaiting(position(2, {RED: "", BLUE: ""})) == {1}


def test_each_order_is_checked_for_its_own_battalion():
    with pytest.raises(IllegalMoveError, match=r"Red has no troops on F6\. It has some on E5\."):
        check(position(2), 0, "F6-1-G6 / E5-1-D4")


def test_squares_marked_for_the_partner_can_be_entered_and_those_for_opponents_not():
    state = position(2, {RED: "C10:5 E4:5", BLUE: "F7:10"})

    check(state, 0, "C10-1-B10 / pass")  # an objective of blue
    check(state, 0, "pass / F7-1-F6")  # blue goes home
    with pytest.raises(IllegalMoveError, match=r"D10 is marked for the yellow battalion"):
        check(state, 0, "C10-1-D10 / pass")


def test_the_partners_headquarters_can_be_entered_when_it_is_empty():
    state = play(position(2, {RED: "E5:5 E4:5", BLUE: "G7:10"}), "E5-5-F6 / pass", "pass / pass")

    assert troops(state, RED) == "E4:5 F6:5"


def test_an_order_onto_a_square_with_the_partner_is_refused_when_written():
    state = position(2, {BLUE: "C9:1 F6:9"})

    assert not any(text.startswith("E5-1-F6") for text in listed(state, 0))
    with pytest.raises(IllegalMoveError, match=r"Your other battalion is on F6"):
        check(state, 0, "E5-1-F6 / pass")


def test_an_order_is_refused_even_if_the_partner_is_ordered_away():
    with pytest.raises(IllegalMoveError, match=r"Your other battalion is on F6"):
        check(position(2), 0, "E5-1-F6 / F6-10-G6")


def test_both_can_order_onto_the_same_square_and_the_second_lapses_if_the_partner_is_there():
    state = position(2, {RED: "D4:5", BLUE: "D6:5"})

    state = play(state, "D4-5-D5 / D6-5-D5", "pass / pass")

    assert results(state)[0] == "red march"
    assert "blue partner" in results(state)
    assert troops(state, BLUE) == "D6:5"


def test_both_can_order_onto_the_same_square_and_the_second_enters_if_the_first_died_there():
    state = position(2, {RED: "D4:2", BLUE: "D6:5", GREEN: "D5:4"})

    state = play(state, "D4-2-D5 / D6-5-D5", "pass / pass")

    assert troops(state, RED) == ""
    assert troops(state, BLUE) == "D5:3"


def test_with_bounce_equal_battalions_of_two_teams_do_not_fight():
    state = position(2, {RED: "E4:5", GREEN: "E3:4"}, equal="bounce")

    state = play(state, "E4-4-E3 / pass", "pass / pass")

    assert results(state)[0] == "red bounce"
    assert troops(state, RED) == "E4:5"
    assert troops(state, GREEN) == "E3:4"


def test_a_battalion_without_an_open_square_can_only_pass():
    """In the corner between two squares marked for opponents and the partner."""
    state = position(2, {RED: "A1:1", BLUE: "B2:1"})

    assert listed(state, 0) == ["pass / pass"] + [
        f"pass / B2-1-{square}" for square in ("A3", "B3", "C1", "C2", "C3")
    ]


def test_a_battalion_that_only_its_partner_shuts_in_cannot_order():
    board = position(2, {RED: "A1:1", BLUE: "B2:1"}).board

    assert not can_order(board, 2, RED)
    assert can_order(board, 2, BLUE)
    assert orders_of(board, 2, RED) == (None,)


def test_a_seat_reinforces_when_it_is_its_first_battalions_turn():
    places = {RED: "E5:9", GREEN: "E6:9", BLUE: "F6:9", YELLOW: "F5:9"}
    state = play(position(2, places, first=GREEN), *PASSES)

    assert CONQUEST.awaiting(state) == {1}
    assert listed(state, 1) == ["none / none", "+F5 / +E6", "none / +E6", "+F5 / none"]
    state = play(state, "+F5 / +E6")
    assert CONQUEST.awaiting(state) == {0}
    state = play(state, "none / +F6")

    assert state.turn == 2
    assert troops(state, RED) == "E5:9"
    assert troops(state, BLUE) == "F6:10"
    assert troops(state, GREEN) == "E6:10"


def test_a_seat_reinforces_at_its_first_battalions_turn_even_if_only_the_second_can():
    state = play(position(2, {GREEN: "E6:9", BLUE: "F6:9"}, first=RED), *PASSES)

    assert CONQUEST.awaiting(state) == {0}
    assert listed(state, 0) == ["none / none", "none / +F6"]
    assert CONQUEST.awaiting(play(state, "none / +F6")) == {1}


def test_with_together_both_teams_reinforce_at_once():
    places = {RED: "E5:9", GREEN: "E6:9"}
    state = play(position(2, places, reinforce="together"), *PASSES)

    assert CONQUEST.awaiting(state) == {0, 1}
    state = play(state, "+E5 / none", "none / +E6")

    assert state.turn == 2
    assert (troops(state, RED), troops(state, GREEN)) == ("E5:10", "E6:10")


def test_both_parts_of_a_reinforcement_are_always_written():
    state = play(position(2, {RED: "E5:9"}), *PASSES)

    assert listed(state, 0) == ["none / none", "+E5 / none"]
    with pytest.raises(IllegalMoveError, match=r"both reinforcements, red before blue"):
        check(state, 0, "+E5")


def test_a_partner_on_the_headquarters_blocks_reinforcement_and_redeployment_there():
    places = {RED: "D4:4", BLUE: "E5:10"}
    state = play(position(2, places, redeployment=True), *PASSES)

    assert set(listed(state, 0)) == {
        "none / none",
        "+D4 / none",
        "none / E5>HQ",
        "+D4 / E5>HQ",
    }
    for text in ("+E5 / none", "D4>HQ / none"):
        with pytest.raises(IllegalMoveError, match=r"Your other battalion is on E5"):
            check(state, 0, text)


def test_no_refusal_advises_a_square_that_the_partner_blocks():
    state = play(position(2, {RED: "D4:4 C3:1", BLUE: "E5:9"}, redeployment=True), *PASSES)

    for text, sentence in {
        "+D9 / none": "Reinforcements of the red battalion go to a square where it has troops, not "
        "to D9.",
        "+D4 / +D9": "Reinforcements of the blue battalion go to F6 or a square where it has "
        "troops, not to D9.",
    }.items():
        with pytest.raises(IllegalMoveError) as refused:
            check(state, 0, text)
        assert str(refused.value) == sentence


def test_an_empty_bank_is_not_told_to_pull_back_onto_its_partner():
    state = play(position(2, {RED: "D4:10", BLUE: "E5:9"}, redeployment=True), *PASSES)

    with pytest.raises(IllegalMoveError, match=r"can go to D4\. Write none / none\.$"):
        check(state, 0, "+D4 / none")


def test_a_partner_on_the_headquarters_blocks_redeployment_even_with_an_empty_bank():
    places = {RED: "D4:10", BLUE: "E5:10"}
    state = play(position(2, places, redeployment=True), *PASSES)

    assert listed(state, 0) == ["none / none", "none / E5>HQ"]
    with pytest.raises(IllegalMoveError, match=r"Your other battalion is on E5"):
        check(state, 0, "D4>HQ / none")


def test_both_battalions_of_a_team_can_redeploy():
    places = {RED: "E5:9 D4:1", BLUE: "F6:8 G7:2"}
    state = play(position(2, places, redeployment=True), *PASSES)

    state = play(state, "D4>HQ / G7>HQ")

    assert troops(state, RED) == "E5:10"
    assert troops(state, BLUE) == "F6:9 G7:1"


def test_each_part_of_a_reinforcement_is_checked_for_its_own_battalion():
    state = play(position(2, {RED: "D4:3", BLUE: "G7:3"}), *PASSES)

    check(state, 0, "+D4 / +G7")
    with pytest.raises(IllegalMoveError, match=r"of the blue battalion go to F6 .*, not to D4\."):
        check(state, 0, "+D4 / +D4")


def test_both_parts_are_checked_before_either_is_applied():
    """Blue's last troop leaves red's headquarters in the same move, but still blocks it."""
    places = {RED: "D4:4", BLUE: "E5:1"}
    state = play(position(2, places, redeployment=True), *PASSES)

    with pytest.raises(IllegalMoveError, match=r"Your other battalion is on E5"):
        check(state, 0, "+E5 / E5>HQ")


def test_only_a_battalions_own_troops_hold_its_objectives():
    state = position(2, {RED: "A9:1 G10:1 J7:1 E5:5", BLUE: "I2:1 F6:9"})

    state = play(state, "pass / I2-1-I1", "pass / pass")

    assert CONQUEST.outcome(state) is None
    assert CONQUEST.observe(state, None).objectives == (3, 0, 0, 0)


@pytest.mark.parametrize("goal", ["either", "both"])
def test_one_complete_battalion_wins_unless_the_goal_is_both(goal):
    state = position(2, {RED: "A9:1 G10:1 J7:1 H1:1"}, goal=goal)

    state = play(state, "H1-1-I1 / pass", "pass / pass")

    assert (CONQUEST.outcome(state) is not None) == (goal == "either")


def test_only_the_complete_battalion_of_a_team_is_said_to_have_won():
    state = position(2, {RED: "A9:1", BLUE: "J2:1 D1:1 A4:1 C10:1"})

    state = play(state, "pass / C10-1-B10", "pass / pass")

    reason = "all objectives of the blue battalion held on turn 1"
    assert CONQUEST.outcome(state).reason == reason


def test_with_the_goal_both_both_battalions_must_be_complete_at_the_same_moment():
    places = {RED: "A9:1 G10:1 J7:1 I1:1", BLUE: "J2:1 D1:1 A4:1 C10:1"}
    state = play(position(2, places, goal="both"), "pass / C10-1-B10", "pass / pass")

    outcome = CONQUEST.outcome(state)
    assert outcome.ranks == (1, 2)
    assert outcome.scores == (8, 0)
    assert outcome.reason == (
        "all objectives of the red battalion and the blue battalion held on turn 1"
    )


@pytest.mark.parametrize("seats", [3, 4])
def test_the_goal_both_is_ignored_with_more_seats(seats):
    state = position(seats, {RED: "A9:1 G10:1 J7:1 H1:1"}, goal="both")

    state = play(state, "H1-1-I1", *["pass"] * (seats - 1))

    assert CONQUEST.outcome(state).ranks[0] == 1


@pytest.mark.parametrize("turn", [1, 100], ids=["first turn", "last turn"])
def test_the_winner_is_first_even_against_a_team_that_holds_more(turn):
    places = {
        RED: "A9:1 G10:1 J7:1 H1:1",
        GREEN: "I10:1 J4:1 G1:1",
        YELLOW: "B1:1 A7:1 D10:1",
    }

    state = play(position(2, places, turn=turn), "H1-1-I1 / pass", "pass / pass")

    assert CONQUEST.outcome(state).ranks == (1, 2)
    assert CONQUEST.outcome(state).scores == (4, 6)


def test_at_the_limit_objectives_and_troops_of_both_battalions_are_added():
    places = {RED: "A9:1 E5:9", BLUE: "J2:1 F6:8", GREEN: "I10:1 J4:1 E6:8"}
    state = play(position(2, places, turn_limit=1), *PASSES)
    state = play(state, "none / none")

    outcome = CONQUEST.outcome(state)
    assert outcome.scores == (2, 2)
    assert outcome.ranks == (2, 1)
    assert outcome.reason == "as many objectives but more troops after 1 turn, 20 to 19"


def test_conceding_loses_at_once_in_every_phase():
    planning = position(2, {RED: "E4:5", GREEN: "E3:4"}, equal="choice")
    choosing = play(planning, "E4-4-E3 / pass", "pass / E3-4-D3")
    reinforcing = play(choosing, "hold")

    for state in (planning, choosing, reinforcing):
        for seat in (0, 1):
            after = concede(state, seat)
            assert CONQUEST.awaiting(after) == frozenset()
            assert CONQUEST.outcome(after).ranks[seat] == 2
            assert after.board == state.board


def test_the_fallback_of_a_team_has_both_parts():
    assert str(CONQUEST.fallback(position(2), 0, CHANCE)) == "pass / pass"
    reinforcing = play(position(2, {YELLOW: "F5:9"}), *PASSES)
    assert str(CONQUEST.fallback(reinforcing, 1, CHANCE)) == "none / none"


def test_at_least_200_joint_orders_are_listed_and_contain_every_single_order():
    state = position(2)
    texts = listed(state, 0)
    parts = [text.split(" / ") for text in texts]

    assert 200 <= len(texts) == len(set(texts)) < 400
    assert texts[0] == "pass / pass"
    assert len({red for red, _ in parts}) == 1 + 10 * 5
    assert len({blue for _, blue in parts}) == 1 + 10 * 5
    check(state, 0, "E5-10-D4 / F6-1-G7")  # the check decides, not the list


@pytest.mark.parametrize(("m", "n"), [(1, 1), (1, 300), (3, 5), (14, 14), (15, 15), (7, 60)])
def test_few_joint_moves_are_listed_completely_and_of_many_every_part(m, n):
    for first, second in ((m, n), (n, m)):
        pairs = list(joined(range(first), range(second)))
        assert len(set(pairs)) == len(pairs) >= min(first * second, 200)
        assert {i for i, _ in pairs} == set(range(first))
        assert {j for _, j in pairs} == set(range(second))
