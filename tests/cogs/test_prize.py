"""How a match of Prize Dominoes looks in every phase: within Discord's limits, secrets kept."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.errors import ChallengeError
from bot.messaging.components import Select
from bot.messaging.content import Layout
from bot.rendering import names, render
from bot.rendering.presentation import ChoiceMenu, Presentations
from cogs.prize.options import ANY_TURN, EMPTY_STOCK, PASSES, agreed, named
from cogs.prize.presentation import PrizePresentation
from games.prize import PRIZE, Options
from tests.support.prize_snapshots import (
    WORST,
    A,
    B,
    alike,
    fullest_open,
    left,
    most_moves,
    most_prizes,
    onlookers,
    positions,
    running,
    seen,
    table,
    won,
    worst,
)
from tests.support.snapshots import URL, controls_of, question_of, snapshot

SHOWN = PrizePresentation()
PRESENTATIONS = Presentations()
PRESENTATIONS.add("prize", SHOWN)

many = settings(max_examples=200, deadline=None, derandomize=True)
everywhere = st.one_of(positions(), worst)


def buttons(shown):
    return [b for row in shown.rows if not isinstance(row, Select) for b in row]


def offered(controls):
    return [
        choice
        for row in controls
        for choice in (row.choices if isinstance(row, ChoiceMenu) else row)
    ]


def desk(state, seat=A):
    return controls_of(SHOWN, snapshot("prize", state, seat=seat))


def rows(state, seat=A):
    return [[choice.label for choice in row] for row in desk(state, seat)]


@many
@given(everywhere, onlookers)
def test_every_look_fits_a_message(state, seat):
    shown = render(snapshot("prize", state, seat=seat, step=10**6), PRESENTATIONS, URL)
    layout = Layout(shown, "attachment://x.png")

    assert layout.total_children_count <= 40
    assert 1 <= layout.content_length() <= 4000
    assert all(1 <= len(row) <= 5 for row in shown.rows if row and not isinstance(row, Select))
    assert all(1 <= len(button.label) <= 80 for button in buttons(shown))
    ids = [str(part.press) for part in shown.rows if isinstance(part, Select)]
    ids += [str(button.press) for button in buttons(shown) if hasattr(button, "press")]
    assert len(ids) == len(set(ids))
    assert all(len(custom_id) <= 100 for custom_id in ids)


@many
@given(everywhere, onlookers)
def test_every_text_keeps_to_its_length(state, seat):
    onlook = snapshot("prize", state, seat=seat)
    who, picture = names(onlook), SHOWN.picture(onlook, "")

    assert 1 <= len(SHOWN.story(onlook, who)) <= 1800
    assert 1 <= len(SHOWN.score(onlook, who)) <= 500
    assert 1 <= len(question_of(SHOWN, onlook)) <= 500
    assert 1 <= len(picture.alt) <= 1024
    assert len(picture.file) <= 100


@many
@given(everywhere)
def test_every_result_keeps_to_its_length(state):
    over = state if PRIZE.outcome(state) else left(state, A)

    assert 1 <= len(SHOWN.result(snapshot("prize", over), names(snapshot("prize", over)))) <= 300


@many
@given(everywhere, st.sampled_from((A, B)))
def test_every_legal_move_is_one_tap_away_and_nothing_else_is(state, seat):
    controls = desk(state, seat)

    moves = [choice.move for choice in offered(controls)]
    assert sorted(moves) == sorted(str(move) for move in PRIZE.legal_moves(state, seat))
    assert not any(choice.draft for choice in offered(controls))
    assert len(controls) <= 4
    assert all(len(row.choices) <= 25 for row in controls if isinstance(row, ChoiceMenu))


@many
@given(everywhere, onlookers, st.text(max_size=55))
def test_a_draft_means_nothing_here(state, seat, draft):
    onlook = snapshot("prize", state, seat=seat)

    assert controls_of(SHOWN, onlook, draft) == controls_of(SHOWN, onlook)
    assert question_of(SHOWN, onlook, draft) == question_of(SHOWN, onlook)
    assert SHOWN.picture(onlook, draft) == SHOWN.picture(onlook, "")


@many
@given(alike())
def test_what_an_onlooker_may_not_see_changes_nothing_that_is_shown(positions):
    """Hidden hands and the stock are dealt anew: neither words nor buttons nor picture tell it."""
    seat, state, other = positions

    first = snapshot("prize", state, seat=seat)
    second = snapshot("prize", other, seat=seat)

    assert render(second, PRESENTATIONS, URL) == render(first, PRESENTATIONS, URL)


@many
@given(everywhere, onlookers)
def test_nobody_is_offered_a_hand_on_the_table(state, seat):
    assert SHOWN.taps(snapshot("prize", state, seat=seat)) == ()


def test_the_waiting_desk_and_the_desk_after_the_end_have_nothing_to_tap():
    assert desk(running(), B) == []
    assert desk(most_prizes()) == []
    assert desk(left(running(), B)) == []


# What lies on the buttons.


def test_a_tile_for_both_ends_is_offered_for_each():
    state = running(line="4-6 6-5", a="5-4 4-4 5-5")

    assert rows(state) == [["← 5-4 left", "← 4-4 left"], ["5-4 right →", "5-5 right →"]]


def test_the_opening_names_no_end():
    assert rows(table(a="6-4 1-0")) == [["6-4", "1-0"]]


def test_with_nothing_to_play_one_draws_or_plays_a_prize():
    state = running(line="4-6 6-6", a="5-5", prizes=("6-1 4-0 3-3", ""))

    assert rows(state) == [["Draw"], ["← Prize 4-0 left"], ["Prize 6-1 right →"]]
    assert [choice.quiet for choice in offered(desk(state))] == [False, True, True]


def test_with_an_empty_stock_one_passes_instead():
    assert rows(running(line="4-6 6-6", a="5-5", stock="")) == [["Pass"]]


def test_a_drawn_tile_for_both_ends_asks_at_which_number_it_goes():
    state = running(line="4-6 6-5", a="3-3", asked=(5, 4))

    assert rows(state) == [["← The 4 at the left"], ["The 5 at the right →"]]


def test_the_tiles_of_the_opened_hand_say_how_many_new_numbers_they_bring():
    state = won(b="6-3 3-3 1-0", prizes=("6-6 1-0", ""))

    assert rows(state) == [["6-3 · 1 new", "3-3 · 1 new", "1-0"]]
    assert [choice.quiet for choice in offered(desk(state))] == [False, False, True]


def test_of_more_than_fifteen_tiles_the_prize_is_chosen_in_a_menu():
    (menu,) = desk(fullest_open(), B)

    assert isinstance(menu, ChoiceMenu)
    assert menu.placeholder == "Choose your prize"
    assert len(menu.choices) == 21
    assert menu.choices[1].label == "Take 3-0"
    assert menu.choices[1].note == "New for you: 0 and 3"


def test_a_line_of_the_menu_says_that_a_tile_brings_nothing_new():
    state = replace(fullest_open(), prizes=((), ((3, 0),)))

    (menu,) = desk(state, B)

    assert menu.choices[1].note == "Nothing new for you"


def test_where_both_ends_have_too_many_tiles_the_rows_are_filled():
    controls = desk(most_moves())

    assert [len(row) for row in controls] == [5, 4, 4]
    assert controls[0][0].label == "Draw"


def test_a_dozen_tiles_to_play_stay_apart_by_end():
    state = running(line="6-0", a="6-1 6-2 6-3 6-4 6-5 6-6 0-0 1-0 2-0 3-0 4-0 5-0")

    assert [len(row) for row in rows(state)] == [3, 3, 3, 3]
    assert rows(state)[0] == ["← 6-1 left", "← 6-2 left", "← 6-3 left"]


# What was agreed upon.


def test_without_a_word_the_rulebook_is_played():
    assert agreed() == Options()
    assert agreed(ANY_TURN) == PRIZE.presets["standard"]


@pytest.mark.parametrize(
    ("passes", "hands", "options", "name"),
    [
        (ANY_TURN, None, Options(), "standard"),
        (ANY_TURN, 50, Options(), "standard"),
        (ANY_TURN, 1, Options(hand_limit=1), "one hand"),
        (ANY_TURN, 12, Options(hand_limit=12), "12 hands"),
        (
            EMPTY_STOCK,
            None,
            Options(pass_only_when_stock_is_empty=True),
            "a draw is no pass",
        ),
        (
            EMPTY_STOCK,
            3,
            Options(pass_only_when_stock_is_empty=True, hand_limit=3),
            "3 hands, a draw is no pass",
        ),
    ],
)
def test_every_option_can_be_had_and_is_named(passes, hands, options, name):
    assert agreed(passes, hands) == options
    assert named(options) == SHOWN.variant(options) == name


def test_both_rules_for_passes_are_offered():
    assert list(PASSES) == [ANY_TURN, EMPTY_STOCK]
    assert all(1 <= len(name) <= 100 for name in PASSES.values())


def test_a_match_of_no_hand_is_refused_with_the_reason():
    with pytest.raises(ChallengeError, match="at least 1, not 0"):
        agreed(ANY_TURN, 0)


def test_seats_have_the_signs_of_the_pictures():
    assert [SHOWN.badge(seat) for seat in (A, B)] == ["\U0001f535", "\U0001f536"]


@pytest.mark.parametrize("name", sorted(WORST))
def test_the_worst_positions_are_what_they_claim(name):
    """Each lays out tiles of one set, none of them twice."""
    state = WORST[name]()

    lying = [(max(tile), min(tile)) for tile in state.line]
    everything = [*lying, *state.stock, *(t for row in (*state.hands, *state.prizes) for t in row)]
    assert len(everything) == len(set(everything))
    assert seen(state).line == state.line
