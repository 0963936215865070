"""Spite and Malice: strict draw, recycled foundations, skipped turns, limits (R32, R33)."""

from collections import Counter

import pytest

from games.chance import Chance
from games.core import IllegalMoveError
from games.spite import SPITE, Options
from tests.support.spite_states import A, B, cards, legal, play, position, side

ALMOST = "A 2 3 4 5 6 7 8 9 10 J"
"""A foundation that a queen completes."""


def refusal(state, text):
    with pytest.raises(IllegalMoveError) as refused:
        play(state, text)
    return str(refused.value)


# --- Strict draw (R32) -----------------------------------------------------------------------


def test_with_strict_draw_a_turn_begins_without_the_cards():
    state = play(position(side(hand="4 8"), side(hand="3 6"), strict_draw=True), "4>d1")

    assert state.on_turn == B
    assert state.sides[B].hand == cards("3 6")
    assert legal(state)[0] == "draw"


def test_the_draw_fills_the_hand_up_to_five():
    state = play(position(side(hand="4 8"), source="3 9 10 J", strict_draw=True), "draw")

    assert state.sides[A].hand == cards("4 8 9 10 J")
    assert state.on_turn == A


def test_the_draw_takes_what_is_left():
    state = play(position(side(hand="4 8"), source="9", strict_draw=True), "draw")

    assert state.sides[A].hand == cards("4 8 9")
    assert "draw" not in legal(state)


def test_the_draw_is_legal_once_a_turn():
    state = play(position(side(hand="4 8"), strict_draw=True), "draw")

    assert "draw" not in legal(state)
    assert "already" in refusal(state, "draw")


def test_the_draw_is_not_legal_again_after_the_hand_has_shrunk():
    state = play(position(side(hand="A 8"), strict_draw=True), "draw", "A>new")

    assert "already" in refusal(state, "draw")


@pytest.mark.parametrize("text", ["A>new", "stock>new", "d1>new"])
def test_the_draw_is_not_legal_after_a_play(text):
    mine = side(hand="A 8", stock="9 A", d1="A")
    state = play(position(mine, strict_draw=True), text)

    assert "draw" not in legal(state)
    assert "before your first play" in refusal(state, "draw")


@pytest.mark.parametrize(("source", "removed"), [("7 7", ""), ("", "J J")])
def test_the_draw_is_not_legal_with_five_in_hand(source, removed):
    state = position(side(hand="4 4 8 8 9"), source=source, removed=removed, strict_draw=True)

    assert "draw" not in legal(state)
    assert "Your hand is full: you have 5 cards." in refusal(state, "draw")


def test_the_draw_is_not_legal_in_the_first_turn_with_five_cards_dealt():
    state = SPITE.setup(Options(strict_draw=True), 2, Chance("1", 0))

    assert "draw" not in legal(state)
    assert "Your hand is full: you have 5 cards." in refusal(state, "draw")


def test_the_draw_is_not_legal_with_nothing_to_draw():
    state = position(side(hand="4 8"), source="", strict_draw=True)

    assert "draw" not in legal(state)
    assert refusal(state, "draw") == "There's nothing left to draw. Play or discard."


def test_nobody_is_told_to_discard_from_an_empty_hand():
    state = position(side(hand="", stock="A"), source="", strict_draw=True)

    assert refusal(state, "draw") == "There's nothing left to draw. Play a card."


def test_without_strict_draw_there_is_no_such_move():
    state = position(side(hand="4 8"))

    assert "draw" not in legal(state)
    assert "draw automatically" in refusal(state, "draw")


def test_removed_cards_alone_are_something_to_draw():
    state = position(side(hand="4 8"), source="", removed="J J J Q", strict_draw=True)

    assert legal(state)[0] == "draw"
    assert play(state, "draw").sides[A].hand.count("J") >= 2


@pytest.mark.parametrize("first", ["A>new", "stock>new", "d1>new"])
def test_a_play_instead_of_the_draw_gives_up_the_refill_of_an_emptied_hand(first):
    state = position(side(hand="A", stock="9 2 A", d1="2 A"), strict_draw=True)
    rest = {"A>new": [], "stock>new": ["A>new"], "d1>new": ["A>new"]}[first]

    after = play(state, first, *rest)

    assert after.on_turn == A
    assert after.sides[A].hand == ()
    assert len(after.source) == 10


def test_with_the_refill_given_up_the_turn_goes_on_and_ends_automatically():
    state = position(side(hand="A", stock="9 2"), strict_draw=True)

    first = play(state, "A>new")
    assert legal(first) == ["stock>f1"]
    assert play(first, "stock>f1").on_turn == B


