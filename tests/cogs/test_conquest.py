"""The looks of the board war: what fits a message, what a desk offers, what stays secret."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.messaging.components import Select
from bot.messaging.content import Layout
from bot.rendering import render
from bot.rendering.presentation import ChoiceMenu, Presentations
from cogs.conquest.presentation import ConquestPresentation
from games.chance import Chance
from games.conquest import CONQUEST, Battalion, Options
from games.conquest.planning import orders_of
from tests.games.conquest_positions import BLUE, GREEN, RED, YELLOW, play, position
from tests.support.conquest_snapshots import seen, signalled, snapshots, states
from tests.support.snapshots import URL, controls_of, is_hand, question_of

SHOWN = ConquestPresentation()
PRESENTATIONS = Presentations()
PRESENTATIONS.add("conquest", SHOWN)
NAMES = ("Ann", "Bo", "Cleo", "Dan")
many = settings(max_examples=150, deadline=None, derandomize=True)
few = settings(max_examples=25, deadline=None, derandomize=True)


def choices(control):
    return control.choices if isinstance(control, ChoiceMenu) else control


def offered(snapshot, draft=""):
    return [
        choice for control in controls_of(SHOWN, snapshot, draft) for choice in choices(control)
    ]


def drafts(snapshot):
    """Every draft that can be put together at a desk, from the empty one on."""
    found, waiting = {""}, [""]
    while waiting:
        following = {c.move for c in offered(snapshot, waiting.pop()) if c.draft} - found
        found |= following
        waiting += following
    return found


def picks(snapshot):
    """Every move that can be chosen at a desk."""
    found = [c for draft in drafts(snapshot) for c in offered(snapshot, draft) if not c.draft]
    return {c.move for c in found if c.act == "pick"}


def custom_ids(shown):
    rows = [(row,) if isinstance(row, Select) else row for row in shown.rows]
    return [str(part.press) for row in rows for part in row if hasattr(part, "press")]


def draft_of(data, snapshot, depth):
    """A draft that some taps lead to."""
    draft = ""
    for _ in range(depth):
        further = [c.move for c in offered(snapshot, draft) if c.draft]
        draft = data.draw(st.sampled_from(further)) if further else draft
    return draft


@many
@given(snapshots(), st.data(), st.integers(0, 5))
def test_every_look_fits_a_message(onlook, data, depth):
    draft = draft_of(data, onlook, depth)
    shown = render(onlook, PRESENTATIONS, URL, draft)
    layout = Layout(shown, "attachment://x.png")

    assert layout.total_children_count <= 40
    assert 1 <= layout.content_length() <= 4000
    ids = custom_ids(shown)
    assert len(ids) == len(set(ids))
    assert all(len(custom_id) <= 100 for custom_id in ids)
    assert len(controls_of(SHOWN, onlook, draft)) <= 4


@many
@given(snapshots().filter(is_hand).filter(lambda hand: hand.status == "running"))
def test_every_desk_in_words_has_room_for_all_that_the_picture_says(onlook):
    shown = render(replace(onlook, words=True), PRESENTATIONS, URL)
    layout = Layout(shown, None)

    told = SHOWN.picture(onlook, "").alt
    assert layout.content_length() <= 4000
    assert (told in f"{shown.head}{shown.foot}") == (not gone(onlook))


def gone(snapshot):
    return snapshot.places[snapshot.seat].left


@many
@given(snapshots(), st.data(), st.integers(0, 5))
def test_every_choice_is_short_enough(onlook, data, depth):
    draft = draft_of(data, onlook, depth)

    for control in controls_of(SHOWN, onlook, draft):
        assert 1 <= len(choices(control)) <= (25 if isinstance(control, ChoiceMenu) else 5)
        assert len({c.move for c in choices(control)}) == len(choices(control))
        assert len({c.draft for c in choices(control)}) == 1 or not isinstance(control, ChoiceMenu)
    for choice in offered(onlook, draft):
        assert len(choice.move) <= 55
        assert ":" not in choice.move
        assert 1 <= len(choice.label) <= 80
        assert len(choice.note) <= 100


@many
@given(snapshots(), st.data(), st.integers(0, 5))
def test_words_and_picture_keep_their_limits(onlook, data, depth):
    draft = draft_of(data, onlook, depth)
    names = ("<@9223372036854775807>",) * len(onlook.places)
    picture = SHOWN.picture(onlook, draft)

    assert len(SHOWN.story(onlook, names)) <= 1800
    assert len(SHOWN.score(onlook, names)) <= 500
    assert 1 <= len(question_of(SHOWN, onlook, draft)) <= 500
    assert 1 <= len(picture.alt) <= 1024
    assert len(picture.file) <= 100


@few
@given(snapshots().filter(is_hand).filter(lambda hand: hand.legal and len(hand.view.teams) > 2))
def test_every_legal_move_of_one_battalion_can_be_chosen_at_the_desk(onlook):
    assert picks(onlook) == {str(move) for move in onlook.legal}


SMALL = {RED: "E5:2 A8:1", BLUE: "F6:1", YELLOW: "F5:9", GREEN: "E6:9"}


@pytest.mark.parametrize("turn_back", [False, True], ids=["bank", "redeployment"])
def test_every_joint_order_and_supply_of_a_team_can_be_chosen_at_the_desk(turn_back):
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

    sources, targets, buttons = SHOWN.controls(snapshot, "")

    assert sources.placeholder == "🔴 From E5"
    assert targets.placeholder == "🔴 To which square?"
    assert targets.choices[0].label == "E5 → D4"
    assert [c.label for c in buttons] == ["Pass"]


def test_a_menu_says_what_waits_on_a_target():
    state = position(3, {RED: "B9:4 A8:2", GREEN: "B8:1 B10:2"})

    _, targets, _ = SHOWN.controls(seen(state, seat=0), "0 B9")

    notes = {c.label.split()[-1]: c.note for c in targets.choices}
    assert notes["A9"] == "objective"
    assert notes["A8"] == "2 troops of your own"
    assert notes["B8"] == "1 troop of green"
    assert notes["C9"] == "empty"
    assert "B10" not in notes  # an objective of blue


def test_changing_the_square_keeps_a_target_that_can_still_be_reached():
    state = position(3, {RED: "B5:4 B7:2"})
    sources, *_ = SHOWN.controls(seen(state, seat=0), "0 B5-3-B6")

    assert [c.move for c in sources.choices] == ["0 B5-4-B6", "0 B7-2-B6"]


def test_changing_the_target_keeps_the_number():
    state = position(3, {RED: "B5:4"})
    _, targets, numbers, _ = SHOWN.controls(seen(state, seat=0), "0 B5-3-B6")

    assert "0 B5-3-C5" in [c.move for c in targets.choices]
    assert [c.label for c in numbers.choices] == ["All 4", "3 of 4", "2 of 4", "1 of 4"]


def test_an_order_that_was_given_can_be_changed():
    snapshot = seen(position(3), seat=0, chosen=[0])
    snapshot = replace(snapshot, choice=CONQUEST.parse("E5-9-D4"))

    _, _, numbers, buttons = SHOWN.controls(snapshot, "")

    assert numbers.placeholder == "🔴 9 of 10"
    assert buttons[0].move == "E5-9-D4"
    assert "Your order: Red E5-9-D4." in SHOWN.picture(snapshot, "").alt


@pytest.mark.parametrize(
    "draft",
    ["x", "0 E5-99-D4", "0 E5-10-F5", "1 E5", "0 Z9", "0 E5/pass", "supply +E5/none", "9 E5"],
)
def test_a_nonsensical_draft_shows_the_desk_of_the_beginning(draft):
    snapshot = seen(position(4), seat=0)

    assert offered(snapshot, draft) == offered(snapshot)


def test_the_other_battalion_is_asked_for_when_the_first_passes():
    snapshot = seen(position(2), seat=0)

    (passing,) = [c for c in offered(snapshot) if c.label == "Red passes"]
    labels = [c.label for c in SHOWN.controls(snapshot, passing.move)[-1]]

    assert passing.move == "1 pass/F6"
    assert labels == ["Blue passes", "🔴 Red: pass"]


def test_a_team_is_told_what_its_orders_are_so_far():
    snapshot = seen(position(2), seat=1)

    question = SHOWN.question(snapshot, "1 F5-9-G4/E6-10-D6")

    assert "⭐ **F5-9-G4**: 9 march to G4, 1 stays on F5." in question
    assert "🟩 **E6-10-D6**: all 10 on E6 march to D6." in question
    assert "**Give F5-9-G4 / E6-10-D6** seals this" in question


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_sealed_orders_are_in_no_view_but_their_writers(seats):
    """Two matches that differ only in orders that wait look the same to everybody else."""
    waiting = [
        state
        for variant_seed in range(12)
        for state in states(seats, 1, variant_seed)
        if state.contest is not None and state.pending
    ]
    for state in waiting:
        other = replace(
            state,
            pending=tuple(
                replace(item, order=changed(state, item, seats)) for item in state.pending
            ),
        )
        writers = {
            seat
            for seat, team in enumerate(CONQUEST.observe(state, None).teams)
            if any(item.battalion in team for item in state.pending)
        }
        for seat in [None, *(set(range(seats)) - writers)]:
            assert everything(seen(state, seat=seat)) == everything(seen(other, seat=seat))
    assert len(waiting) > 5


def changed(state, item, seats):
    """Another order that this battalion could have written."""
    orders = orders_of(state.current.board, seats, item.battalion)
    return Chance("other", state.turn).pick([order for order in orders if order != item.order])


def everything(snapshot):
    picture = SHOWN.picture(snapshot, "")
    shown = render(snapshot, PRESENTATIONS, URL)
    return shown.head, shown.foot, custom_ids(shown), picture.file, picture.alt


def test_what_is_put_together_is_on_no_other_picture():
    state = position(4)
    table, own = seen(state), replace(seen(state, seat=0), choice=CONQUEST.parse("E5-9-D4"))

    assert "E5-9-D4" in SHOWN.picture(own, "").alt
    assert "E5-9-D4" not in SHOWN.picture(table, "0 E5-9-D4").alt
    assert SHOWN.picture(table, "0 E5-9-D4").file == SHOWN.picture(table, "").file


def test_a_seat_has_the_sign_of_a_battalion_of_its_own():
    for seats in (2, 3, 4):
        teams = CONQUEST.observe(position(seats), None).teams
        for seat, team in enumerate(teams):
            assert SHOWN.badge(seat) in {"🔴", "🟩", "🔷", "⭐"}
            assert Battalion(seat) in team


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (Options(), "standard"),
        (Options(equal="choice", signal=True), "Commander's Choice, signals"),
        (
            Options(equal="bounce", reinforce="together", redeployment=True, goal="both"),
            "equals bounce, reinforcing together, redeployment, both battalions' objectives",
        ),
        (Options(turn_limit=1), "at most one turn"),
        (Options(turn_limit=30), "at most 30 turns"),
    ],
)
def test_a_variant_is_named_by_what_differs_from_the_printed_game(options, words):
    assert SHOWN.variant(options) == words


def test_hands_are_never_buttons_on_the_table():
    assert SHOWN.taps(seen(position(2))) == ()


def test_a_signal_is_chosen_from_the_others_and_taken_back():
    start = position(3, signal=True)
    snapshot, pointing = seen(start, seat=0), signalled(seen(start, seat=0), [1, 0, 0])

    opening = offered(snapshot)[-1]
    menu, back = SHOWN.controls(snapshot, opening.move)
    again, _ = SHOWN.controls(pointing, opening.move)

    assert [(c.label, c.move, c.act) for c in menu.choices] == [
        ("Player 2 🟩", "1", "signal"),
        ("Player 3 🔷", "2", "signal"),
    ]
    assert [c.move for c in back] == [""]
    assert [c.move for c in again.choices] == ["1", "2", "nobody"]
    assert "Whom do you call ahead?" in SHOWN.question(snapshot, opening.move)


def test_who_is_asked_nothing_can_signal_all_the_same():
    state = play(position(3, {RED: "E5:9"}, signal=True), "pass", "pass", "pass")

    assert [c.move for c in offered(seen(state, seat=1))] == ["signal"]
    assert offered(seen(state)) == []


def test_no_signals_are_offered_where_they_were_not_agreed_on():
    snapshot = seen(position(3), seat=0)

    assert "signal" not in [c.move for c in offered(snapshot)]
    assert offered(snapshot, "signal") == offered(snapshot)


def test_signals_are_told_on_the_table_and_to_the_blind():
    snapshot = signalled(seen(position(2, signal=True)), [1, 0])

    assert SHOWN.score(snapshot, NAMES).endswith("They call ahead: 🔴🔷 → ⭐🟩 · ⭐🟩 → 🔴🔷")
    assert (
        "Signals: player 1 calls 2 ahead, player 2 calls 1 ahead."
        in SHOWN.picture(snapshot, "").alt
    )


def test_a_signal_changes_what_is_shown_of_a_match():
    snapshot = seen(position(2, signal=True))

    assert signalled(snapshot, [1]).key != snapshot.key
    assert SHOWN.picture(signalled(snapshot, [1, 0]), "").file != SHOWN.picture(snapshot, "").file


def test_of_several_squares_one_is_asked_for_first():
    snapshot = seen(position(3, {RED: "B5:4 B7:2"}), seat=0)

    sources, buttons = SHOWN.controls(snapshot, "")

    assert sources.placeholder == "🔴 From which square?"
    assert [c.label for c in sources.choices] == ["B5: 4 troops", "B7: 2 troops"]
    assert [c.label for c in buttons] == ["Pass"]


def test_an_order_that_waits_stays_on_the_desk_of_its_writer():
    state = position(3, {RED: "D4:3", GREEN: "D5:3"}, equal="choice")
    state = play(state, "D4-3-D5", "D5-2-D6", "pass")

    assert "Your order: Green D5-2-D6." in SHOWN.picture(seen(state, seat=1), "").alt
    assert "D5-2-D6" not in SHOWN.picture(seen(state, seat=0), "").alt
    assert "D5-2-D6" not in SHOWN.picture(seen(state), "").alt


def test_a_team_of_which_one_battalion_can_only_pass_is_asked_for_the_other():
    snapshot = seen(position(2, {BLUE: ""}), seat=0)

    buttons = SHOWN.controls(snapshot, "0 E5-9-D4/pass")[-1]

    assert [c.label for c in buttons] == ["Give E5-9-D4 / pass", "Red passes"]
