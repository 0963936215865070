"""Messages of Divide & Conquer (board) in every phase fit Discord's limits and keep secrets."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.matches.transcripts import Line
from bot.messaging.content import Layout
from bot.rendering import render
from bot.rendering.moves import moves_text
from bot.rendering.presentation import ChoiceMenu, Presentations
from cogs.conquest.alt_text import describe
from cogs.conquest.battalions import MARKS
from cogs.conquest.pictures import draw
from cogs.conquest.presentation import ConquestPresentation
from cogs.conquest.scene import scene_of
from games import Seat
from games.chance import Chance
from games.conquest import CONQUEST
from games.conquest.planning import orders_of
from tests.support.conquest_snapshots import seen, signalled, snapshots, states
from tests.support.conquest_states import BLUE, GREEN, RED, YELLOW, concede, play, position
from tests.support.presentations import custom_ids, must_fit
from tests.support.snapshots import URL, controls_of, is_hand, question_of

pytestmark = pytest.mark.slow

SHOWN = ConquestPresentation()
PRESENTATIONS = Presentations()
PRESENTATIONS["conquest"] = SHOWN
NAMES = ("Ann", "Bo", "Cleo", "Dan")
many = settings(max_examples=150, deadline=None, derandomize=True)


def choices(control):
    return control.choices if isinstance(control, ChoiceMenu) else control


def offered(snapshot, draft=""):
    return [
        choice for control in controls_of(SHOWN, snapshot, draft) for choice in choices(control)
    ]


def draft_of(data, snapshot, depth):
    """A draft after some taps, drawn by Hypothesis."""
    draft = ""
    for _ in range(depth):
        further = [c.move for c in offered(snapshot, draft) if c.act == "draft"]
        draft = data.draw(st.sampled_from(further)) if further else draft
    return draft


@many
@given(snapshots(), st.data(), st.integers(0, 5))
def test_every_snapshot_fits_a_message(onlook, data, depth):
    draft = draft_of(data, onlook, depth)

    must_fit(render(onlook, PRESENTATIONS, URL, draft))
    assert len(controls_of(SHOWN, onlook, draft)) <= 4


@many
@given(snapshots().filter(is_hand).filter(lambda snapshot: snapshot.status == "running"))
def test_every_hand_in_words_has_room_for_the_whole_alt_text(onlook):
    shown = render(replace(onlook, words=True), PRESENTATIONS, URL)
    layout = Layout(shown, None)

    told = SHOWN.picture(onlook, "").alt
    assert layout.content_length() <= 4000
    assert (told in f"{shown.head}{shown.foot}") == (not gone(onlook))


def gone(snapshot):
    return snapshot.seats[snapshot.seat].left


@many
@given(snapshots(), st.data(), st.integers(0, 5))
def test_every_choice_is_short_enough(onlook, data, depth):
    draft = draft_of(data, onlook, depth)

    for control in controls_of(SHOWN, onlook, draft):
        assert 1 <= len(choices(control)) <= (25 if isinstance(control, ChoiceMenu) else 5)
        assert len({c.move for c in choices(control)}) == len(choices(control))
        assert len({c.act for c in choices(control)}) == 1 or not isinstance(control, ChoiceMenu)
    for choice in offered(onlook, draft):
        assert len(choice.move) <= 55
        assert ":" not in choice.move
        assert 1 <= len(choice.label) <= 80
        assert len(choice.note) <= 100


@many
@given(snapshots(), st.data(), st.integers(0, 5))
def test_texts_and_pictures_are_within_their_limits(onlook, data, depth):
    draft = draft_of(data, onlook, depth)
    names = ("<@9223372036854775807>",) * len(onlook.seats)
    picture = SHOWN.picture(onlook, draft)

    assert len(SHOWN.story(onlook.view, names)) <= 1800
    assert len(SHOWN.score(onlook, names)) <= 500
    assert 1 <= len(question_of(SHOWN, onlook, draft)) <= 500
    assert 1 <= len(picture.alt) <= 1024
    assert len(picture.file) <= 100


def test_the_hand_of_a_team_shows_its_orders_so_far():
    snapshot = seen(position(2), seat=1)

    question = question_of(SHOWN, snapshot, "1 F5-9-G4/E6-10-D6")

    assert "⭐ **F5-9-G4**: 9 march to G4; 1 stays on F5." in question
    assert "🟩 **E6-10-D6**: all 10 on E6 march to D6." in question
    assert "Submit your orders; you can change them until everyone's in." in question


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_sealed_orders_are_shown_only_to_their_own_seat(seats):
    """Matches that differ only in somebody's sealed orders look the same to everybody else."""
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
    """Another order that this battalion could have submitted."""
    orders = orders_of(state.current.board, seats, item.battalion)
    return Chance("other", state.turn).pick([order for order in orders if order != item.order])


