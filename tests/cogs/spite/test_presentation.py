"""Messages of Spite and Malice in every phase fit Discord's limits and keep secrets."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.messaging.components import Select
from bot.rendering import render
from bot.rendering.presentation import ChoiceMenu, Presentations
from cogs.spite.presentation import SpitePresentation
from tests.support import spite_snapshots
from tests.support.presentations import buttons, must_fit
from tests.support.snapshots import controls_of, question_of
from tests.support.spite_snapshots import (
    NAMES,
    URL,
    WORST,
    explored,
    seats,
    snapshot,
    states,
)
from tests.support.spite_states import A, B, play, position, side

SHOWN = SpitePresentation()
PRESENTATIONS = Presentations()
PRESENTATIONS["spite"] = SHOWN

many = settings(max_examples=150, deadline=None, derandomize=True)
some = settings(max_examples=60, deadline=None, derandomize=True)
worst = pytest.mark.parametrize("state", WORST.values(), ids=WORST)


def assert_fits(onlook, draft):
    shown = render(onlook, PRESENTATIONS, URL, draft)
    must_fit(shown)
    assert len(SHOWN.story(onlook.view, NAMES)) <= 1800
    assert len(SHOWN.score(onlook, NAMES)) <= 500
    assert len(question_of(SHOWN, onlook, draft)) <= 500
    assert 1 <= len(SHOWN.picture(onlook, draft).alt) <= 1024
    assert len(SHOWN.picture(onlook, draft).file) <= 100
    if onlook.status == "over":
        assert len(SHOWN.result(onlook.view, NAMES)) <= 300
    controls = controls_of(SHOWN, onlook, draft)
    assert len(controls) <= 4
    assert sum(1 if isinstance(c, ChoiceMenu) else len(c) for c in controls) <= 15
    assert all(len(button.label) <= 38 for button in buttons(shown))  # longer: cut on a phone
    for menu in (row for row in shown.rows if isinstance(row, Select)):
        assert 1 <= len(menu.options) <= 25
        assert len({option.value for option in menu.options}) == len(menu.options)
        assert all(1 <= len(option.label) <= 100 for option in menu.options)
        assert all(len(str(menu.press.with_values(option.value))) <= 100 for option in menu.options)


@many
@given(states(), seats)
def test_every_snapshot_fits_a_message(state, seat):
    onlook = snapshot(state, seat)

    for draft in explored(onlook):
        assert_fits(onlook, draft)


@worst
@pytest.mark.parametrize("seat", [None, A, B], ids=["table", "on turn", "waiting"])
def test_the_fullest_positions_fit_a_message(state, seat):
    onlook = snapshot(state, seat)

    for draft in explored(onlook):
        assert_fits(onlook, draft)


@some
@given(states(), seats)
def test_a_draft_never_changes_the_picture(state, seat):
    """So a click on the hand is answered without drawing: Discord has the picture already."""
    onlook = snapshot(state, seat)

    assert {SHOWN.picture(onlook, d).file for d in explored(onlook)} == {
        SHOWN.picture(onlook, "").file
    }


QUESTIONS = {
    "a turn": (position(side(hand="A 9")), "**Your turn.** Play as many cards as you like"),
    "no play": (
        position(side(hand="9 J")),
        "**Discard to end your turn:** none of your cards fits",
    ),
    "forced ace": (
        position(side(hand="A 9"), forced="aces"),
        "you can't discard while you can play an ace",
    ),
    "forced two": (
        position(side(hand="2 9"), piles=("A",), forced="aces-and-twos"),
        "you can't discard while you can play an ace or a two",
    ),
    "empty hand": (
        position(side(d1="A"), source=""),
        "your hand is empty and there's nothing to draw",
    ),
    "draw": (position(side(hand="A 9"), strict_draw=True), "**Draw first?**"),
}


@pytest.mark.parametrize(("state", "words"), QUESTIONS.values(), ids=QUESTIONS)
def test_a_hand_says_what_its_owner_can_do(state, words):
    assert words in question_of(SHOWN, snapshot(state, A), "")


def test_a_player_who_gave_up_their_draw_is_not_told_that_nothing_can_be_drawn():
    begun = position(side(stock="9 9", hand="A", d1="2"), strict_draw=True)
    emptied = play(begun, "A>new")
    ended = play(emptied, "d1>f1")

    assert emptied.source
    assert question_of(SHOWN, snapshot(emptied, A), "") == (
        "**Keep playing:** your hand is empty and you can't draw this turn."
    )
    assert SHOWN.story(snapshot(ended).view, ("Ann", "Bo")) == (
        "Ann played **A-2** onto f1 and couldn't play or draw anymore, so their turn ended."
    )


def test_a_waiting_hand_says_whose_turn_it_is():
    assert question_of(SHOWN, snapshot(position(side(hand="A")), B), "") == (
        f"{SHOWN.marks[0].emoji} It's your opponent's turn."
    )


@pytest.mark.parametrize(
    ("draft", "words"),
    [
        ("play K", "**Where does the K go?** It counts as whatever the foundation needs."),
        ("play stock", "**Where does the 2 from your stock go?**"),
        ("play d1", "**Where does the K from d1 go?** It counts as whatever the foundation needs."),
        ("drop 9 2", "**Onto which pile do you discard the two 9s?** This ends your turn."),
        ("drop 9 1", "**Onto which pile do you discard the 9?** This ends your turn."),
    ],
)
def test_a_hand_with_a_draft_asks_where_the_card_goes(draft, words):
    state = position(side(stock="9 2", hand="K 9 9", d1="K"), piles=("A", "A"))

    assert question_of(SHOWN, snapshot(state, A), draft) == words


def hidden_otherwise(state):
    """A state with other hidden cards: stocks, hands, the source and the cards set aside."""
    sides = tuple(
        replace(
            one,
            stock=("Q",) * (len(one.stock) - 1) + one.stock[-1:],
            hand=("3",) * len(one.hand),
            carried=("3",) * len(one.carried),
        )
        for one in state.sides
    )
    series = replace(state.series, aside=("Q",) * len(state.series.aside))
    return replace(state, sides=sides, series=series, source=("Q",) * len(state.source))


@some
@given(states())
def test_the_table_does_not_depend_on_hidden_cards(state):
    """If only hidden cards differ, neither texts nor pictures do."""
    one, other = snapshot(state), snapshot(hidden_otherwise(state))

    assert render(one, PRESENTATIONS, URL) == render(other, PRESENTATIONS, URL)
    assert one.view == other.view


@some
@given(states(), st.sampled_from([A, B]))
def test_a_hand_does_not_depend_on_the_opponents_hand(state, seat):
    other = hidden_otherwise(state)
    sides = list(other.sides)
    sides[seat] = replace(sides[seat], hand=state.sides[seat].hand)
    changed = replace(other, sides=tuple(sides))

    shown = render(snapshot(state, seat), PRESENTATIONS, URL)
    again = render(snapshot(changed, seat), PRESENTATIONS, URL)

    assert (shown.head, shown.foot, shown.rows) == (again.head, again.foot, again.rows)
    assert shown.picture.alt == again.picture.alt


def test_the_worst_positions_match_their_names():
    state = spite_snapshots.WORST["thirteen foundations and deep piles"]

    assert len(state.foundations) == 13
    assert max(len(pile) for pile in state.sides[0].discards) == 14
