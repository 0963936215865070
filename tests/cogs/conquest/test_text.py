"""Texts of Divide & Conquer (board): the headline, the score, the result and the questions."""

from dataclasses import replace

import pytest

from bot.rendering.hand import hand_content
from cogs.conquest import text
from cogs.conquest.presentation import ConquestPresentation
from games.conquest import CONQUEST
from tests.support.conquest_snapshots import seen
from tests.support.conquest_states import BLUE, GREEN, RED, concede, play, position

START = position(4)
NAMES = ("Ann", "Bo", "Cleo", "Dan")
SHOWN = ConquestPresentation()
EQUAL = {RED: "D4:3", GREEN: "D5:3"}


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
def test_the_headline_names_the_turn_and_phase(state, line):
    assert text.headline(CONQUEST.observe(state, None)) == line


def test_a_moment_is_a_turn():
    assert text.moment(CONQUEST.observe(position(4, turn=7), 0)) == "Turn 7"


def test_the_score_counts_objectives_troops_and_the_bank():
    state = concede(position(3, {RED: "A9:2 E5:5", GREEN: "E6:1"}), 2)

    assert text.score_line(CONQUEST.observe(state, None), NAMES) == (
        "🔴 Ann **1** of 4 objectives, 7 troops (+3 in the bank)\n"
        "🟩 Bo **0** of 4 objectives, 1 troop (+9 in the bank)\n"
        "🔷 Cleo **0** of 4 objectives, 10 troops · out"
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


def test_a_running_match_has_no_result():
    with pytest.raises(ValueError, match="goes on"):
        text.result_line(CONQUEST.observe(position(3), None), NAMES)


def asked(state, seat, draft=""):
    return SHOWN.question(seen(state, seat=seat), draft)


def test_a_hand_asks_for_an_order_and_says_what_it_would_do():
    state = position(3, {RED: "B9:4 A8:1", GREEN: "B8:1"}, turn=2)

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


def test_in_the_first_turn_a_hand_says_that_its_board_is_turned():
    turned = "Your board is turned against the table's; squares keep their names."

    assert [turned in asked(START, seat) for seat in range(4)] == [True, True, False, True]
    assert turned not in asked(position(4, turn=2), 0)
    assert [turned in asked(position(2), seat) for seat in range(2)] == [False, True]


def test_a_team_is_asked_for_one_battalion_after_the_other():
    state = position(2, {RED: "B9:4 A8:1", BLUE: "F6:3"})

    first, second = asked(state, 0), asked(state, 0, "0 B9-3-C9/F6")
    both = asked(state, 0, "1 B9-3-C9/F6-3-G6")

    assert first == (
        "**Write your orders in secret.** Pick a square for 🔴 **red**, then a direction: troops "
        "move one step. Each of your battalions gets an order."
    )
    assert second.startswith("**Write your orders in secret.** Next, your other battalion.\n")
    assert "in secret" not in both
    assert both.endswith("Submit your orders; you can change them until everyone's in.")


@pytest.mark.parametrize(
    ("draft", "sign", "square"),
    [("", "🔴 **red**", "🔴 from **E5**"), ("1 E5/F6", "🔷 **blue**", "🔷 from **F6**")],
)
def test_a_team_is_told_which_battalion_needs_a_direction(draft, sign, square):
    """Each battalion is on one square, which is chosen as its source automatically."""
    assert asked(position(2), 0, draft) == (
        f"**Write your orders in secret.** Pick a direction for {sign}: troops move one step.\n"
        f"{square} to …"
    )


def test_a_hand_asks_for_a_commanders_choice():
    state = play(position(3, EQUAL, equal="choice"), "D4-3-D5", "pass", "pass")

    assert asked(state, 0) == (
        "**Commander's Choice.** You march on D5 with as many troops as 🟩 green has there. If "
        "you fight, both lose 3 troops. If you hold, nothing changes."
    )
    assert asked(state, 1) == (
        "Nothing to do right now: waiting for 🔴. Your order is still sealed: 🟩 pass."
    )


def test_a_team_is_told_both_its_pending_orders():
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
        "🔷 1 troop) to your headquarters.\nSo far: **one troop on E5 for red and no troop for "
        "blue**."
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


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        ("+E5 / F9>HQ", "one troop on E5 for red and one troop from F9 back to HQ for blue"),
        ("none / +F6", "no troop for red and one troop on F6 for blue"),
        ("E5-9-D4 / pass", "E5-9-D4 / pass"),
    ],
)
def test_a_team_reads_what_it_chose_with_its_battalions(choice, words):
    snapshot = replace(seen(position(2), seat=0), choice=CONQUEST.parse(choice))

    assert f"**You chose {words}.**" in hand_content(snapshot, SHOWN, None, "").foot


def test_a_player_with_one_battalion_reads_their_choice_in_words():
    snapshot = replace(seen(position(3), seat=0), choice=CONQUEST.parse("+E5"))

    assert "**You chose one troop on E5.**" in hand_content(snapshot, SHOWN, None, "").foot


@pytest.mark.parametrize(
    ("notation", "words"),
    [
        ("+E5", "**one troop on E5**"),
        ("F9>HQ", "**one troop from F9 back to HQ**"),
        ("none", "**no troop**"),
        ("+E5 / none", "**one troop on E5**"),
        ("none / F9>HQ", "**one troop from F9 back to HQ**"),
        ("+E5 / +F6", "**one troop on E5 and one troop on F6**"),
        ("none / none", "**no troops**"),
        ("E5-9-D4 / pass", "`E5-9-D4 / pass`"),
        ("fight", "`fight`"),
        ("\N{HORIZONTAL ELLIPSIS}", "`\N{HORIZONTAL ELLIPSIS}`"),
    ],
)
def test_reinforcements_are_in_words_and_orders_in_notation(notation, words):
    assert SHOWN.spelled(notation) == words


@pytest.mark.parametrize(
    ("seats", "notation", "words"),
    [
        (2, "none / +F6", "**one troop on F6 for blue**"),
        (2, "+E5 / F9>HQ", "**one troop on E5 for red and one troop from F9 back to HQ for blue**"),
        (2, "none / none", "**no troops**"),
        (2, "E5-9-D4 / pass", "`E5-9-D4 / pass`"),
        (3, "+E5", "**one troop on E5**"),
        (3, "none", "**no troop**"),
    ],
)
def test_of_a_team_it_is_said_which_battalion_gets_something(seats, notation, words):
    view = seen(position(seats), seat=0).view

    assert SHOWN.own_spelled(view, notation) == words


def test_a_match_is_named_by_its_id_and_its_headline():
    view = CONQUEST.observe(START, 0)

    assert text.called(12, view, " · #games") == (
        "Match 12, 4 players, turn 1 of 100: secret orders · #games"
    )
    assert len(text.called(12, view, f" · #{'long' * 25}")) == 100