def everything(snapshot):
    picture = SHOWN.picture(snapshot, "")
    shown = render(snapshot, PRESENTATIONS, URL)
    return shown.head, shown.foot, custom_ids(shown), picture.file, picture.alt


def test_a_draft_is_in_no_other_picture():
    state = position(4)
    table, own = seen(state), replace(seen(state, seat=0), choice=CONQUEST.parse("E5-9-D4"))

    assert "E5-9-D4" in SHOWN.picture(own, "").alt
    assert "E5-9-D4" not in SHOWN.picture(table, "0 E5-9-D4").alt
    assert SHOWN.picture(table, "0 E5-9-D4").file == SHOWN.picture(table, "").file


def test_a_seat_has_the_sign_of_its_battalion():
    for seats in (2, 3, 4):
        teams = CONQUEST.observe(position(seats), None).teams
        for seat, team in enumerate(teams):
            assert SHOWN.marks[seat].emoji in {MARKS[battalion].emoji for battalion in team}


def test_the_table_shows_both_signs_of_a_player_with_two_battalions():
    shown = render(seen(position(2)), PRESENTATIONS, URL)

    first, second = (f"<@{each.user}>" for each in seen(position(2)).seats)
    assert f"\n🔴🔷 {first} against ⭐🟩 {second}\n" in shown.head
    assert f"🔴🔷 {first} is choosing" in shown.foot
    assert f"⭐🟩 {second} is choosing" in shown.foot


def test_the_list_of_moves_has_both_signs_of_a_player_with_two_battalions():
    line = Line(step=1, moves={Seat(0): "pass / pass"})

    assert moves_text(line, seen(position(2)), SHOWN) == "`  1` 🔴🔷 `pass / pass`"


def test_signals_are_in_the_table_and_in_the_alt_text():
    snapshot = signalled(seen(position(2, signal=True)), [1, 0])

    assert SHOWN.score(snapshot, NAMES).endswith("Who they say is ahead: 🔴🔷 → ⭐🟩 · ⭐🟩 → 🔴🔷")
    assert (
        "Who is ahead: Red and Blue say Yellow and Green, Yellow and Green say Red and Blue."
        in SHOWN.picture(snapshot, "").alt
    )


def test_signals_for_players_who_have_left_are_not_shown():
    snapshot = signalled(seen(concede(position(4, signal=True), 1)), [1, 0, 3, 2])

    assert SHOWN.score(snapshot, NAMES).endswith("Who they say is ahead: 🔷 → ⭐ · ⭐ → 🔷")
    alt = SHOWN.picture(snapshot, "").alt
    assert "Who is ahead: Blue says Yellow, Yellow says Blue." in alt


def test_a_signal_changes_the_key_of_what_is_shown():
    snapshot = seen(position(2, signal=True))

    assert signalled(snapshot, [1]).key != snapshot.key
    assert SHOWN.picture(signalled(snapshot, [1, 0]), "").file != SHOWN.picture(snapshot, "").file


