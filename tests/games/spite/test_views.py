"""Spite and Malice: who can see what (R29)."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest

from games.chance import Chance
from games.spite import SPITE, Options
from games.spite.cards import arranged
from tests.support.spite_states import CHANCE, A, B, cards, match, play, position, side

EVERYBODY = pytest.mark.parametrize("seat", [A, B, None], ids=["seat A", "seat B", "onlooker"])


@pytest.fixture
def state():
    return SPITE.setup(Options(stock=13, strict_draw=True), 2, Chance("1", 0))


def with_side(state, i, **changes):
    sides = list(state.sides)
    sides[i] = replace(sides[i], **changes)
    return replace(state, sides=tuple(sides))


@EVERYBODY
@pytest.mark.parametrize("owner", [A, B])
def test_nobody_sees_a_stock_below_its_top_not_even_its_owner(state, seat, owner):
    stock = state.sides[owner].stock
    other = with_side(state, owner, stock=(*stock[-2::-1], stock[-1]))

    assert other != state
    assert SPITE.observe(other, seat) == SPITE.observe(state, seat)


@EVERYBODY
def test_nobody_sees_which_cards_are_set_aside_and_which_are_in_the_stocks(state, seat):
    stock, aside = state.sides[A].stock, state.series.aside
    other = with_side(state, A, stock=(*aside[:12], stock[-1]))
    other = replace(other, series=replace(state.series, aside=stock[:12] + aside[12:]))

    assert other != state
    assert SPITE.observe(other, seat) == SPITE.observe(state, seat)


@EVERYBODY
def test_nobody_sees_the_order_of_the_source(state, seat):
    other = replace(state, source=state.source[::-1])

    assert other != state
    assert SPITE.observe(other, seat) == SPITE.observe(state, seat)


@pytest.mark.parametrize(("owner", "seat"), [(A, B), (B, A), (A, None), (B, None)])
def test_only_its_owner_sees_a_hand(state, owner, seat):
    hand = state.sides[owner].hand
    other = with_side(state, owner, hand=arranged(state.source[:5]))
    other = replace(other, source=hand + state.source[5:])

    assert other.sides[owner].hand != hand
    assert SPITE.observe(other, seat) == SPITE.observe(state, seat)
    assert SPITE.observe(state, owner).hand == hand
    assert SPITE.observe(other, owner) != SPITE.observe(state, owner)


@pytest.mark.parametrize("owner", [A, B])
def test_an_onlooker_does_not_see_what_a_hand_held_when_the_source_was_shuffled(state, owner):
    here = with_side(state, owner, carried=cards("A 2"))
    there = with_side(state, owner, carried=cards("J Q"))

    assert SPITE.observe(here, None) == SPITE.observe(there, None)
    assert SPITE.observe(here, None).carried is None


@pytest.mark.parametrize("seed", range(6))
def test_both_seats_can_infer_what_each_hand_held_when_the_source_was_shuffled(seed):
    """The old source was drawn to its last card, so the opponent holds what a seat did not draw."""
    states = match(seed, steps=600)
    before, after = next(
        (before, after)
        for before, after in pairwise(states)
        if after.events[-1].kind == "drawn" and after.events[-1].recycled
    )
    mover, drawer = before.on_turn, after.on_turn
    given = len(before.sides[mover].hand)  # a refill comes once the hand is empty
    if mover != drawer:
        given -= len(after.sides[mover].hand)

    carried = [Counter(one.carried) for one in after.sides]
    held = [Counter(one.hand) for one in before.sides]

    assert SPITE.observe(after, A).carried == tuple(one.carried for one in after.sides)
    assert SPITE.observe(after, B).carried == SPITE.observe(after, A).carried
    held[drawer] += Counter(before.source)
    assert (held[1 - mover] - carried[1 - mover]).total() == 0
    assert (held[mover] - carried[mover]).total() == given
    assert sum(map(Counter.total, held)) == sum(map(Counter.total, carried)) + given


@EVERYBODY
def test_the_end_of_a_match_reveals_nothing_more(seat):
    """Two matches that end the same way but differ in what is hidden look the same."""
    mine, theirs = side(stock="A", hand="4 8"), side(stock="2 3 9", hand="5 6")
    here = play(position(mine, theirs, source="2 3 4 5"), "stock>new")
    there = play(position(mine, side(stock="3 2 9", hand="5 6"), source="5 4 3 2"), "stock>new")
    if seat != A:
        there = with_side(there, A, hand=cards("J Q"))
    if seat != B:
        there = with_side(there, B, hand=cards("J Q"))
    if seat is None:
        there = with_side(there, A, carried=cards("J Q"))

    assert SPITE.observe(here, seat) == SPITE.observe(there, seat)


@EVERYBODY
def test_a_stock_that_was_played_has_no_top(seat):
    end = play(position(side(stock="A", hand="4 8")), "stock>new")

    assert SPITE.observe(end, seat).sides[A].top is None


@pytest.mark.parametrize("leaver", [A, B])
@pytest.mark.parametrize(("owner", "seat"), [(A, B), (B, A), (A, None), (B, None)])
def test_no_hand_is_shown_to_others_when_a_seat_leaves(state, leaver, owner, seat):
    here = SPITE.concede(state, leaver, CHANCE)
    there = with_side(here, owner, hand=cards("10 10 J J Q"))

    assert SPITE.observe(here, seat) == SPITE.observe(there, seat)


@EVERYBODY
def test_everybody_sees_all_open_cards(seat):
    mine = side(stock="9 5 6", hand="4 8", d1="J 3", d4="K")
    state = position(mine, piles=("A 2", "A"), removed="A 2 3", source="7 7")
    view = SPITE.observe(state, seat)

    assert [one.stock for one in view.sides] == [3, 3]
    assert [one.top for one in view.sides] == ["6", "9"]
    assert [one.hand for one in view.sides] == [2, 5]
    assert view.sides[A].discards == (cards("J 3"), (), (), cards("K"))
    assert view.foundations == (cards("A 2"), cards("A"))
    assert view.removed == cards("A 2 3")
    assert (view.source, view.aside) == (2, 0)
    assert (view.on_turn, view.turn, view.dealer) == (A, 10, B)
    assert (view.scores, view.awaiting, view.outcome) == ((0, 0), (A,), None)


def test_a_turn_is_reported_event_by_event():
    state = position(
        side(hand="A 4 4", stock="9 2", d2="3"), side(hand="6", stock="9 9"), source="7 7 7 7 8"
    )

    view = SPITE.observe(play(state, "A>new", "stock>f1", "d2>f1", "4x2>d2"), None)

    told = [
        (event.kind, event.seat, getattr(event, "face", None) or event.count)
        for event in view.events
    ]
    assert told == [
        ("played", A, "A"),
        ("played", A, "2"),
        ("played", A, "3"),
        ("discarded", A, "4"),
        ("drawn", B, 4),
    ]
    assert [event.source for event in view.events[:3]] == ["hand", "stock", "d2"]
    assert (view.events[3].count, view.events[3].pile) == (2, "d2")
    assert view.turn_start == 4


def test_the_turn_before_the_last_is_forgotten():
    state = play(position(side(hand="4 8"), source="7 7 7 7 7 7 7"), "4>d1", "5>d1")

    assert [(event.kind, event.seat) for event in state.events] == [("discarded", B), ("drawn", A)]


def test_the_turn_before_is_forgotten_at_the_end_of_a_game():
    """Only the last turn of it is reported, whoever played the last stock card."""
    state = play(position(side(hand="4 8"), side(hand="6", stock="A")), "4>d1", "stock>new")

    assert state.is_over
    assert [(event.kind, event.seat) for event in state.events] == [("drawn", B), ("played", B)]
    assert state.turn_start == 0


def test_somebody_without_a_seat_sees_no_hand(state):
    with pytest.raises(ValueError, match="There is no seat 2"):
        SPITE.observe(state, 2)
