"""Texts of Prize Dominoes, sentence by sentence."""

import itertools
from dataclasses import replace

import pytest

from cogs.prize import text
from games.chance import Chance
from games.prize import DOMINOES, PRIZE, Options
from games.prize.tiles import spell
from tests.support.prize_snapshots import (
    TWO,
    event,
    left,
    match,
    most_prizes,
    result,
    running,
    seen,
    won,
)
from tests.support.prize_states import A, B, table

MILD = Options(pass_only_when_stock_is_empty=True)


def story(state, seat=None):
    return text.story(seen(state, seat), TWO)


def result_line(state):
    return text.result_line(seen(state), TWO)


def question(state, seat=A):
    return text.question(seen(state, seat), PRIZE.legal_moves(state, seat))


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        (event(B, "open", "6-4"), "<@2> opened with 6-4."),
        (event(B, "hand", "6-6", "right"), "<@2> played 6-6 at the right end."),
        (event(B, "drawn", "6-4", "left"), "<@2> drew 6-4 and played it at the left end."),
        (event(B, "prize", "6-4", "left"), "<@2> played the prize 6-4 at the left end."),
        (event(B, "asks"), "<@2> drew a tile that fits both ends and is choosing an end."),
        (event(B, "pass"), "<@2> passed."),
        (event(B, "kept"), "<@2> drew a tile that didn't fit (a pass)."),
    ],
    ids=lambda value: getattr(value, "deed", ""),
)
def test_a_turn_is_told_with_the_ends_after_it(told, sentence):
    assert story(running(told)) == f"{sentence} The left end shows 4, the right end 6."


def test_a_line_with_equal_ends_has_one_place_to_play():
    state = running(line="6-4 4-6")

    assert story(state).endswith("Both ends show 6, so play at the right end.")
    over = PRIZE.concede(state, A, Chance("leaves", 1))
    assert story(over).endswith("Both ends show 6.")


@pytest.mark.parametrize(
    ("seat", "prizes", "where"),
    [
        (A, ("", ""), "."),
        (A, ("6-2", ""), ", so play at the right end."),
        (B, ("", ""), ", so play at the right end."),
        (None, ("", ""), ", so play at the right end."),
    ],
)
def test_a_player_who_sees_that_nothing_fits_is_not_told_where_to_play(seat, prizes, where):
    """People who don't see the hand get the same text, whatever is in it."""
    state = running(line="6-4 4-6", a="5-4", prizes=prizes)

    assert story(state, seat).endswith(f"Both ends show 6{where}")


def test_a_pass_warns_of_the_next_one_until_the_match_is_over():
    state = running(event(B, "pass"), passes=1)

    assert story(state).endswith("One more pass ends the hand.")
    assert "One more pass" not in story(PRIZE.concede(state, A, Chance("leaves", 1)))


def test_a_kept_tile_is_not_called_a_pass_under_the_option_for_passes():
    state = running(event(B, "kept"), options=MILD)

    assert story(state).startswith("<@2> drew a tile that didn't fit. ")


def test_only_the_owner_is_told_which_tile_was_kept():
    state = running(event(B, "kept"), b="1-0 3-2")

    assert story(state, B).startswith("<@2> drew the 3-2, which didn't fit")
    assert story(state, A).startswith("<@2> drew a tile that didn't fit")
    assert "3-2" not in story(state, None)


def test_the_owner_is_still_told_after_the_opponent_has_played():
    """Forced moves are played automatically, so the owner may not have looked in between."""
    state = running(event(B, "kept"), event(A, "hand", "6-6", "right"), b="1-0 3-2")

    assert "Before: <@2> drew the 3-2, which didn't fit" in story(state, B)
    assert "Before: <@2> drew a tile that didn't fit" in story(state, A)


def test_each_owner_is_told_only_the_last_tile_that_they_kept():
    state = running(
        event(B, "kept"), event(A, "kept"), event(B, "kept"), a="5-4 5-5", b="1-0 3-2 2-0"
    )

    assert story(state, A).count("5-5") == 1
    assert "Before: <@2> drew a tile that didn't fit" in story(state, A)
    assert story(state, B).startswith("<@2> drew the 2-0, which didn't fit")
    assert "Before: <@2> drew a tile that didn't fit" in story(state, B)
    assert "5-5" not in story(state, B)


def test_earlier_turns_are_told_in_order():
    state = running(event(A, "open", "6-4"), event(B, "kept"), event(A, "hand", "6-6", "right"))

    assert story(state).endswith(
        "\n-# Before: <@1> opened with 6-4; <@2> drew a tile that didn't fit (a pass)."
    )


def test_only_the_last_five_earlier_turns_are_told():
    rounds = [event(A, "pass"), event(B, "hand", "5-5", "right")] * 9
    state = running(*rounds, last=result(number=1, taken="3-3"), number=2)

    assert story(state).split("Before: ")[1].count("<@") == 5


