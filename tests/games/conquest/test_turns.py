"""Divide & Conquer (board): reinforcement, the phases of a turn and its end (R12, R17-R23)."""

import pytest

from games.chance import Chance
from games.conquest import CONQUEST, Battalion, Options, Supply
from games.core import IllegalMoveError
from tests.support.conquest_states import (
    BLUE,
    GREEN,
    RED,
    YELLOW,
    check,
    concede,
    last_results,
    listed,
    play,
    position,
    results,
    troops,
)

ALL_PASS = ("pass", "pass", "pass", "pass")


def test_one_troop_a_turn_goes_from_the_bank_to_headquarters_or_own_troops():
    state = play(position(4, {RED: "E5:4 D4:3"}), *ALL_PASS)

    assert CONQUEST.awaiting(state) == {0}
    assert listed(state, 0) == ["none", "+E5", "+D4"]
    state = play(state, "+D4")
    assert troops(state, RED) == "D4:4 E5:4"
    assert state.banks[RED] == 2


def test_the_headquarters_can_be_reinforced_when_it_is_empty():
    state = play(position(4, {RED: "D4:3"}), *ALL_PASS)

    assert listed(state, 0) == ["none", "+E5", "+D4"]
    assert troops(play(state, "+E5"), RED) == "D4:3 E5:1"


def test_troops_on_an_objective_can_be_reinforced():
    state = play(position(4, {RED: "A9:3"}), *ALL_PASS)

    assert listed(state, 0) == ["none", "+E5", "+A9"]
    assert troops(play(state, "+A9"), RED) == "A9:4"


def test_reinforcement_is_optional():
    state = play(play(position(4, {RED: "D4:3"}), *ALL_PASS), "none")

    assert troops(state, RED) == "D4:3"
    assert state.turn == 2


def test_losses_of_this_turn_can_return_in_it():
    state = position(4, {RED: "E4:4 E5:6", GREEN: "E3:8 E6:2"})

    state = play(state, "E4-4-E3", "pass", "pass", "pass")
    state = play(play(state, "+E5"), "+E3")

    assert troops(state, RED) == "E5:7"
    assert troops(state, GREEN) == "E3:5 E6:2"


def test_without_losses_nobody_is_asked_and_the_next_turn_begins_automatically():
    state = play(position(4), "E5-1-D4", "pass", "pass", "pass")

    assert state.turn == 2
    assert CONQUEST.awaiting(state) == {0, 1, 2, 3}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("+D5", "Reinforcements of the red battalion go to E5 or a square where it has troops"),
        ("+F6", "go to E5 or a square where it has troops, not to F6."),
        ("D4>HQ", "This match has no redeployment"),
        ("pass", "It's time to reinforce: write a square like +E5, or none."),
        ("none / none", "You command one battalion, so write one reinforcement"),
    ],
)
def test_a_reinforcement_against_the_rules_is_refused_with_the_reason(text, sentence):
    state = play(position(4, {RED: "D4:3"}), *ALL_PASS)

    with pytest.raises(IllegalMoveError) as refused:
        check(state, 0, text)

    assert sentence in str(refused.value)


def test_seats_reinforce_one_after_another_in_initiative_order():
    places = {RED: "E5:9", GREEN: "E6:9", BLUE: "F6:9", YELLOW: "F5:9"}
    state = play(position(4, places, first=BLUE), *ALL_PASS)
    asked = []
    for _ in range(4):
        asked += CONQUEST.awaiting(state)
        state = play(state, "none")

    assert asked == [2, 3, 0, 1]
    assert state.turn == 2


def test_a_seat_with_nothing_to_place_is_skipped():
    state = play(position(4, {GREEN: "E6:9", YELLOW: "F5:9"}), *ALL_PASS)

    assert CONQUEST.awaiting(state) == {1}
    assert CONQUEST.awaiting(play(state, "+E6")) == {3}


def test_with_together_all_reinforce_at_once():
    places = {RED: "E5:9", GREEN: "E6:9", YELLOW: "F5:9"}
    state = play(position(4, places, first=YELLOW, reinforce="together"), *ALL_PASS)

    assert CONQUEST.awaiting(state) == {0, 1, 3}
    state = play(state, "+E5", "none", "+F5")

    assert (troops(state, RED), troops(state, GREEN)) == ("E5:10", "E6:9")
    assert state.last is not None
    assert [r.battalion for r in state.last.reserves] == [YELLOW, RED, GREEN]


