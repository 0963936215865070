"""The buttons of a hand of Prize Dominoes: every legal move, and nothing else."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.rendering.presentation import ChoiceMenu
from cogs.prize.presentation import PrizePresentation
from games.prize import PRIZE
from tests.support.prize_snapshots import (
    fullest_open,
    left,
    most_moves,
    most_prizes,
    onlookers,
    positions,
    running,
    won,
    worst,
)
from tests.support.prize_states import A, B, table
from tests.support.snapshots import controls_of, question_of, snapshot

SHOWN = PrizePresentation()


many = settings(max_examples=200, deadline=None, derandomize=True)


everywhere = st.one_of(positions(), worst)


def offered(controls):
    return [
        choice
        for row in controls
        for choice in (row.choices if isinstance(row, ChoiceMenu) else row)
    ]


def hand(state, seat=A):
    return controls_of(SHOWN, snapshot("prize", state, seat=seat), "")


def rows(state, seat=A):
    return [[choice.label for choice in row] for row in hand(state, seat)]


@many
@given(everywhere, st.sampled_from((A, B)))
def test_every_legal_move_and_nothing_else_is_one_tap_away(state, seat):
    controls = hand(state, seat)

    moves = [choice.move for choice in offered(controls)]
    assert sorted(moves) == sorted(str(move) for move in PRIZE.legal_moves(state, seat))
    assert all(choice.act == "pick" for choice in offered(controls))
    assert len(controls) <= 4
    assert all(len(row.choices) <= 25 for row in controls if isinstance(row, ChoiceMenu))


@many
@given(everywhere, onlookers, st.text(max_size=55))
def test_drafts_are_ignored(state, seat, draft):
    onlook = snapshot("prize", state, seat=seat)

    assert controls_of(SHOWN, onlook, draft) == controls_of(SHOWN, onlook, "")
    assert question_of(SHOWN, onlook, draft) == question_of(SHOWN, onlook, "")
    assert SHOWN.picture(onlook, draft) == SHOWN.picture(onlook, "")


def test_a_waiting_hand_and_a_hand_after_the_end_have_no_buttons():
    assert hand(running(), B) == []
    assert hand(most_prizes()) == []
    assert hand(left(running(), B)) == []


def test_a_tile_for_both_ends_is_offered_for_each():
    state = running(line="4-6 6-5", a="5-4 4-4 5-5")

    assert rows(state) == [["← 5-4 left", "← 4-4 left"], ["5-4 right →", "5-5 right →"]]


def test_the_opening_names_no_end():
    assert rows(table(a="6-4 1-0")) == [["6-4", "1-0"]]


def test_without_a_fitting_tile_the_choices_are_drawing_and_prizes():
    state = running(line="4-6 6-6", a="5-5", prizes=("6-1 4-0 3-3", ""))

    assert rows(state) == [["Draw"], ["← Prize 4-0 left"], ["Prize 6-1 right →"]]
    assert [choice.quiet for choice in offered(hand(state))] == [False, True, True]


def test_with_an_empty_stock_passing_is_offered_instead():
    assert rows(running(line="4-6 6-6", a="5-5", stock="")) == [["Pass"]]


def test_a_drawn_tile_that_fits_both_ends_offers_both_numbers():
    state = running(line="4-6 6-5", a="3-3", asked=(5, 4))

    assert rows(state) == [["← The 4 at the left"], ["The 5 at the right →"]]


def test_the_tiles_of_an_open_hand_say_how_many_new_numbers_they_bring():
    state = won(b="6-3 3-3 1-0", prizes=("6-6 1-0", ""))

    assert rows(state) == [["6-3 · 1 new", "3-3 · 1 new", "1-0"]]
    assert [choice.quiet for choice in offered(hand(state))] == [False, False, True]


def test_with_more_than_fifteen_tiles_the_prize_is_chosen_from_a_menu():
    (menu,) = hand(fullest_open(), B)

    assert isinstance(menu, ChoiceMenu)
    assert menu.placeholder == "Choose your prize"
    assert len(menu.choices) == 21
    assert menu.choices[1].label == "Take 3-0"
    assert menu.choices[1].note == "New for you: 0 and 3"


def test_an_option_of_the_menu_says_if_a_tile_brings_nothing_new():
    state = replace(fullest_open(), prizes=((), ((3, 0),)))

    (menu,) = hand(state, B)

    assert menu.choices[1].note == "Nothing new for you"


def test_with_too_many_tiles_for_both_ends_the_rows_are_filled():
    controls = hand(most_moves())

    assert [len(row) for row in controls] == [5, 4, 4]
    assert controls[0][0].label == "Draw"


def test_twelve_playable_tiles_are_still_grouped_by_end():
    state = running(line="6-0", a="6-1 6-2 6-3 6-4 6-5 6-6 0-0 1-0 2-0 3-0 4-0 5-0")

    assert [len(row) for row in rows(state)] == [3, 3, 3, 3]
    assert rows(state)[0] == ["← 6-1 left", "← 6-2 left", "← 6-3 left"]
