"""The board war in words: every kind of event, the score, the result and what is asked."""

import pytest

from cogs.conquest import text
from cogs.conquest.presentation import ConquestPresentation
from cogs.conquest.text import called, story
from games.conquest import (
    CONQUEST,
)
from tests.support.conquest_snapshots import seen
from tests.support.conquest_states import (
    BLUE,
    GREEN,
    RED,
    YELLOW,
    concede,
    play,
    position,
)

START = position(4)


NAMES = ("Ann", "Bo", "Cleo", "Dan")
SHOWN = ConquestPresentation()


def told_of(state, *moves):
    return story(CONQUEST.observe(play(state, *moves), None), NAMES)


def test_the_beginning_says_who_has_the_initiative():
    view = CONQUEST.observe(position(3, first=GREEN), None)

    assert story(view, NAMES) == (
        "Each battalion starts with ten troops in the center. 🟩 Bo has the initiative: "
        "their order comes first."
    )


def test_who_has_left_has_no_initiative_any_more():
    state = concede(position(3, first=GREEN), 1)
    begun = story(CONQUEST.observe(state, None), NAMES)
    revealed = told_of(state, "pass", "pass")

    assert "🔷 Cleo has the initiative: their order comes first." in begun
    assert revealed.startswith("🔷 Cleo has the initiative. Turn 1 was revealed, 🔷 Cleo first:")


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
def test_an_order_is_told_with_what_came_of_it(troops, moves, line):
    assert line in told_of(position(3, troops), moves, "pass", "pass").splitlines()


@pytest.mark.parametrize(
    ("green", "line"),
    [
        (
            "D6-4-D5",
            "3. 🔴 Ann moves only 1 of 5 from D5 to C5: no more are left.",
        ),
        ("D6-5-D5", "3. 🔴 Ann: D5-5-C5 lapses: nobody is left on D5."),
        ("D6-6-D5", "3. 🔴 Ann: D5-5-C5 lapses: D5 was taken."),
    ],
    ids=["fewer", "empty", "taken"],
)
def test_an_order_is_told_that_others_have_changed(green, line):
    state = position(3, {RED: "D5:5", GREEN: "D6:6"}, first=GREEN)

    assert line in told_of(state, "D5-5-C5", green, "pass").splitlines()


def test_an_order_lapses_where_the_partner_came_first():
    state = position(2, {RED: "C4:2", BLUE: "C6:2"})

    told_all = told_of(state, "C4-2-C5 / C6-2-C5", "pass / pass")

    assert "🔷 Ann: C6-2-C5 lapses: their partner is on C5." in told_all


EQUAL = {RED: "D4:3", GREEN: "D5:3"}
MEETING = "1. 🔴 Ann attacks D5 from D4 with 3 against 3 of 🟩 Bo: "


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


def test_what_was_not_revealed_before_the_end_stays_sealed():
    state = position(3, {RED: "A9:1 G10:1 J7:1 H1:7"})

    told_all = told_of(state, "H1-1-I1", "pass", "pass")

    assert told_all.startswith("Turn 1 was revealed in part, 🔴 Ann first:")
    assert "Never revealed: the orders of 🟩 Bo and 🔷 Cleo." in told_all


def test_one_order_that_stays_sealed_is_told_in_the_singular():
    state = position(3, EQUAL, equal="choice", first=BLUE)

    assert "Still sealed: the order of 🟩 Bo." in told_of(state, "D4-3-D5", "pass", "pass")


@pytest.mark.parametrize(
    ("state", "line"),
    [
        (position(4), "Turn 1 of 100: secret orders"),
        (position(4, turn=7, turn_limit=20), "Turn 7 of 20: secret orders"),
        (
            play(position(3, EQUAL, equal="choice"), "D4-3-D5", "pass", "pass"),
            "Turn 1 of 100: Commander's Choice",
        ),
        (
            play(position(3, {RED: "E5:9"}), "pass", "pass", "pass"),
            "Turn 1 of 100: reinforcement",
        ),
        (concede(position(3), 0, 1), "Turn 1 of 100: the end"),
    ],
    ids=["begin", "later", "choice", "reinforcement", "over"],
)
def test_the_headline_says_where_the_match_stands(state, line):
    assert text.headline(CONQUEST.observe(state, None)) == line