def test_redeployment_takes_one_troop_from_anywhere_but_the_headquarters():
    state = play(position(4, {RED: "E5:4 D4:3 C3:3"}, redeployment=True), *ALL_PASS)

    assert CONQUEST.awaiting(state) == {0}
    assert listed(state, 0) == ["none", "C3>HQ", "D4>HQ"]  # even with an empty bank
    assert troops(play(state, "D4>HQ"), RED) == "C3:3 D4:2 E5:5"


def test_with_redeployment_a_seat_with_all_troops_at_home_is_not_asked():
    state = play(position(4, {RED: "E5:9 D4:1"}, redeployment=True), *ALL_PASS)

    assert CONQUEST.awaiting(state) == {0}
    assert play(state, "none").turn == 2


def test_redeployment_can_give_up_an_objective():
    state = play(position(4, {RED: "A9:1 E5:9"}, redeployment=True), *ALL_PASS)

    assert listed(state, 0) == ["none", "A9>HQ"]
    assert troops(play(state, "A9>HQ"), RED) == "E5:10"


def test_with_redeployment_the_troop_can_still_come_from_the_bank():
    state = play(position(4, {RED: "E5:4 D4:3"}, redeployment=True), *ALL_PASS)

    assert listed(state, 0) == ["none", "+E5", "+D4", "D4>HQ"]
    assert troops(play(state, "+E5"), RED) == "D4:3 E5:5"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("E5>HQ", "E5 is already the headquarters of the red battalion."),
        ("C4>HQ", "Red has no troops on C4. It has some on D4."),
        (
            "+D4",
            (
                "The bank of the red battalion is empty, so no troop can go to D4. Write none, or "
                "pull a troop back, like D4>HQ."
            ),
        ),
    ],
)
def test_a_redeployment_against_the_rules_is_refused_with_the_reason(text, sentence):
    state = play(position(4, {RED: "E5:4 D4:6"}, redeployment=True), *ALL_PASS)

    with pytest.raises(IllegalMoveError) as refused:
        check(state, 0, text)

    assert str(refused.value) == sentence


def test_a_reinforcement_that_cannot_be_written_is_refused():
    state = play(position(4, {RED: "D4:3"}), *ALL_PASS)

    with pytest.raises(IllegalMoveError, match=r"Write a square like \+E5"):
        CONQUEST.check(state, 0, Supply((9,)))


def test_a_battalion_without_troops_writes_no_order_but_can_reinforce():
    state = position(4, {RED: ""})

    state = play(state, "E6-1-D6", "pass", "pass")

    assert results(state)[0] == "red pass"
    assert listed(state, 0) == ["none", "+E5"]
    assert 0 in CONQUEST.awaiting(play(state, "+E5"))


def test_phases_in_which_nobody_is_awaited_are_skipped():
    """Nobody has troops left and nobody reinforces: the next question is about turn two's bank."""
    state = position(4, {RED: "D5:1", GREEN: "C5:1", BLUE: "", YELLOW: ""})

    state = play(state, "D5-1-C5", "pass")
    for _ in range(4):
        state = play(state, "none")

    assert state.turn == 2
    assert state.phase == "reinforcement"
    assert CONQUEST.awaiting(state) == {1}  # the initiative has moved on
    assert results(state) == ["green pass", "blue pass", "yellow pass", "red pass"]


@pytest.mark.parametrize(
    ("seats", "battalions"),
    [(2, [RED, GREEN, BLUE, YELLOW]), (3, [RED, GREEN, BLUE]), (4, list(Battalion))],
)
@pytest.mark.parametrize("seed", "0123456789")
def test_the_first_initiative_is_drawn_among_the_battalions_in_play(seats, battalions, seed):
    chance = Chance(seed * 64, 0)

    state = CONQUEST.setup(Options(), seats, chance)

    again = Chance(seed * 64, 0)
    assert state.initiative is again.pick(battalions)
    assert chance.below(10**9) == again.below(10**9)  # the only draw