def test_the_refill_is_given_up_for_this_turn_only():
    state = position(side(hand="A", stock="9 9 2"), side(hand="8"), strict_draw=True)

    back = play(state, "A>new", "stock>f1", "8>d1")
    assert back.on_turn == A
    assert back.draw == "open"
    drawn = play(back, "draw")
    assert len(drawn.sides[A].hand) == 5


def test_a_discard_instead_of_the_draw_ends_the_turn_without_it():
    state = play(position(side(hand="4 8"), strict_draw=True), "4>d1")

    assert state.sides[A].hand == cards("8")


def test_after_the_draw_an_emptied_hand_is_refilled_automatically():
    state = position(side(hand="A 2"), source="7 7 7 7 7 7 3 4 5", strict_draw=True)

    after = play(state, "draw", "A>new", "2>f1", "3>f1", "4>f1", "5>f1")

    assert after.sides[A].hand == cards("7 7 7 7 7")
    assert after.on_turn == A


def test_a_play_with_five_in_hand_gives_nothing_up():
    state = position(side(hand="A 2 3 4 5"), strict_draw=True)

    after = play(state, "A>new", "2>f1", "3>f1", "4>f1", "5>f1")

    assert after.sides[A].hand == cards("7 7 7 7 7")


def test_a_play_with_nothing_to_draw_gives_nothing_up():
    """The refill still happens once a completed foundation has brought cards."""
    state = position(side(hand="A Q"), piles=(ALMOST,), source="", strict_draw=True)

    after = play(state, "Q>f1", "A>new")

    assert len(after.sides[A].hand) == 5


def test_the_draw_cannot_be_made_either_once_that_play_has_brought_cards():
    state = play(position(side(hand="A Q"), piles=(ALMOST,), source="", strict_draw=True), "Q>f1")

    assert "draw" not in legal(state)
    assert "before your first play" in refusal(state, "draw")


@pytest.mark.parametrize("seat", [A, B, None])
def test_everybody_sees_whether_a_seat_has_drawn(seat):
    state = position(side(hand="4 8"), strict_draw=True)

    assert SPITE.observe(state, seat).draw == "open"
    assert SPITE.observe(play(state, "draw"), seat).draw == "drawn"


def test_a_seat_that_can_only_draw_is_not_skipped():
    state = play(position(side(hand="4"), side(hand="", stock="9 9"), strict_draw=True), "4>d1")

    assert state.on_turn == B
    assert legal(state) == ["draw"]


# --- Recycling (R33) -------------------------------------------------------------------------


def test_removed_cards_stay_out_while_the_source_is_large_enough():
    state = play(
        position(side(hand="4 8"), side(hand="3 6"), source="7 7 7", removed="A 2 3"), "4>d1"
    )

    assert state.sides[B].hand == cards("3 6 7 7 7")
    assert state.source == ()
    assert state.removed == cards("A 2 3")


def test_if_too_few_are_left_all_removed_cards_go_under_the_source_and_the_draw_goes_on():
    state = position(side(hand="4 8"), side(hand="3 6"), source="J Q", removed="A A A A A A")

    after = play(state, "4>d1")

    assert after.sides[B].hand == cards("A 3 6 J Q")
    assert after.source == cards("A A A A A")
    assert after.removed == ()


def test_recycled_cards_are_shuffled_together():
    pile = "A 2 3 4 5 6 7 8 9 10 J Q"
    state = position(side(hand="4 8"), side(hand="8 8 8 8"), source="", removed=pile)

    after = play(state, "4>d1")

    drawn = Counter(after.sides[B].hand) - Counter(cards("8 8 8 8"))
    assert drawn + Counter(after.source) == Counter(cards(pile))
    assert " ".join(after.source) not in pile


def test_if_there_are_still_too_few_what_is_there_is_drawn():
    state = play(position(side(hand="4 8"), side(hand="3 6"), source="J", removed="A"), "4>d1")

    assert state.sides[B].hand == cards("A 3 6 J")
    assert state.source == ()


def test_a_source_that_is_one_card_short_is_drawn_to_its_last_card():
    state = play(position(side(hand="4 8"), side(hand=""), source="9 10 J Q"), "4>d1")

    assert state.sides[B].hand == cards("9 10 J Q")
    assert state.source == ()


def test_a_refill_during_a_turn_recycles_too():
    state = play(position(side(hand="A"), source="J J", removed="5 5 5 5"), "A>new")

    assert state.sides[A].hand == cards("5 5 5 J J")
    assert state.source == cards("5")


@pytest.mark.parametrize(("held", "count"), [("", 5), ("3 6", 3)])
def test_the_draw_reports_the_number_of_cards_recycled(held, count):
    theirs = side(hand=held)
    state = play(position(side(hand="4 8"), theirs, source="J J", removed="5 5 5 5"), "4>d1")

    assert state.events[-1].kind == "drawn"
    assert (state.events[-1].count, state.events[-1].recycled) == (count, 4)


