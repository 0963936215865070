"""The buttons of a hand of Divide & Conquer (board): every legal move, and nothing else."""

from dataclasses import replace

import pytest
from hypothesis import given, settings

from bot.rendering.presentation import ChoiceMenu
from cogs.conquest.presentation import ConquestPresentation
from games.conquest import CONQUEST
from games.conquest.planning import orders_of
from tests.support.conquest_snapshots import seen, signalled, snapshots
from tests.support.conquest_states import BLUE, GREEN, RED, YELLOW, concede, play, position
from tests.support.snapshots import controls_of, is_hand, question_of

SHOWN = ConquestPresentation()
few = settings(max_examples=25, deadline=None, derandomize=True)


def choices(control):
    return control.choices if isinstance(control, ChoiceMenu) else control


def offered(snapshot, draft=""):
    return [
        choice for control in controls_of(SHOWN, snapshot, draft) for choice in choices(control)
    ]


def drafts(snapshot):
    """Every draft that a hand's buttons lead to, from the empty one on."""
    found, waiting = {""}, [""]
    while waiting:
        following = {c.move for c in offered(snapshot, waiting.pop()) if c.act == "draft"} - found
        found |= following
        waiting += following
    return found


def picks(snapshot):
    """Every move that can be chosen in a hand."""
    found = [c for draft in drafts(snapshot) for c in offered(snapshot, draft) if c.act != "draft"]
    return {c.move for c in found if c.act == "pick"}


@few
@given(
    snapshots()
    .filter(is_hand)
    .filter(lambda snapshot: snapshot.legal and len(snapshot.view.teams) > 2)
)
def test_every_legal_move_of_one_battalion_can_be_chosen_in_the_hand(onlook):
    assert picks(onlook) == {str(move) for move in onlook.legal}


SMALL = {RED: "E5:2 A8:1", BLUE: "F6:1", YELLOW: "F5:9", GREEN: "E6:9"}


@pytest.mark.parametrize("turn_back", [False, True], ids=["bank", "redeployment"])
def test_every_joint_order_and_supply_of_a_team_can_be_chosen_in_the_hand(turn_back):
    planning = position(2, SMALL, redeployment=turn_back)
    placing = play(planning, "pass / pass", "pass / pass")

    planned, placed = seen(planning, seat=0), seen(placing, seat=0)

    red, blue = (orders_of(planning.board, 2, battalion) for battalion in (RED, BLUE))
    assert picks(planned) == {f"{a or 'pass'} / {b or 'pass'}" for a in red for b in blue}
    assert picks(placed) == {str(move) for move in placed.legal}
    assert len(picks(placed)) > 3


def test_a_commanders_choice_is_two_buttons():
    state = position(3, {RED: "D4:3", GREEN: "D5:3"}, equal="choice")
    state = play(state, "D4-3-D5", "pass", "pass")

    found = [(c.label, c.move) for c in offered(seen(state, seat=0))]

    assert found == [("Fight: both lose 3", "fight"), ("Hold: stay on D4", "hold")]
    assert offered(seen(state, seat=1)) == []


def labels(snapshot, draft=""):
    return [[c.label for c in choices(row)] for row in controls_of(SHOWN, snapshot, draft)]


def test_the_only_square_with_troops_is_chosen_automatically():
    """Red can't enter the headquarters of green and blue; north is at the bottom."""
    assert labels(seen(position(3), seat=0)) == [
        ["↑ F5", "↗ F4", "→ E4"],
        ["↙ D6", "↓ D5", "↘ D4"],
        ["Pass"],
    ]


def test_directions_are_those_of_the_board_as_the_player_sees_it():
    """North's board is turned by 180 degrees, east's and west's by 90, south's not at all."""
    state = position(4, {RED: "C4:1", GREEN: "C4:1", BLUE: "C4:1", YELLOW: "C4:1"})

    found = {}
    for seat in range(4):
        rows = labels(seen(state, seat=seat))[:-1]
        found[seat] = next(label for row in rows for label in row if "B5" in label)

    assert found == {0: "↙ B5", 1: "↘ B5", 2: "↗ B5", 3: "↖ B5"}