@pytest.mark.parametrize(
    ("seats", "expected"),
    [
        (2, [BLUE, YELLOW, RED, GREEN, BLUE]),
        (3, [BLUE, RED, GREEN, BLUE]),
        (4, [BLUE, YELLOW, RED, GREEN, BLUE]),
    ],
)
def test_the_initiative_moves_clockwise_one_step_a_turn(seats, expected):
    state = position(seats, first=BLUE)
    seen = [state.initiative]
    for _ in expected[1:]:
        state = play(state, *(["pass / pass"] * 2 if seats == 2 else ["pass"] * seats))
        seen.append(state.initiative)

    assert seen == expected


def test_the_initiative_skips_a_battalion_that_left():
    state = play(concede(position(4, first=RED), 1), "pass", "pass", "pass")
    assert state.initiative is BLUE

    state = play(state, "pass", "pass", "pass")

    assert last_results(state) == ["blue pass", "yellow pass", "red pass"]
    assert state.initiative is YELLOW


def test_a_seat_that_leaves_with_the_initiative_passes_it_on_in_the_next_turn():
    state = play(concede(position(4, first=RED), 0), "pass", "pass", "pass")

    assert last_results(state) == ["green pass", "blue pass", "yellow pass"]
    assert state.initiative is GREEN


def test_the_turn_limit_ends_the_match_after_the_reinforcement_of_that_turn():
    places = {RED: "E5:8", GREEN: "E6:8", BLUE: "F6:8 J2:1", YELLOW: "F5:8"}
    state = play(position(4, places, turn=7, turn_limit=7), *ALL_PASS)

    assert CONQUEST.outcome(state) is None
    for text in ("+E5", "none", "none", "+F5"):
        state = play(state, text)

    outcome = CONQUEST.outcome(state)
    assert outcome.ranks == (2, 4, 1, 2)  # objectives first, then troops on the board
    assert outcome.scores == (0, 0, 1, 0)
    assert outcome.reason == "more objectives after 7 turns, 1 to 0"


@pytest.mark.parametrize(
    ("places", "ranks", "reason"),
    [
        (
            {RED: "E5:9", GREEN: "E6:9", BLUE: "F6:9", YELLOW: "F5:9"},
            (1, 1, 1, 1),
            "the same number of objectives and of troops after 1 turn",
        ),
        (
            {RED: "E5:9", YELLOW: "F5:9"},
            (3, 1, 1, 3),
            "the same number of objectives and of troops after 1 turn",
        ),
        (
            {RED: "E5:9", GREEN: "E6:9", YELLOW: "F5:8"},
            (2, 2, 1, 4),
            "as many objectives but more troops after 1 turn, 10 to 9",
        ),
    ],
)
def test_equal_objectives_are_decided_by_troops_and_otherwise_drawn(places, ranks, reason):
    state = play(position(4, places, turn_limit=1, reinforce="together"), *ALL_PASS)
    state = play(state, *["none"] * len(CONQUEST.awaiting(state)))

    assert CONQUEST.outcome(state).ranks == ranks
    assert CONQUEST.outcome(state).reason == reason


def test_a_limit_of_two_turns_is_described_in_the_plural():
    state = play(position(4, turn=2, turn_limit=2), *ALL_PASS)

    reason = "the same number of objectives and of troops after 2 turns"
    assert CONQUEST.outcome(state).reason == reason


def test_the_default_limit_is_a_hundred_turns():
    assert CONQUEST.outcome(play(position(4, turn=99), *ALL_PASS)) is None
    assert CONQUEST.outcome(play(position(4, turn=100), *ALL_PASS)) is not None


def test_the_option_signal_changes_nothing_in_the_rules():
    plain, signal = position(4), position(4, signal=True)

    assert signal.options.signal
    assert listed(signal, 0) == listed(plain, 0)
    assert play(signal, *ALL_PASS).current == play(plain, *ALL_PASS).current


def test_only_the_option_signal_says_whether_players_can_signal():
    others = {"equal": "choice", "reinforce": "together", "redeployment": True, "goal": "both"}

    for options in ({}, others):
        assert CONQUEST.has_signals(Options(**options, signal=True))
        assert not CONQUEST.has_signals(Options(**options))