def test_a_moment_is_a_turn():
    assert text.moment(CONQUEST.observe(position(4, turn=7), 0)) == "Turn 7"


def test_the_score_counts_objectives_troops_and_the_bank():
    state = concede(position(3, {RED: "A9:2 E5:5", GREEN: "E6:1"}), 2)

    assert text.score_line(CONQUEST.observe(state, None), NAMES) == (
        "🔴 Ann **1** of 4 objectives, 7 troops (+3 in the bank)\n"
        "🟩 Bo **0** of 4 objectives, 1 troop (+9 in the bank)\n"
        "🔷 Cleo **0** of 4 objectives, 10 troops, has left"
    )


def test_the_score_has_a_line_for_each_battalion_that_names_its_player():
    lines = text.score_line(CONQUEST.observe(position(2), None), NAMES).split("\n")

    assert [line.split()[:2] for line in lines] == [
        ["🔴", "Ann"],
        ["🔷", "Ann"],
        ["⭐", "Bo"],
        ["🟩", "Bo"],
    ]


WON = play(position(3, {RED: "A9:1 G10:1 J7:1 H1:7"}), "H1-1-I1", "pass", "pass")


@pytest.mark.parametrize(
    ("state", "line"),
    [
        (WON, "**Ann wins**: all objectives of the red battalion held on turn 1."),
        (
            play(position(3, turn_limit=1), "pass", "pass", "pass"),
            "**A draw**: the same number of objectives and of troops after 1 turn.",
        ),
        (
            play(concede(position(4, turn_limit=1), 3), "pass", "pass", "pass"),
            (
                "**Ann, Bo and Cleo share the win**: the same number of objectives and of "
                "troops after 1 turn."
            ),
        ),
        (concede(position(3), 0, 2), "**Bo wins**: everybody else has left."),
    ],
    ids=["won", "draw", "shared", "deserted"],
)
def test_the_result_says_who_won_and_what_decided_it(state, line):
    assert text.result_line(CONQUEST.observe(state, None), NAMES) == line


def test_a_match_that_goes_on_has_no_result():
    with pytest.raises(ValueError, match="goes on"):
        text.result_line(CONQUEST.observe(position(3), None), NAMES)


def asked(state, seat, draft=""):
    return SHOWN.question(seen(state, seat=seat), draft)


def test_a_hand_asks_for_an_order_and_tells_what_it_would_do():
    state = position(3, {RED: "B9:4 A8:1", GREEN: "B8:1"})

    assert asked(state, 0).startswith("**Write your order in secret.** Pick a square")
    assert asked(state, 0, "0 B9") == (
        "**Write your order in secret.** Pick a direction: troops move one step.\n"
        "🔴 from **B9** to …"
    )
    assert "🔴 **B9-3-C9**: 3 march to C9; 1 stays on B9." in asked(state, 0, "0 B9-3-C9")
    assert "all 4 on B9 march to A8 and join 1 troop." in asked(state, 0, "0 B9-4-A8")
    assert "1 marches to A8 and joins 1 troop; 3 stay on B9." in asked(state, 0, "0 B9-1-A8")
    assert "1 marches to B8, where 1 troop of green stands now; 3 stay on B9." in asked(
        state, 0, "0 B9-1-B8"
    )
    assert "the one troop on A8 marches to A9." in asked(state, 0, "0 A8-1-A9")


def test_a_team_is_asked_for_one_battalion_after_the_other():
    state = position(2, {RED: "B9:4 A8:1", BLUE: "F6:3"})

    first, second = asked(state, 0), asked(state, 0, "0 B9-3-C9/F6")
    both = asked(state, 0, "1 B9-3-C9/F6-3-G6")

    assert first.endswith("Each of your battalions gets an order.\n🔷 from **F6** to …")
    assert second.startswith("**Write your orders in secret.** Next, your other battalion.\n")
    assert "in secret" not in both
    assert both.endswith("Submit your orders; you can change them until everyone's in.")