def test_the_squares_around_are_in_reading_order_in_two_rows():
    state = position(4, {BLUE: "C4:3"})

    assert labels(seen(state, seat=2)) == [
        ["↖ B3", "↑ B4", "↗ B5", "← C3"],
        ["→ C5", "↙ D3", "↓ D4", "↘ D5"],
        ["Pass"],
    ]


def test_a_direction_says_what_is_there():
    state = position(3, {RED: "B9:4 A8:2", GREEN: "B8:1 B10:2"})

    found = [label for row in labels(seen(state, seat=0), "0 B9") for label in row]

    assert "↓ A9 🎯" in found
    assert "↘ A8 🔴2" in found
    assert "→ B8 🟩1" in found
    assert not [label for label in found if "B10" in label]  # an objective of blue


def test_the_usual_number_of_troops_comes_first():
    state = position(3, {RED: "B5:4 A9:4"})
    snapshot = seen(state, seat=0)

    (anywhere,) = [c.move for c in offered(snapshot, "0 B5") if "B6" in c.label]
    (leaving,) = [c.move for c in offered(snapshot, "0 A9") if "B9" in c.label]

    assert anywhere == "0 B5-4-B6"
    assert leaving == "0 A9-3-B9"  # one troop stays on the objective
    assert labels(snapshot, anywhere) == [
        ["✓ All 4", "3", "2", "1"],
        ["Submit B5-4-B6", "Pass", "Back"],
    ]
    assert labels(snapshot, leaving)[0] == ["✓ 3", "All 4", "2", "1"]


def test_back_leads_through_all_questions_to_the_first():
    snapshot = seen(position(3, {RED: "B5:4 A9:4"}), seat=0)

    def back(draft):
        return next(c.move for c in offered(snapshot, draft) if c.label == "Back")

    assert labels(snapshot, back(back("0 B5-3-B6"))) == labels(snapshot)
    assert [c for c in offered(snapshot) if c.label == "Back"] == []


def test_a_submitted_order_can_be_changed():
    snapshot = seen(position(3), seat=0, chosen=[0])
    snapshot = replace(snapshot, choice=CONQUEST.parse("E5-9-D4"))

    begun = labels(seen(position(3), seat=0))

    assert labels(snapshot) == begun  # from the start, in as many taps as the first time
    assert "Your order: Red E5-9-D4." in SHOWN.picture(snapshot, "").alt
    assert labels(snapshot, "0 E5-9-D4")[0][:3] == ["All 10", "✓ 9", "8"]


def test_changing_one_battalions_order_keeps_that_of_the_other():
    snapshot = replace(seen(position(2), seat=0), choice=CONQUEST.parse("E5-9-D4 / F6-5-G7"))

    def turn(draft, color):
        (found,) = [c for c in offered(snapshot, draft) if f" {color}: " in c.label]
        return found

    to_blue = turn("", "Blue")
    back_to_red = turn(to_blue.move, "Red")

    assert (to_blue.label, to_blue.move) == ("🔷 Blue: F6-5-G7", "1 E5-9-D4/F6")
    assert (back_to_red.label, back_to_red.move) == ("🔴 Red: E5-9-D4", "0 E5/F6-5-G7")
    assert turn("0 E5-2-E4/F6-5-G7", "Blue").move == "1 E5-2-E4/F6"
    assert turn("1 E5-2-E4/F6", "Red").move == "0 E5-2-E4/F6-5-G7"


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", ["pass / F6-5-G7", "E5-9-D4 / pass", "pass / pass", "E5-9-D4 / F6-5-G7"]
)
def test_a_hand_that_is_being_changed_has_no_button_twice(text):
    """Discord refuses a message with two equal custom_ids.

    A draft may be older than the choice: the buttons of a second hand are not updated.
    """
    unchosen = seen(position(2, SMALL), seat=0)
    snapshot = replace(unchosen, choice=CONQUEST.parse(text))

    for draft in drafts(unchosen) | drafts(snapshot):
        moves = [(choice.move, choice.act) for choice in offered(snapshot, draft)]
        assert len(moves) == len(set(moves)), draft


# How many taps it takes.


