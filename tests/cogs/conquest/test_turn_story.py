"""The story of a turn of Divide & Conquer (board), with every kind of event."""

from dataclasses import replace

import pytest

from cogs.conquest.turn_story import story
from games.conquest import CONQUEST
from tests.support.conquest_states import BLUE, GREEN, RED, YELLOW, concede, play, position

NAMES = ("Ann", "Bo", "Cleo", "Dan")
EQUAL = {RED: "D4:3", GREEN: "D5:3"}
MEETING = "1. 🔴 Ann attacks D5 from D4 with 3 against 3 of 🟩 Bo: "


def told_of(state, *moves):
    return story(CONQUEST.observe(play(state, *moves), None), NAMES)


def test_the_beginning_says_who_has_the_initiative():
    view = CONQUEST.observe(position(3, first=GREEN), None)

    assert story(view, NAMES) == (
        "Each battalion starts with ten troops in the center. 🟩 Bo has the initiative: "
        "their order comes first."
    )


def test_a_player_who_has_left_no_longer_has_the_initiative():
    state = concede(position(3, first=GREEN), 1)
    begun = story(CONQUEST.observe(state, None), NAMES)
    revealed = told_of(state, "pass", "pass")

    assert "🔷 Cleo has the initiative: their order comes first." in begun
    assert revealed.startswith("🔷 Cleo has the initiative. Turn 1 was revealed, 🔷 Cleo first:")


def test_nobody_has_the_initiative_if_no_turn_follows():
    begun = position(3, first=GREEN)
    views = [CONQUEST.observe(state, None) for state in (begun, play(begun, *["pass"] * 3))]

    told_all = [story(replace(view, awaiting=frozenset()), NAMES) for view in views]

    assert told_all[0] == "Each battalion starts with ten troops in the center."
    assert told_all[1].startswith("Turn 1 was revealed, 🟩 Bo first:")


def test_the_first_order_of_a_turn_stays_the_first_when_its_player_leaves():
    state = play(position(3, EQUAL, equal="choice"), "D4-3-D5", "pass", "pass")

    told_all = story(CONQUEST.observe(concede(state, 0), None), NAMES)

    assert "Turn 1 was revealed, 🔴 Ann first:" in told_all


@pytest.mark.parametrize(
    ("troops", "moves", "line"),
    [
        ({}, "pass", "1. 🔴 Ann passes."),
        ({}, "E5-9-D4", "1. 🔴 Ann moves 9 from E5 to D4."),
        ({RED: "B8:2"}, "B8-2-A9", "1. 🔴 Ann moves 2 from B8 to A9, an objective."),
        (
            {RED: "D6:6", GREEN: "D7:4"},
            "D6-6-D7",
            (
                "1. 🔴 Ann attacks D7 from D6 with 6: meets 4 troops of 🟩 Bo. Each loses 4; "
                "🔴 takes D7 with 2."
            ),
        ),
        (
            {RED: "D6:4", GREEN: "D7:4"},
            "D6-4-D7",
            (
                "1. 🔴 Ann attacks D7 from D6 with 4: meets 4 troops of 🟩 Bo. All are lost; "
                "D7 is empty."
            ),
        ),
        (
            {RED: "E3:4", GREEN: "E4:8"},
            "E3-4-E4",
            (
                "1. 🔴 Ann attacks E4 from E3 with 4: meets 8 troops of 🟩 Bo. Each loses 4; "
                "🟩 keeps E4 with 4."
            ),
        ),
    ],
    ids=["pass", "march", "objective", "won", "annihilated", "lost"],
)
def test_an_order_is_told_with_its_result(troops, moves, line):
    assert line in told_of(position(3, troops), moves, "pass", "pass").splitlines()


@pytest.mark.parametrize(
    ("green", "line"),
    [
        (
            "D6-4-D5",
            "3. 🔴 Ann moves only 1 of 5 from D5 to C5: no more are left.",
        ),
        ("D6-5-D5", "3. 🔴 Ann's D5-5-C5 lapses: nobody is left on D5."),
        ("D6-6-D5", "3. 🔴 Ann's D5-5-C5 lapses: D5 was taken."),
    ],
    ids=["fewer", "empty", "taken"],
)
def test_an_order_that_earlier_orders_changed_is_told(green, line):
    state = position(3, {RED: "D5:5", GREEN: "D6:6"}, first=GREEN)

    assert line in told_of(state, "D5-5-C5", green, "pass").splitlines()


def test_an_order_lapses_if_the_partners_troops_came_first():
    state = position(2, {RED: "C4:2", BLUE: "C6:2"})

    told_all = told_of(state, "C4-2-C5 / C6-2-C5", "pass / pass")

    assert "🔷 Ann's C6-2-C5 lapses: their partner is on C5." in told_all


def test_equals_that_bounce_are_told():
    state = position(3, EQUAL, equal="bounce")

    lines = told_of(state, "D4-3-D5", "pass", "pass").splitlines()

    assert f"{MEETING}turns back, no losses." in lines


def test_a_commanders_choice_is_asked_and_told():
    state = play(position(3, EQUAL, equal="choice"), "D4-3-D5", "pass", "pass")

    asked = story(CONQUEST.observe(state, None), NAMES)
    held = told_of(state, "hold")
    fought = told_of(state, "fight")

    assert f"{MEETING}**fight or hold?**" in asked
    assert asked.startswith("Turn 1 is being revealed, 🔴 Ann first:")
    assert "Still sealed: the orders of 🟩 Bo and 🔷 Cleo." in asked
    assert held.splitlines()[0].endswith("Turn 1 was revealed, 🔴 Ann first:")
    assert f"{MEETING}holds back, so nothing changes." in held
    assert "chooses to fight and meets 3 troops of 🟩 Bo. All are lost" in fought


def test_a_choice_that_was_never_made_is_told():
    state = concede(play(position(3, EQUAL, equal="choice"), "D4-3-D5", "pass", "pass"), 0)

    told_all = story(CONQUEST.observe(state, None), NAMES)

    assert f"{MEETING}no choice was made, so nothing changes." in told_all
    assert "Ann is out; their troops stay and defend." in told_all


def test_reinforcement_and_redeployment_are_told():
    state = position(2, {RED: "E5:8", BLUE: "F6:8 G8:2", YELLOW: "F5:9"}, redeployment=True)
    state = play(state, "pass / pass", "pass / pass")

    lines = told_of(play(state, "+E5 / G8>HQ"), "none / none").splitlines()

    assert ("Reinforced: 🔴 one on E5 · 🔷 one from G8 back to F6 · ⭐ none · 🟩 none.") in lines


def test_orders_that_were_not_revealed_before_the_end_stay_sealed():
    state = position(3, {RED: "A9:1 G10:1 J7:1 H1:7"})

    told_all = told_of(state, "H1-1-I1", "pass", "pass")

    assert told_all.startswith("Turn 1 was revealed in part, 🔴 Ann first:")
    assert "Never revealed: the orders of 🟩 Bo and 🔷 Cleo." in told_all


def test_one_order_that_stays_sealed_is_told_in_the_singular():
    state = position(3, EQUAL, equal="choice", first=BLUE)

    assert "Still sealed: the order of 🟩 Bo." in told_of(state, "D4-3-D5", "pass", "pass")
