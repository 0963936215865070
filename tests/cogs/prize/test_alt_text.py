"""Alt texts of Prize Dominoes: everything that the pictures show."""

import re

import pytest
from hypothesis import given, settings

from cogs.prize.alt_text import describe
from games.prize import PRIZE, Options
from games.prize.tiles import spell, spell_all
from tests.support.prize_snapshots import (
    event,
    left,
    onlookers,
    positions,
    result,
    running,
    seen,
    won,
)
from tests.support.prize_states import A, B, table


def told(state, seat=None):
    return describe(seen(state, seat))


def test_the_alt_text_of_the_table_has_no_hands():
    state = running(prizes=("6-4", ""), a="5-4 5-5", b="1-0", stock="2-1 3-3")

    assert told(state) == (
        "Prize Dominoes, hand 1 (max 50), blue circle to move.\nStock: 2.\n"
        "Line from left to right: 4-6, 6-6. Left end 4, right end 6. "
        "Laid last: 6-6 at the right, by orange diamond.\n"
        "Blue circle 1, prizes: 6-4; needs 0, 1, 2, 3 and 5. Holds 2 tiles.\n"
        "Orange diamond 2, prizes: none; needs 0, 1, 2, 3, 4, 5 and 6. Holds 1 tile."
    )


def test_the_alt_text_of_a_hand_ends_with_its_tiles_and_those_that_fit():
    text = told(running(line="4-6 6-5", a="5-4 4-4 3-3"), A)

    assert "hand 1 (max 50), you to move." in text
    assert "Orange diamond 2, prizes: none" in text
    assert text.endswith(
        "You, blue circle 1, prizes: none; needs 0, 1, 2, 3, 4, 5 and 6. "
        "Hand: 5-4, 4-4, 3-3. Fits: 5-4 left or right, 4-4 left."
    )


def test_a_hand_without_a_fitting_tile_says_so():
    assert told(running(a="3-3"), A).endswith("Hand: 3-3. Fits: nothing.")


def test_a_waiting_hand_does_not_say_what_fits():
    assert told(running(b="6-4"), B).endswith("Hand: 6-4.")


def test_before_the_opening_there_is_no_line():
    assert "No line yet." in told(table(a="6-4", b="1-0"))


def test_the_opening_tile_is_at_neither_end():
    assert "Laid last: 6-4, by orange diamond." in told(
        running(event(B, "open", "6-4"), line="6-4")
    )


def test_a_pass_is_mentioned_during_the_hand():
    assert "\n1 pass.\n" in told(running(event(B, "pass"), event(A, "open", "6-6"), passes=1))
    assert "\n1 pass.\n" not in told(won(passes=2))


def test_a_drawn_tile_that_fits_both_ends_is_described_only_to_its_owner():
    state = running(line="4-6 6-5", a="3-3", asked=(5, 4))

    assert told(state, A).endswith("Hand: 3-3. Drawn: 5-4, fits both ends.")
    assert "Holds 1 tile, plus one just drawn." in told(state)
    assert "5-4" not in told(state, B)


def test_a_kept_tile_is_described_only_to_its_owner():
    state = running(event(B, "open", "6-6"), event(B, "kept"), b="1-0 3-2")

    assert told(state, B).endswith("Hand: 1-0, 3-2. Drawn last: 3-2.")
    assert "3-2" not in told(state, A)


def test_open_hands_have_their_pips_and_the_new_numbers_of_their_tiles():
    state = won(b="6-3 6-6 4-2", prizes=("6-3", ""), last=result(pips=(0, 27)))

    text = told(state)
    assert "won by blue circle, who takes a prize." in text
    assert "Hand: none. Pips when the hand ended: 0." in text
    assert text.endswith(
        "Hand: 6-3, 6-6, 4-2. Pips when the hand ended: 27. Tiles with new numbers: 4-2 (2 and 4)."
    )
    assert "won by you, who take a prize." in told(state, A)


def test_an_open_hand_without_new_numbers_says_so():
    state = won(b="6-6", prizes=("6-3", ""))

    assert told(state).endswith("Tiles with new numbers: none.")


def test_a_prize_is_called_new_until_the_next_hand_begins():
    dealt = table(
        a="5-5", b="1-0", turn=B, number=2, prizes=("3-1 6-4", ""), last=result(taken="6-4")
    )
    begun = PRIZE.play(dealt, {B: PRIZE.parse("1-0")}, None)

    assert "prizes: 3-1, 6-4 (new: 6-4);" in told(dealt)
    assert "(new" not in told(begun)


def test_a_prize_of_an_earlier_hand_is_not_called_new():
    assert "(new" not in told(running(prizes=("6-4", ""), number=2, last=result(taken="6-4")))


@pytest.mark.parametrize(
    ("state", "stage"),
    [
        (left(running(), A), "final, won by orange diamond."),
        (
            won(prizes=("6-4", "5-3"), last=result(taken="6-4"), options=Options(hand_limit=1)),
            "final, a draw.",
        ),
    ],
    ids=["won", "draw"],
)
def test_the_end_is_described(state, stage):
    assert stage in told(state)


def test_seats_that_have_left_or_lack_no_number_are_described():
    assert "Orange diamond 2, out, prizes" in told(left(running(), B))
    assert "needs nothing." in told(running(prizes=("6-5 4-3 2-1 0-0", "")))


@settings(max_examples=200, deadline=None, derandomize=True)
@given(positions(), onlookers)
def test_the_alt_text_has_every_visible_tile_and_no_other(state, seat):
    view = seen(state, seat)
    text = describe(view)

    rows = [row for row in (view.line, *view.prizes, *view.hands) if row]
    shown = {spell(tile) for row in rows for tile in row} | {spell(t) for t in _laid(view)}
    shown |= {spell(view.asked)} if view.asked else set()
    assert all(spell_all(row) in text for row in rows)
    assert set(re.findall(r"\d-\d", text)) <= shown
    assert f"Stock: {view.stock}." in text


def _laid(view):
    return [told.tile for told in view.events if told.tile is not None]
