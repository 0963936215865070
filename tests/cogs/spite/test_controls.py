"""The buttons of a hand of Spite and Malice: every legal move, and nothing else."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.rendering.presentation import ChoiceMenu
from cogs.spite.presentation import SpitePresentation
from games.core import Seat
from tests.support.snapshots import controls_of, question_of
from tests.support.spite_snapshots import WORST, choices, explored, snapshot, states
from tests.support.spite_states import A, position, side

SHOWN = SpitePresentation()


many = settings(max_examples=150, deadline=None, derandomize=True)


some = settings(max_examples=60, deadline=None, derandomize=True)


worst = pytest.mark.parametrize("state", WORST.values(), ids=WORST)


@many
@given(states())
def test_every_legal_move_and_no_other_can_be_reached(state):
    onlook = snapshot(state, state.on_turn)

    reached = {c.move for offered in explored(onlook).values() for c in offered if c.act != "draft"}

    assert reached == offered_moves(onlook)


@worst
def test_every_legal_move_of_the_fullest_positions_can_be_reached(state):
    onlook = snapshot(state, A)

    reached = {c.move for offered in explored(onlook).values() for c in offered if c.act != "draft"}

    assert reached == offered_moves(onlook)


def offered_moves(onlook):
    """The legal moves; of discards onto empty piles, which are equivalent, only the first."""
    empty = not any(onlook.view.sides[onlook.seat].discards)
    alike = ("d2", "d3", "d4") if empty else ()
    return {str(move) for move in onlook.legal if getattr(move, "pile", None) not in alike}


@some
@given(states())
def test_no_move_takes_more_than_three_taps(state):
    """They are the card, how many of it, and the target."""
    onlook = snapshot(state, state.on_turn)
    first = choices(onlook, "")
    second = [c for choice in first if choice.act == "draft" for c in choices(onlook, choice.move)]
    third = [c for choice in second if choice.act == "draft" for c in choices(onlook, choice.move)]

    reached = {c.move for c in (*first, *second, *third) if c.act != "draft"}

    assert reached == offered_moves(onlook)


@some
@given(states())
def test_a_card_with_one_target_can_be_played_with_one_tap(state):
    onlook = snapshot(state, state.on_turn)
    plays = [move for move in onlook.legal if move.kind == "play"]
    sources = [move.source for move in plays]

    at_once = {c.move for c in choices(onlook, "") if c.act != "draft"}

    assert at_once >= {str(move) for move in plays if sources.count(move.source) == 1}


@some
@given(states(), st.text(max_size=12) | st.sampled_from(["play K", "drop 9 3", "play d9", "drop"]))
def test_an_invalid_draft_counts_as_none(state, draft):
    onlook = snapshot(state, state.on_turn)
    if draft not in explored(onlook):
        assert controls_of(SHOWN, onlook, draft) == controls_of(SHOWN, onlook, "")
        assert question_of(SHOWN, onlook, draft) == question_of(SHOWN, onlook, "")


@some
@given(states())
def test_out_of_turn_there_are_no_buttons(state):
    other = Seat(1 - state.on_turn)

    assert controls_of(SHOWN, snapshot(state, None), "") == []
    assert controls_of(SHOWN, snapshot(state, other), "") == []


def rows_of(state, draft=""):
    return [
        [choice.label for choice in control]
        for control in controls_of(SHOWN, snapshot(state, A), draft)
    ]


def test_cards_on_the_table_come_first_then_the_hand_then_discards():
    state = position(
        side(stock="9 4", hand="A 4 9", d1="8", d2="A", d4="K"), piles=("A 2 3", "A 2")
    )

    assert rows_of(state) == [
        ["4 (stock) → f1", "A (d2) → new", "K (d4) → …"],
        ["A → new", "4 → f1"],
        ["Discard A …", "Discard 4 …", "Discard 9 …"],
    ]


def test_drawing_comes_first():
    state = position(side(stock="9 A", hand="9 9"), source="7 7", strict_draw=True)

    assert rows_of(state) == [["Draw 2 cards"], ["A (stock) → new"], ["Discard 9 \u00d72 …"]]


def test_a_wild_card_says_what_it_counts_as():
    state = position(side(hand="K 9", d1="*"), piles=("A 2 3", "A"), jokers="with-kings")

    assert rows_of(state, "play K")[0] == ["f1 as 4", "f2 as 2", "new as A"]
    assert rows_of(state, "play d1")[0] == ["f1 as 4", "f2 as 2", "new as A"]


def test_a_wild_card_with_one_target_says_what_it_counts_as():
    assert rows_of(position(side(hand="K 9")))[0] == ["K as A → new"]


def test_more_than_ten_targets_become_a_menu():
    state = WORST["twenty foundations and a joker in every place"]

    menu, back = controls_of(SHOWN, snapshot(state, A), "play stock")

    assert isinstance(menu, ChoiceMenu)
    assert len(menu.choices) == 21
    assert [choice.label for choice in back] == ["Back"]


def test_the_piles_say_what_is_on_them():
    state = position(side(hand="9 9 9", d1="8 *", d3="10"), jokers="with-kings")

    assert rows_of(state, "drop 9 2") == [
        ["9", "✓ 9 \u00d72", "9 \u00d73"],
        ["d1, on joker", "d2, empty", "d3, on 10", "d4, empty"],
        ["Back"],
    ]


def test_empty_piles_are_offered_only_once():
    state = position(side(hand="9 J J"))

    assert rows_of(state)[-1] == ["Discard 9", "Discard J \u00d72 \u2026"]
    assert rows_of(state, "drop J 2") == [["J", "✓ J \u00d72"], ["d1, empty"], ["Back"]]