# --- Skipped turns, stalemate (R33) ----------------------------------------------------------


def test_a_seat_with_an_empty_hand_no_play_and_nothing_to_draw_is_skipped():
    state = play(position(side(hand="4 8"), side(hand="", stock="9 9"), source=""), "4>d1")

    assert state.on_turn == A
    assert state.turn == 12
    assert state.events[-1].kind == "stuck"
    assert state.events[-1].was_passed_over
    assert state.events[-1].seat == B


@pytest.mark.parametrize("limit", [3, 4])
def test_an_ace_without_room_for_a_new_foundation_is_not_a_play(limit):
    theirs = side(hand="", stock="9 A", d1="A")
    full = position(side(hand="4 8"), theirs, source="", piles=("A 2",) * limit, foundations=limit)

    state = play(full, "4>d1")

    assert state.on_turn == A
    assert state.events[-1].was_passed_over


@pytest.mark.parametrize("strict_draw", [False, True])
def test_a_seat_with_an_empty_hand_and_a_play_is_not_skipped(strict_draw):
    theirs = side(hand="", stock="9 A")
    state = play(position(side(hand="4 8"), theirs, source="", strict_draw=strict_draw), "4>d1")

    assert state.on_turn == B
    assert legal(state) == ["stock>new"]


def test_the_game_is_over_if_the_opponent_is_stuck_then_too():
    state = play(
        position(side(hand="4", stock="9 9 9"), side(hand="", stock="9 9 9 9"), source=""), "4>d1"
    )

    assert state.is_over
    assert SPITE.outcome(state).ranks == (1, 2)
    assert SPITE.outcome(state).scores == (1, 0)
    assert SPITE.outcome(state).reason == ("neither could move, with 3 stock cards left against 4")


def test_a_stalemate_can_follow_a_turn_that_ended_automatically():
    state = play(
        position(side(hand="A", stock="9 9"), side(hand="", stock="9"), source=""), "A>new"
    )

    assert SPITE.outcome(state).scores == (0, 1)
    assert SPITE.outcome(state).reason == "neither could move, with 1 stock card left against 2"
    assert [event.kind for event in state.events] == ["played", "stuck", "stuck", "stuck"]


def test_a_stalemate_with_equal_stocks_is_a_draw():
    state = play(
        position(side(hand="4", stock="9 9"), side(hand="", stock="8 8"), source=""), "4>d1"
    )

    assert SPITE.outcome(state).ranks == (1, 1)
    assert SPITE.outcome(state).scores == (0, 0)
    assert SPITE.outcome(state).reason == "neither could move, with 2 cards left in each stock"


def test_with_strict_draw_an_empty_hand_with_nothing_to_draw_is_skipped_too():
    state = play(
        position(side(hand="4 8"), side(hand="", stock="9 9"), source="", strict_draw=True), "4>d1"
    )

    assert state.on_turn == A


def test_cards_of_both_turns_are_reported_after_one_was_skipped():
    state = play(position(side(hand="4 8"), side(hand="", stock="9 9"), source=""), "4>d1")

    assert [(event.kind, event.seat) for event in state.events] == [("discarded", A), ("stuck", B)]
    assert state.turn_start == 2


# --- Limits (R33) ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mine", "theirs", "ranks", "scores"),
    [
        ("9 9", "9 9 9 9 9", (1, 2), (3, 0)),
        ("9 9 9", "9", (2, 1), (0, 2)),
        ("9 9", "8 8", (1, 1), (0, 0)),
    ],
)
def test_after_the_last_turn_fewer_stock_cards_win_by_the_difference(mine, theirs, ranks, scores):
    state = position(
        side(hand="4 8", stock=mine), side(hand="3", stock=theirs), turn=30, turn_limit=30
    )

    after = play(state, "4>d1")

    assert SPITE.outcome(after).ranks == ranks
    assert SPITE.outcome(after).scores == scores
    assert "the turns ran out" in SPITE.outcome(after).reason


def test_the_last_turn_is_played_in_full():
    state = position(side(hand="4 8"), turn=29, turn_limit=30)

    after = play(state, "4>d1")

    assert not after.is_over
    assert play(after, "5>d1").is_over


def test_the_last_turn_can_still_win():
    state = position(side(stock="A", hand="4"), turn=30, turn_limit=30)

    assert SPITE.outcome(play(state, "stock>new")).reason.startswith("the last stock card")


def test_a_skipped_turn_counts():
    state = position(
        side(hand="4 8"), side(hand="", stock="9 9"), source="", turn=29, turn_limit=30
    )

    after = play(state, "4>d1")

    assert after.series.last.ending == "turn limit"