def test_a_hand_asks_for_a_commanders_choice():
    state = play(position(3, EQUAL, equal="choice"), "D4-3-D5", "pass", "pass")

    assert asked(state, 0) == (
        "**Commander's Choice.** You march on D5 with as many troops as 🟩 green has there. If "
        "you fight, both lose 3 troops. If you hold, nothing changes."
    )
    assert asked(state, 1) == (
        "Nothing to do right now: waiting for 🔴. Your order is still sealed: 🟩 pass."
    )


def test_a_team_is_told_of_both_its_orders_that_wait():
    state = position(2, {RED: "D4:3", GREEN: "D5:3"}, equal="choice")
    state = play(state, "D4-3-D5 / pass", "pass / pass")

    assert asked(state, 1) == (
        "Nothing to do right now: waiting for 🔴🔷. Your orders are still sealed: 🟩 pass "
        "and ⭐ pass."
    )


def test_a_hand_asks_for_a_reinforcement():
    troops = {RED: "E5:8", BLUE: "F6:9"}
    plain = play(position(3, {RED: "E5:7 D4:1"}), "pass", "pass", "pass")
    team = play(position(2, troops), "pass / pass", "pass / pass")

    assert asked(plain, 0) == (
        "**Reinforce?** Bring back one troop from your bank (🔴 2 troops) to your headquarters "
        "or a square you hold."
    )
    assert asked(plain, 1) == "Nothing to do right now: waiting for 🔴."
    assert asked(team, 0, "supply +E5/none") == (
        "**Reinforce?** Bring back one troop for each battalion from your bank (🔴 2 troops and "
        "🔷 1 troop) to your headquarters.\nSo far: **+E5 / none**."
    )


@pytest.mark.parametrize(
    ("troops", "sentence"),
    [
        ("E5:8", "Bring back one troop from your bank (🔴 2 troops) to your headquarters."),
        (
            "E5:5 D4:4",
            (
                "Bring back one troop from your bank (🔴 1 troop) to your headquarters or a square "
                "you hold, or pull one troop back to your headquarters."
            ),
        ),
        (
            "E5:5 D4:5",
            "Your bank is empty, but you can pull one troop back to your headquarters.",
        ),
    ],
    ids=["bank", "both", "back"],
)
def test_a_battalion_is_offered_what_it_can_place(troops, sentence):
    state = position(3, {RED: troops}, redeployment=True)

    assert asked(play(state, "pass", "pass", "pass"), 0) == f"**Reinforce?** {sentence}"


@pytest.mark.parametrize(
    ("red", "blue", "redeployment", "line"),
    [
        ("E5:9", "F6:10", False, "🔷 The bank is empty."),
        (
            "E5:9",
            "F6:9 G7:1",
            True,
            "🔷 The bank is empty, but one troop can go back to your headquarters.",
        ),
        (
            "E5:9",
            "G7:8",
            True,
            (
                "🔷 One of 2 troops in the bank can go to your headquarters or a square you hold, "
                "or one from the board back to your headquarters."
            ),
        ),
        ("D4:9 F6:1", "G7:9", True, "🔷 The one troop in the bank can go to a square you hold."),
        (
            "D4:8 F6:1",
            "",
            True,
            "🔷 Nothing can be placed: your other battalion is on its headquarters.",
        ),
    ],
    ids=["nothing", "back", "both", "barred", "barred from all"],
)
def test_battalions_of_a_team_are_offered_what_each_can_place(red, blue, redeployment, line):
    state = position(2, {RED: red, BLUE: blue}, redeployment=redeployment)

    found = asked(play(state, "pass / pass", "pass / pass"), 0).splitlines()

    assert found[0] == "**Reinforce?**"
    assert found[1].startswith("🔴 ")
    assert found[2:] == [line]


# The alternative text: all that the picture says, within 1024 characters.


def test_a_match_is_called_by_its_number_and_where_it_stands():
    assert called(12, CONQUEST.observe(START, 0)) == (
        "Match 12, 4 players, turn 1 of 100: secret orders"
    )