def taps(snapshot):
    """The fewest taps for each move; choosing from a menu takes two, one of them to open it."""
    found, drafts_by_taps, waiting = {}, {"": 0}, [""]
    while waiting:  # in the order of taps but for menus, so a draft may be found again for less
        draft = waiting.pop(0)
        for control in controls_of(SHOWN, snapshot, draft):
            price = drafts_by_taps[draft] + (2 if isinstance(control, ChoiceMenu) else 1)
            for choice in (c for c in choices(control) if c.act in {"pick", "draft"}):
                known = drafts_by_taps if choice.act == "draft" else found
                if price < known.get(choice.move, 99):
                    known[choice.move] = price
                    waiting += [choice.move] if choice.act == "draft" else []
    return found


SPREAD = "E5:1 D5:1 C5:1 B5:1 A9:1 G10:1 J7:1 H3:1 C8:1 D8:1"
KINDS = {
    "from the HQ": position(3),
    "from many squares": position(4, {RED: SPREAD}),
    "one of four": position(4, {RED: "E5:4 D8:3 A9:2 B4:1"}),
    "half of a large stack": position(3, {RED: "C5:9 H3:1"}),
    "joining and attacking": position(4, {RED: "B9:4 A8:2", GREEN: "B8:1 C9:2"}),
}


@pytest.mark.parametrize("state", KINDS.values(), ids=KINDS)
def test_an_order_takes_at_most_four_taps(state):
    snapshot = seen(state, seat=0)

    found = taps(snapshot)

    assert found.keys() == {str(move) for move in snapshot.legal}
    assert max(found.values()) <= 4
    assert found["pass"] == 1


def test_the_usual_order_takes_three_taps():
    assert taps(seen(position(4, {RED: "E5:4 D8:3"}), seat=0))["D8-3-C7"] == 3


@pytest.mark.parametrize("turn_back", [False, True], ids=["bank", "redeployment"])
def test_the_orders_of_a_team_take_at_most_four_taps_a_battalion(turn_back):
    planning = position(2, SMALL, redeployment=turn_back)
    placing = play(planning, "pass / pass", "pass / pass")

    assert max(taps(seen(planning, seat=0)).values()) <= 2 * 4
    assert max(taps(seen(placing, seat=0)).values()) <= 2 * 4


@pytest.mark.parametrize("teams", [2, 3])
def test_submitted_orders_are_changed_in_as_many_taps_as_the_first_time(teams):
    board = SMALL if teams == 2 else {RED: "C5:9 H3:1"}
    begun = seen(position(teams, board), seat=0)

    for choice in (begun.legal[0], begun.legal[-1]):
        found = taps(replace(begun, choice=choice))
        assert {str(move) for move in begun.legal} <= found.keys()
        assert max(found.values()) <= (2 * 4 if teams == 2 else 4)


def test_a_choice_is_one_tap_and_a_reinforcement_one_or_two():
    fought = play(
        position(3, {RED: "D4:3", GREEN: "D5:3"}, equal="choice"), "D4-3-D5", "pass", "pass"
    )
    spread = SPREAD.replace(" D8:1", "")
    placing = play(position(3, {RED: spread}), "pass", "pass", "pass")
    turning = play(position(3, {RED: spread}, redeployment=True), "pass", "pass", "pass")

    assert taps(seen(fought, seat=0)) == {"fight": 1, "hold": 1}
    for state, most in ((placing, 1), (turning, 2)):
        snapshot = seen(state, seat=0)
        assert taps(snapshot).keys() == {str(move) for move in snapshot.legal}
        assert max(taps(snapshot).values()) == most


def is_begun(snapshot):
    """Whether it is the hand of a seat with one battalion that hasn't chosen yet."""
    return is_hand(snapshot) and snapshot.choice is None and len(snapshot.view.teams) > 2


@few
@given(snapshots().filter(is_begun))
def test_no_move_takes_more_than_four_taps(onlook):
    assert all(number <= 4 for number in taps(onlook).values())