def test_a_question_that_was_answered_is_not_told_twice():
    state = running(event(A, "asks"), event(A, "drawn", "6-4", "left"), event(B, "pass"))

    assert story(state).endswith("\n-# Before: <@1> drew 6-4 and played it at the left end.")


def test_the_first_turns_of_a_hand_repeat_how_the_last_one_ended():
    state = running(
        event(A, "open", "6-6"),
        event(B, "hand", "6-4", "left"),
        number=2,
        last=result(taken="3-1"),
    )

    assert story(state).endswith(
        "\n-# Before: <@1> won hand 1 and took the 3-1. <@1> opened with 6-6."
    )


def test_the_first_deal_says_who_opens_at_random():
    state = table(a="6-4 5-5", b="1-0 2-2", stock="3-3", turn=B, leader=B)

    assert story(state) == "Each player has 2 tiles. <@2> opens, chosen at random."


def test_a_new_deal_tells_how_the_last_hand_ended_and_who_opens():
    state = table(a="6-4", b="1-0", turn=B, leader=B, number=2, last=result(taken="5-5"))

    assert story(state) == (
        "<@1> went out and won hand 1. <@1> took the 5-5 as a prize. Hand 2 begins: each player "
        "has 1 tile. <@2> opens after losing."
    )


@pytest.mark.parametrize(
    ("last", "sentence"),
    [
        (result(), "<@1> went out and won hand 1."),
        (
            result(B, number=4, by="pips", pips=(12, 3)),
            "Two passes in a row: <@2> won hand 4 with fewer pips, 3 to 12.",
        ),
        (
            result(B, by="first pass", pips=(7, 7)),
            "Two passes in a row: both held 7 pips, and <@2> won hand 1 by passing first.",
        ),
        (
            result(by="first pass", pips=(1, 1)),
            "Two passes in a row: both held 1 pip, and <@1> won hand 1 by passing first.",
        ),
    ],
    ids=["out", "pips", "first pass", "one pip"],
)
def test_how_a_hand_was_won(last, sentence):
    assert text.victory(last, TWO) == sentence


def test_a_won_hand_is_told_with_its_last_turn_and_what_follows():
    assert story(won()) == (
        "<@1> played 6-6 at the right end. <@1> went out and won hand 1. "
        "<@1> takes one of <@2>'s tiles as a prize."
    )


def test_the_last_prize_is_told_when_the_match_is_over():
    assert story(most_prizes()) == "<@1> went out and won hand 37. <@1> took the 6-6 as a prize."


def test_only_the_result_says_who_has_left():
    assert story(left(running(), B)) == story(running())


# The questions of a hand.


def test_a_waiting_player_is_told_whose_turn_it_is():
    assert question(running(), B) == "\U0001f535 It's your opponent's turn."


def test_the_player_to_move_is_told_the_ends_once_above_the_picture():
    state = running()

    assert question(state) == "**Play a tile.**"
    assert story(state).endswith("The left end shows 4, the right end 6.")


def test_the_opening_question_allows_any_tile():
    assert question(table(a="6-4", b="1-0")) == "**You open the line**: play any tile."


def test_a_player_who_drew_a_tile_that_fits_both_ends_is_asked_where_it_goes():
    state = running(line="4-6 6-5", asked=(5, 4))

    assert question(state) == "**You drew the 5-4, which fits both ends.** Where does it go?"


@pytest.mark.parametrize(
    ("fields", "asked"),
    [
        (
            {},
            "**Nothing in your hand fits.** Draw a tile. If it doesn't fit either, you pass.",
        ),
        (
            {"prizes": ("6-1", "")},
            (
                "**Nothing in your hand fits.** Draw a tile. If it doesn't fit either, you pass. "
                "Or play one of your prizes (you lose it)."
            ),
        ),
        ({"options": MILD}, "**Nothing in your hand fits.** Draw a tile."),
        (
            {"options": MILD, "prizes": ("6-1", "")},
            (
                "**Nothing in your hand fits.** Draw a tile. Or play one of your prizes "
                "(you lose it)."
            ),
        ),
        ({"stock": ""}, "**Nothing in your hand fits.** The stock is empty, so pass."),
        (
            {"stock": "", "prizes": ("6-1", "")},
            (
                "**Nothing in your hand fits.** The stock is empty, so pass. Or play one of "
                "your prizes (you lose it)."
            ),
        ),
    ],
)
def test_a_player_without_a_fitting_tile_is_told_the_remaining_choices(fields, asked):
    assert question(running(a="5-5", **fields)) == asked


def test_the_winner_of_a_hand_is_told_which_numbers_they_lack():
    state = won(prizes=("6-5 4-3 1-1", ""))

    assert question(state) == "**Choose your prize** from their hand. You still need 0 and 2."


