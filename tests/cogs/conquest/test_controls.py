"""What a hand of the board war offers: every legal move in reach, and nothing else."""

from dataclasses import replace

import pytest
from hypothesis import given, settings

from bot.rendering.presentation import ChoiceMenu
from cogs.conquest.presentation import ConquestPresentation
from games.conquest import CONQUEST
from games.conquest.planning import orders_of
from tests.support.conquest_snapshots import seen, signalled, snapshots
from tests.support.conquest_states import BLUE, GREEN, RED, YELLOW, play, position
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
    """Every draft that can be put together in a hand, from the empty one on."""
    found, waiting = {""}, [""]
    while waiting:
        following = {c.move for c in offered(snapshot, waiting.pop()) if c.draft} - found
        found |= following
        waiting += following
    return found


def picks(snapshot):
    """Every move that can be chosen in a hand."""
    found = [c for draft in drafts(snapshot) for c in offered(snapshot, draft) if not c.draft]
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


def test_the_only_square_with_troops_need_not_be_asked_for():
    snapshot = seen(position(4), seat=0)

    sources, targets, buttons = controls_of(SHOWN, snapshot, "")

    assert sources.placeholder == "🔴 From E5"
    assert targets.placeholder == "🔴 To which square?"
    assert targets.choices[0].label == "E5 → D4"
    assert [c.label for c in buttons] == ["Pass"]


def test_a_menu_says_what_waits_on_a_target():
    state = position(3, {RED: "B9:4 A8:2", GREEN: "B8:1 B10:2"})

    _, targets, _ = controls_of(SHOWN, seen(state, seat=0), "0 B9")

    notes = {c.label.split()[-1]: c.note for c in targets.choices}
    assert notes["A9"] == "objective"
    assert notes["A8"] == "2 troops of yours"
    assert notes["B8"] == "1 troop of green"
    assert notes["C9"] == "empty"
    assert "B10" not in notes  # an objective of blue


def test_changing_the_square_keeps_a_target_that_can_still_be_reached():
    state = position(3, {RED: "B5:4 B7:2"})
    sources, *_ = controls_of(SHOWN, seen(state, seat=0), "0 B5-3-B6")

    assert [c.move for c in sources.choices] == ["0 B5-4-B6", "0 B7-2-B6"]


def test_changing_the_target_keeps_the_number():
    state = position(3, {RED: "B5:4"})
    _, targets, numbers, _ = controls_of(SHOWN, seen(state, seat=0), "0 B5-3-B6")

    assert "0 B5-3-C5" in [c.move for c in targets.choices]
    assert [c.label for c in numbers.choices] == ["All 4", "3 of 4", "2 of 4", "1 of 4"]


def test_an_order_that_was_given_can_be_changed():
    snapshot = seen(position(3), seat=0, chosen=[0])
    snapshot = replace(snapshot, choice=CONQUEST.parse("E5-9-D4"))

    _, _, numbers, buttons = controls_of(SHOWN, snapshot, "")

    assert numbers.placeholder == "🔴 9 of 10"
    assert buttons[0].move == "E5-9-D4"
    assert "Your order: Red E5-9-D4." in SHOWN.picture(snapshot, "").alt


@pytest.mark.parametrize(
    "draft",
    ["x", "0 E5-99-D4", "0 E5-10-F5", "1 E5", "0 Z9", "0 E5/pass", "supply +E5/none", "9 E5"],
)
def test_a_nonsensical_draft_shows_the_hand_of_the_beginning(draft):
    snapshot = seen(position(4), seat=0)

    assert offered(snapshot, draft) == offered(snapshot)


def test_the_other_battalion_is_asked_for_when_the_first_passes():
    snapshot = seen(position(2), seat=0)

    (passing,) = [c for c in offered(snapshot) if c.label == "Red passes"]
    labels = [c.label for c in controls_of(SHOWN, snapshot, passing.move)[-1]]

    assert passing.move == "1 pass/F6"
    assert labels == ["Blue passes", "🔴 Red: pass"]


def test_hands_are_never_buttons_on_the_table():
    assert SHOWN.taps(seen(position(2))) == ()


def test_a_signal_is_chosen_from_the_others_and_taken_back():
    start = position(3, signal=True)
    snapshot, pointing = seen(start, seat=0), signalled(seen(start, seat=0), [1, 0, 0])

    opening = offered(snapshot)[-1]
    menu, back = controls_of(SHOWN, snapshot, opening.move)
    again, _ = controls_of(SHOWN, pointing, opening.move)

    assert [(c.label, c.move, c.act) for c in menu.choices] == [
        ("Player 2 🟩", "1", "signal"),
        ("Player 3 🔷", "2", "signal"),
    ]
    assert [c.move for c in back] == [""]
    assert [c.move for c in again.choices] == ["1", "2", "nobody"]
    assert "Who do you think is ahead?" in question_of(SHOWN, snapshot, opening.move)


def test_who_is_asked_nothing_can_signal_all_the_same():
    state = play(position(3, {RED: "E5:9"}, signal=True), "pass", "pass", "pass")

    assert [c.move for c in offered(seen(state, seat=1))] == ["signal"]
    assert offered(seen(state)) == []


def test_no_signals_are_offered_where_they_were_not_agreed_on():
    snapshot = seen(position(3), seat=0)

    assert "signal" not in [c.move for c in offered(snapshot)]
    assert offered(snapshot, "signal") == offered(snapshot)


def test_of_several_squares_one_is_asked_for_first():
    snapshot = seen(position(3, {RED: "B5:4 B7:2"}), seat=0)

    sources, buttons = controls_of(SHOWN, snapshot, "")

    assert sources.placeholder == "🔴 From which square?"
    assert [c.label for c in sources.choices] == ["B5: 4 troops", "B7: 2 troops"]
    assert [c.label for c in buttons] == ["Pass"]


def test_a_team_of_which_one_battalion_can_only_pass_is_asked_for_the_other():
    snapshot = seen(position(2, {BLUE: ""}), seat=0)

    buttons = controls_of(SHOWN, snapshot, "0 E5-9-D4/pass")[-1]

    assert [c.label for c in buttons] == ["Give E5-9-D4 / pass", "Red passes"]
