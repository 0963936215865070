"""Messages of Divide and Conquer (tiles) in every phase fit Discord's limits, for everybody."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.rendering import render
from bot.rendering.phrases import seat_names
from bot.rendering.presentation import Presentations
from cogs.duel.presentation import DuelPresentation
from tests.support.duel_snapshots import A, B, after, dealt, match, positions, snapshots
from tests.support.presentations import buttons, must_fit
from tests.support.snapshots import URL, question_of, snapshot

SHOWN = DuelPresentation()
PRESENTATIONS = Presentations()
PRESENTATIONS["duel"] = SHOWN

many = settings(max_examples=150, deadline=None, derandomize=True)


@many
@given(snapshots())
def test_every_snapshot_fits_a_message(onlook):
    must_fit(render(onlook, PRESENTATIONS, URL))


@many
@given(snapshots())
def test_every_text_is_within_its_length(onlook):
    who, picture = seat_names(onlook), SHOWN.picture(onlook, "")

    assert len(SHOWN.story(onlook.view, who)) <= 1800
    assert len(SHOWN.score(onlook, who)) <= 500
    assert len(question_of(SHOWN, onlook)) <= 500
    assert 1 <= len(picture.alt) <= 1024
    assert len(picture.file) <= 100


@many
@given(positions(), st.sampled_from((A, B)))
def test_a_choice_changes_nothing_that_others_see(state, seat):
    """A choice isn't part of the view: others only see that a seat has chosen."""
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


def test_a_choice_is_marked_only_in_its_owners_hand():
    state = dealt()

    own = render(snapshot("duel", state, seat=A, chosen={A}), PRESENTATIONS, URL)

    assert "✓ 12" in [button.label for button in buttons(own)]
    assert "You chose 12." in own.foot


@pytest.mark.parametrize(
    ("pairs", "headline"),
    [
        ((), "Round 1 of 2, pair 1 of 5"),
        (((10, 2), (8, 9)), "Round 1 of 2, pair 3 of 5"),
        (((10, 2), (8, 9), (5, 6), (3, 4), (12, 7)), "Round 2 of 2, pair 1 of 5"),
    ],
)
def test_the_headline_counts_rounds_and_pairs(pairs, headline):
    assert SHOWN.headline(snapshot("duel", after(*pairs)).view) == headline


def test_the_headline_at_the_end_names_the_last_pair():
    end = snapshot("duel", match(14)[-1])

    assert SHOWN.headline(end.view) == "Round 2 of 2, pair 7 of 7"


def test_seats_have_the_signs_of_the_pictures():
    assert [SHOWN.marks[seat].emoji for seat in (A, B)] == ["\U0001f535", "\U0001f536"]


def test_a_hand_says_the_same_about_secrecy_before_and_after_choosing():
    until = "until everyone has chosen."
    before = snapshot("duel", dealt(), seat=A)
    after_it = snapshot("duel", dealt(), seat=A, chosen=(A,))

    assert question_of(SHOWN, before).endswith(until)
    assert until in render(after_it, PRESENTATIONS, URL).foot