@few
@given(snapshots().filter(is_hand))
def test_a_hand_has_at_most_four_rows_of_fifteen_buttons(onlook):
    shown = [controls_of(SHOWN, onlook, draft) for draft in ("", *some_drafts(onlook))]

    assert all(len(rows) <= 4 for rows in shown)
    for rows in shown:
        buttons = [len(row) for row in rows if not isinstance(row, ChoiceMenu)]
        assert sum(buttons) <= 15
        assert max(buttons, default=0) <= 5


def some_drafts(snapshot):
    """The drafts that always taking the first choice leads to, and those of always the last."""
    for which in (0, -1):
        draft = ""
        for _ in range(8):
            following = [c.move for c in offered(snapshot, draft) if c.act == "draft"]
            if not following:
                break
            draft = following[which]
            yield draft


@pytest.mark.parametrize(
    "draft",
    ["x", "0 E5-99-D4", "0 E5-10-F5", "1 E5", "0 Z9", "0 E5/pass", "supply +E5/none", "9 E5"],
)
def test_an_invalid_draft_shows_the_hand_without_a_draft(draft):
    snapshot = seen(position(4), seat=0)

    assert offered(snapshot, draft) == offered(snapshot)


def test_the_other_battalion_is_asked_for_when_the_first_passes():
    snapshot = seen(position(2), seat=0)

    passing, turning = offered(snapshot)[-2:]

    assert (passing.label, passing.move) == ("Red passes", "1 pass/F6")
    assert turning.label == "🔷 Blue's order …"
    assert labels(snapshot, passing.move)[-1] == ["Blue passes", "🔴 Red: pass"]


def test_a_signal_can_name_any_opponent_and_can_be_taken_back():
    start = position(3, signal=True)
    snapshot, pointing = seen(start, seat=0), signalled(seen(start, seat=0), [1, 0, 0])

    opening = offered(snapshot)[-1]
    menu, back = controls_of(SHOWN, snapshot, opening.move)
    again, _ = controls_of(SHOWN, pointing, opening.move)

    assert [(c.label, c.move, c.act) for c in menu.choices] == [
        ("Green 🟩", "1", "signal"),
        ("Blue 🔷", "2", "signal"),
    ]
    assert [c.move for c in back] == [""]
    assert [c.move for c in again.choices] == ["1", "2", "nobody"]
    assert "Who do you think is ahead?" in question_of(SHOWN, snapshot, opening.move)


def test_a_player_who_has_left_is_not_offered_as_ahead():
    snapshot = seen(concede(position(3, signal=True), 1), seat=0)

    menu, _ = controls_of(SHOWN, snapshot, "signal")

    assert [(c.label, c.move) for c in menu.choices] == [("Blue 🔷", "2")]


def test_a_seat_that_is_not_awaited_can_still_signal():
    state = play(position(3, {RED: "E5:9"}, signal=True), "pass", "pass", "pass")

    assert [c.move for c in offered(seen(state, seat=1))] == ["signal"]
    assert offered(seen(state)) == []


def test_without_the_option_no_signals_are_offered():
    snapshot = seen(position(3), seat=0)

    assert "signal" not in [c.move for c in offered(snapshot)]
    assert offered(snapshot, "signal") == offered(snapshot)


def test_with_troops_on_several_squares_the_square_is_asked_for_first():
    snapshot = seen(position(3, {RED: "B5:4 B7:2"}), seat=0)

    assert labels(snapshot) == [["B5: 4 troops", "B7: 2 troops"], ["Pass"]]


def test_many_squares_have_short_buttons_of_which_four_fit_in_a_row():
    snapshot = seen(position(3, {RED: "B4:1 B5:2 B7:2 C4:1 C5:3 C8:1"}), seat=0)

    assert labels(snapshot) == [
        ["B4: 1", "B5: 2", "B7: 2"],
        ["C4: 1", "C5: 3", "C8: 1"],
        ["Pass"],
    ]


def test_a_team_is_not_asked_for_a_battalion_that_can_only_pass():
    snapshot = seen(position(2, {BLUE: ""}), seat=0)

    buttons = controls_of(SHOWN, snapshot, "0 E5-9-D4/pass")[-1]

    assert [c.label for c in buttons] == ["Submit E5-9-D4 / pass", "Red passes", "Back"]