# The score and the result.


def test_the_score_names_what_each_seat_lacks():
    state = running(prizes=("6-4 5-5", "3-1"))

    assert text.score_line(seen(state), TWO) == (
        "\U0001f535 <@1> **3 of 7** numbers in 2 prizes: needs 0, 1, 2 and 3\n"
        "\U0001f536 <@2> **2 of 7** numbers in 1 prize: needs 0, 2, 4, 5 and 6"
    )


def test_a_seat_without_prizes_has_no_list_of_all_numbers():
    assert text.score_line(seen(running(prizes=("", "3-1"))), TWO).splitlines()[0] == (
        "\U0001f535 <@1> **0 of 7** numbers, no prizes yet"
    )


def test_a_seat_with_all_numbers_lacks_nothing():
    state = won(prizes=("6-5 4-3 2-1 0-0", ""), last=result(taken="0-0"))

    assert text.score_line(seen(state), TWO).startswith(
        "\U0001f535 <@1> **7 of 7** numbers in 4 prizes\n"
    )
    assert result_line(state) == "**<@1> wins**: all numbers from 0 to 6 in prizes."


@pytest.mark.parametrize(
    ("prizes", "said"),
    [
        (("6-4", "5-3"), "**A draw**: both have 2 different numbers and 1 prize after 1 hand."),
        (("6-4", "5-5"), "**<@1> wins**: more different numbers after 1 hand, 2 to 1."),
        (
            ("6-4", "5-5 4-4"),
            "**<@2> wins**: tied on numbers, but more prizes after 1 hand, 2 to 1.",
        ),
    ],
)
def test_the_result_at_the_limit_of_hands_says_what_decided(prizes, said):
    state = won(prizes=prizes, last=result(taken="6-4"), options=Options(hand_limit=1))

    assert result_line(state) == said


def test_equal_rows_after_several_hands_are_a_draw():
    state = won(
        prizes=("6-4 6-5", "5-3 4-3"),
        last=result(number=3, taken="6-4"),
        number=3,
        options=Options(hand_limit=3),
    )

    assert result_line(state) == (
        "**A draw**: both have 3 different numbers and 2 prizes after 3 hands."
    )


def test_a_match_that_ends_because_tiles_run_out_says_so():
    mine = [tile for tile in DOMINOES if 6 not in tile]
    theirs = [tile for tile in DOMINOES if 6 in tile and 0 not in tile]
    rows = tuple(" ".join(map(spell, row)) for row in (mine, theirs))

    state = won(prizes=rows, last=result(taken="6-4"), b="")

    assert result_line(state) == (
        "**<@1> wins**: tied on numbers, but more prizes, 21 to 6; too few tiles are left "
        "for another hand."
    )


LAST_HAND = won(prizes=("6-4", "5-3"), b="1-0", options=Options(hand_limit=1))


@pytest.mark.parametrize("state", [running(), LAST_HAND], ids=["amid a hand", "in the last hand"])
def test_the_player_who_stays_wins(state):
    assert result_line(left(state, A)) == "**<@2> wins**: the other player has left."


def test_a_running_match_has_no_result():
    with pytest.raises(ValueError, match="no result yet"):
        result_line(running())


def test_the_headline_counts_the_hands_against_the_limit():
    state = running(number=3, options=Options(hand_limit=12))

    assert text.headline(seen(state)) == "Hand 3 (max 12)"
    assert text.moment(seen(state)) == "Hand 3"


def test_consecutive_steps_of_a_match_have_different_texts():
    """Steps have equal texts only if nobody could tell them apart, and never two in a row."""
    states = match("standard", 0)
    told = [
        (story(state), text.score_line(seen(state), TWO), question(state, state.turn))
        for state in states
    ]

    assert all(one != two for one, two in itertools.pairwise(told))


def test_a_tile_is_told_as_drawn_until_its_owner_makes_another_move():
    kept = running(event(B, "kept"), b="1-0 3-2")
    since = replace(kept, events=(*kept.events, event(A, "pass"), event(B, "hand", "6-6", "right")))

    assert text.own_drawn(seen(kept, B)) == (3, 2)
    assert text.own_drawn(seen(replace(kept, events=(*kept.events, event(A, "pass"))), B))
    assert text.own_drawn(seen(since, B)) is None
    assert text.own_drawn(seen(kept, A)) is None
    assert text.own_drawn(seen(kept)) is None
    assert text.own_drawn(seen(won(b="3-2", events=kept.events), B)) is None


def test_after_a_resignation_the_score_says_for_nobody_what_they_need():
    state = left(running(prizes=("6-5", "")), A)

    lines = text.score_line(seen(state, None), TWO).splitlines()

    assert [line.split(" **")[1] for line in lines] == [
        "2 of 7** numbers in 1 prize",
        "0 of 7** numbers, no prizes",
    ]