def test_a_player_with_a_choice_sees_the_attack_and_their_own_pending_order():
    state = position(2, {RED: "D5:4", BLUE: "F6:6", GREEN: "D6:4", YELLOW: "F5:9"}, equal="choice")
    state = play(state, "D5-4-D6 / F6-2-G6", "F5-1-F4 / pass")
    scene = scene_of(seen(state, seat=0), "")

    without = replace(scene, view=replace(scene.view, contest=None))

    assert not scene.is_draft
    assert draw(scene) != draw(without)
    assert draw(scene) != draw(replace(scene, orders=()))


def test_after_the_end_no_order_is_pending_and_the_last_move_is_shown():
    state = position(3, {RED: "A9:1 G10:1 I1:1 I6:2", BLUE: "F6:8", GREEN: "E6:8"})
    state = play(state, "I6-1-J7", "E6-3-D6", "F6-2-G6")
    table, hand = (scene_of(seen(state, seat=seat), "") for seat in (None, 1))

    assert CONQUEST.outcome(state) is not None
    assert hand.view.written
    assert hand.orders == ()
    assert "Your order" not in describe(hand)
    assert draw(replace(hand, view=replace(hand.view, seat=None))) == draw(table)


def test_a_pending_order_stays_in_its_owners_hand():
    state = position(3, {RED: "D4:3", GREEN: "D5:3"}, equal="choice")
    state = play(state, "D4-3-D5", "D5-2-D6", "pass")

    assert "Your order: Green D5-2-D6." in SHOWN.picture(seen(state, seat=1), "").alt
    assert "D5-2-D6" not in SHOWN.picture(seen(state, seat=0), "").alt
    assert "D5-2-D6" not in SHOWN.picture(seen(state), "").alt


def test_the_menus_of_a_team_ask_for_a_square_until_one_is_chosen():
    state = play(position(2, {RED: "E5:2 A8:1", BLUE: "F6:1"}), "pass / pass", "pass / pass")
    snapshot = seen(state, seat=0)

    def menus(draft):
        controls = controls_of(SHOWN, snapshot, draft)
        return [row for row in controls if isinstance(row, ChoiceMenu)]

    def asked(draft):
        return [menu.placeholder for menu in menus(draft)]

    (placed, none) = ({c.label: c.move for c in menu.choices} for menu in menus(""))
    assert asked("") == ["🔴 Which square?", "🔷 Which square?"]
    assert asked(placed["A8: 1 → 2"]) == ["🔴 A8: 1 → 2", "🔷 Which square?"]
    assert asked(none["No troop"]) == ["🔴 Which square?", "🔷 No troop"]
    assert asked("supply +A8/none") == ["🔴 A8: 1 → 2", "🔷 No troop"]
    labels = [choice.label for choice in offered(snapshot, "supply +A8/none")]
    assert labels[-2:] == ["Place: Red A8, Blue none", "No troops"]


def test_changing_a_reinforcement_shows_a_battalion_without_new_troops():
    state = play(position(2, {RED: "E5:2 A8:1", BLUE: "F6:1"}), "pass / pass", "pass / pass")
    snapshot = replace(seen(state, seat=0), choice=CONQUEST.parse("+A8 / none"))

    menus = [row for row in controls_of(SHOWN, snapshot, "") if isinstance(row, ChoiceMenu)]

    assert [menu.placeholder for menu in menus] == ["🔴 A8: 1 → 2", "🔷 No troop"]


@pytest.mark.parametrize(
    ("redeployment", "back"),
    [(False, []), (True, ["One from A9 🎯 back to E5", "One from C3 back to E5"])],
)
def test_buttons_of_a_reinforcement_mark_headquarters_and_objectives(redeployment, back):
    planning = position(3, {RED: "E5:4 A9:2 C3:1"}, redeployment=redeployment)
    snapshot = seen(play(planning, "pass", "pass", "pass"), seat=0)

    labels = [choice.label for choice in offered(snapshot)]

    assert labels == ["E5 HQ: 4 → 5", "A9 🎯: 2 → 3", "C3: 1 → 2", *back, "No troop"]
