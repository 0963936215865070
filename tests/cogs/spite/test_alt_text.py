"""Alt texts of Spite and Malice: a blind player can play by them alone."""

from dataclasses import replace
from itertools import combinations
from typing import get_args

import pytest
from hypothesis import given, settings

from cogs.spite.alt_text import describe
from cogs.spite.pictures import draw
from cogs.spite.text import playable
from games.spite import SPITE
from games.spite.cards import Jokers
from tests.support.spite_snapshots import seats, states
from tests.support.spite_states import CHANCE, A, B, play, position, side

STATE = position(
    side(stock="9 9 7", hand="2 7 7 K", d1="9 8", d3="*"),
    side(stock="5 5", hand="3 3 3", d2="Q J"),
    piles=("A 2 3 4 5 6", "K", "A *"),
    removed="A A A",
    jokers="with-kings",
)


def told(state, seat):
    return describe(SPITE.observe(state, seat))


def test_the_alt_text_of_a_hand_has_everything():
    assert told(STATE, A) == (
        "Spite and Malice, turn 10, you to play.\n"
        "Foundations: f1 6, needs 7; f2 K as A, needs 2; f3 joker as 2, needs 3.\n"
        "Source 10 cards, used 3. Wild: K and joker.\n"
        "Orange diamond 2: stock 5, 2 cards; hand 3 cards; discards, top last: d1 empty, "
        "d2 Q J, d3 empty, d4 empty.\n"
        "You, blue circle 1: stock 7, 3 cards; hand 2 7 7 K; discards, top last: d1 9 8, "
        "d2 empty, d3 joker, d4 empty.\nPlayable: stock, 2, 7, K, d3."
    )


def test_the_alt_text_of_the_table_has_only_the_sizes_of_the_hands():
    assert told(STATE, None) == (
        "Spite and Malice, turn 10, blue circle to play.\n"
        "Foundations: f1 6, needs 7; f2 K as A, needs 2; f3 joker as 2, needs 3.\n"
        "Source 10 cards, used 3. Wild: K and joker.\n"
        "Blue circle 1: stock 7, 3 cards; hand 4 cards; discards, top last: d1 9 8, "
        "d2 empty, d3 joker, d4 empty.\n"
        "Orange diamond 2: stock 5, 2 cards; hand 3 cards; discards, top last: d1 empty, "
        "d2 Q J, d3 empty, d4 empty."
    )


def test_nothing_is_called_playable_out_of_turn():
    assert "Playable" not in told(STATE, B)
    assert playable(SPITE.observe(STATE, B)) == ()


def test_an_empty_hand_and_no_foundations_are_described():
    text = told(position(side(d1="A"), source=""), A)

    assert "Foundations: none." in text
    assert "hand empty;" in text
    assert "Source 0 cards" in text


def test_the_alt_text_says_if_there_can_be_no_more_foundations():
    state = position(side(hand="A 9"), piles=("A", "A 2", "A 2 3"), foundations=3)

    text = told(state, A)

    assert "f3 3, needs 4. At most 3 at a time." in text
    assert "Playable" not in text


@pytest.mark.parametrize("score", [1, 2])
@pytest.mark.parametrize("scoring", ["games", "points"])
def test_a_series_has_what_each_seat_has_won(scoring, score):
    words = {1: scoring.removesuffix("s"), 2: scoring}[score]
    state = position(side(hand="A"), scoring=scoring)
    state = replace(state, series=replace(state.series, scores=(score, 0)))

    assert f"Blue circle 1, {score} {words}: stock" in told(state, None)


def test_the_end_names_the_winner():
    state = play(position(side(stock="A"), side(stock="9 9")), "stock>new")

    assert told(state, None).startswith("Spite and Malice, final, won by blue circle.")
    assert "Blue circle 1: stock played;" in told(state, None)


def test_a_drawn_end_says_so():
    state = play(position(side(stock="9 9 9", hand="9"), turn=5, turn_limit=5), "9>d1")

    assert told(state, None).startswith("Spite and Malice, final, a draw.")


@pytest.mark.parametrize(
    ("jokers", "words"),
    [("none", "Wild: K."), ("with-kings", "Wild: K and joker."), ("instead", "Wild: joker.")],
)
def test_the_alt_text_says_which_cards_are_wild(jokers, words):
    assert words in told(position(side(hand="A"), jokers=jokers), None)


@pytest.mark.parametrize("seat", [A, B, None])
def test_variants_whose_pictures_differ_have_different_alt_texts(seat):
    """A king on an opponent's pile is wild only in some variants, and no other text says so."""
    views = [
        SPITE.observe(position(side(hand="A"), side(stock="K", d1="K"), jokers=jokers), seat)
        for jokers in get_args(Jokers)
    ]

    differing = [pair for pair in combinations(views, 2) if len(set(map(draw, pair))) == 2]

    assert len(differing) == 2
    assert all(describe(one) != describe(other) for one, other in differing)


def test_the_alt_text_says_who_has_left():
    assert "Orange diamond 2, out:" in told(SPITE.concede(STATE, B, CHANCE), None)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(states(), seats)
def test_every_alt_text_has_at_most_1024_characters(state, seat):
    assert 1 <= len(told(state, seat)) <= 1024


@settings(max_examples=100, deadline=None, derandomize=True)
@given(states())
def test_exactly_the_playable_cards_are_called_playable(state):
    sources = {m.source for m in SPITE.legal_moves(state, state.on_turn) if m.kind == "play"}

    assert set(playable(SPITE.observe(state, state.on_turn))) == (
        sources if SPITE.awaiting(state) else set()
    )
