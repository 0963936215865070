"""How a match of the tile duel looks in every phase: within Discord's limits, to every onlooker."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.messaging.content import Layout
from bot.rendering import names, render
from bot.rendering.presentation import Presentations
from cogs.duel.presentation import VARIANTS, DuelPresentation
from games.duel import DUEL, Options
from tests.support.duel_snapshots import A, B, after, dealt, left, match, positions, seen
from tests.support.snapshots import URL, controls_of, is_hand, question_of, snapshot

SHOWN = DuelPresentation()
PRESENTATIONS = Presentations()
PRESENTATIONS.add("duel", SHOWN)

many = settings(max_examples=150, deadline=None, derandomize=True)


@st.composite
def snapshots(draw):
    """Somebody's look at a position in which seats may have chosen."""
    state = draw(positions())
    awaited = sorted(DUEL.awaiting(state))
    chosen = draw(st.sets(st.sampled_from(awaited))) if awaited else set()
    step = len(state.pairs) + len(state.left)
    return snapshot(
        "duel", state, seat=draw(st.sampled_from((None, A, B))), chosen=chosen, step=step
    )


def buttons(shown):
    return [button for row in shown.rows for button in row]


@many
@given(snapshots())
def test_every_look_fits_a_message(onlook):
    shown = render(onlook, PRESENTATIONS, URL)
    layout = Layout(shown, "attachment://x.png")

    assert layout.total_children_count <= 40
    assert 1 <= layout.content_length() <= 4000
    assert all(1 <= len(row) <= 5 for row in shown.rows if row)
    assert all(1 <= len(button.label) <= 80 for button in buttons(shown))
    ids = [str(button.press) for button in buttons(shown) if hasattr(button, "press")]
    assert len(ids) == len(set(ids))
    assert all(len(custom_id) <= 100 for custom_id in ids)


@many
@given(snapshots())
def test_every_text_keeps_to_its_length(onlook):
    who, picture = names(onlook), SHOWN.picture(onlook, "")

    assert len(SHOWN.story(onlook, who)) <= 1800
    assert len(SHOWN.score(onlook, who)) <= 500
    assert len(question_of(SHOWN, onlook)) <= 500
    assert 1 <= len(picture.alt) <= 1024
    assert len(picture.file) <= 100


@many
@given(snapshots().filter(is_hand))
def test_a_desk_offers_exactly_the_tiles_in_hand_while_one_is_owed(onlook):
    rows = SHOWN.controls(onlook, "")

    offered = [choice for row in rows for choice in row]
    assert [choice.move for choice in offered] == [str(move) for move in onlook.legal]
    assert [choice.label for choice in offered] == [choice.move for choice in offered]
    assert not any(choice.draft for choice in offered)
    assert len(rows) <= 2


@many
@given(snapshots(), st.text(max_size=55))
def test_a_draft_means_nothing_here(onlook, draft):
    assert controls_of(SHOWN, onlook, draft) == controls_of(SHOWN, onlook)
    assert question_of(SHOWN, onlook, draft) == question_of(SHOWN, onlook)
    assert SHOWN.picture(onlook, draft) == SHOWN.picture(onlook, "")


@many
@given(positions(), st.sampled_from((None, A, B)))
def test_one_tap_offers_to_each_seat_exactly_what_it_may_play(state, seat):
    taps = SHOWN.taps(snapshot("duel", state, seat=seat))

    assert [[choice.move for choice in block] for block in taps] == [
        [str(move) for move in DUEL.legal_moves(state, each)] for each in (A, B)
    ]


def test_nobody_is_offered_a_tap_after_the_end():
    assert list(SHOWN.taps(snapshot("duel", match(10)[-1]))) == [(), ()]
    assert list(SHOWN.taps(snapshot("duel", left(dealt(), A)))) == [(), ()]


@many
@given(positions(), st.sampled_from((A, B)))
def test_what_a_seat_has_chosen_changes_nothing_that_others_see(state, seat):
    """A choice is no part of the view: it may only show as chosen, never as what."""
    before = snapshot("duel", state)
    other = snapshot("duel", state, seat=1 - seat)
    shown = render(before, PRESENTATIONS, URL)

    chosen = render(replace(before, chosen=frozenset({seat})), PRESENTATIONS, URL)
    across = render(replace(other, chosen=frozenset({seat})), PRESENTATIONS, URL)

    assert chosen.head == shown.head
    assert chosen.picture == shown.picture
    assert "You chose" not in chosen.foot
    assert replace(across, foot="") == replace(render(other, PRESENTATIONS, URL), foot="")
    assert "You chose" not in across.foot


def test_the_own_choice_is_marked_at_the_own_desk_alone():
    state = dealt()

    own = render(snapshot("duel", state, seat=A, chosen={A}), PRESENTATIONS, URL)

    assert "✓ 12" in [button.label for button in buttons(own)]
    assert "You chose 12." in own.foot


def test_seven_tiles_lie_in_two_rows_as_even_as_possible():
    rows = SHOWN.controls(snapshot("duel", dealt(14), seat=A), "")

    assert [len(row) for row in rows] == [4, 3]


@pytest.mark.parametrize(("preset", "tiles"), [("standard", 10), ("large", 14)])
def test_every_variant_has_a_name(preset, tiles):
    assert SHOWN.variant(DUEL.presets[preset]) == f"{tiles} tiles"
    assert VARIANTS[preset].startswith(f"{tiles} tiles, ")


def test_every_preset_is_offered():
    assert set(VARIANTS) == set(DUEL.presets)
    assert {options.tiles for options in DUEL.presets.values()} == {10, 14}
    assert DUEL.presets["standard"] == Options()


@pytest.mark.parametrize(
    ("pairs", "headline"),
    [
        ((), "Round 1 of 2, pair 1 of 5"),
        (((10, 2), (8, 9)), "Round 1 of 2, pair 3 of 5"),
        (((10, 2), (8, 9), (5, 6), (3, 4), (12, 7)), "Round 2 of 2, pair 1 of 5"),
    ],
)
def test_the_headline_counts_rounds_and_pairs(pairs, headline):
    assert SHOWN.headline(snapshot("duel", after(*pairs))) == headline


def test_the_headline_of_the_end_is_its_last_pair():
    end = snapshot("duel", match(14)[-1])

    assert SHOWN.headline(end) == "Round 2 of 2, pair 7 of 7"


def test_seats_have_the_signs_of_the_pictures():
    view = seen(dealt())

    assert [SHOWN.badge(seat) for seat in range(len(view.hands))] == ["\U0001f535", "\U0001f536"]
