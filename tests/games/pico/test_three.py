"""Pico with three players (R6), and when one of them leaves (R37)."""

from dataclasses import replace

import pytest

from games import IllegalMoveError, Outcome, Seat
from games.chance import Chance
from games.pico import DECKS, PICO, Card, State
from games.pico.rules import trick_winners

A, B, C = Seat(0), Seat(1), Seat(2)
ANY = Chance("any", 1)


def holding(*hands: tuple[int, ...], **fields: object) -> State:
    state = PICO.setup(PICO.presets["pico1-three"], 3, Chance("three", 0))
    return replace(state, hands=hands, **fields)


def played(state: State, *tricks: tuple[int | None, ...]) -> State:
    for faces in tricks:
        moves = {Seat(i): Card(face) for i, face in enumerate(faces) if face is not None}
        state = PICO.play(state, moves, ANY)
    return state


@pytest.mark.parametrize(
    ("faces", "winners", "verdict"),
    [
        ((9, 5, 4), (A,), "higher"),  # as high as the others together
        ((4, 9, 5), (B,), "higher"),
        ((10, 5, 4), (C,), "too high"),
        ((4, 3, 16), (B,), "too high"),
        ((16, 13, 10), (A,), "higher"),
        ((5, 5, 16), (A, B), "equal"),
        ((5, 3, 5), (A, C), "equal"),
        ((3, 13, 13), (B, C), "equal"),
    ],
)
def test_two_equal_faces_win_or_the_highest_up_to_the_sum_of_the_others_or_the_lowest(
    faces, winners, verdict
):
    assert trick_winners(dict(zip((A, B, C), faces, strict=True))) == (winners, verdict)


@pytest.mark.parametrize("deck", ["pico1-three", "pico2-three"])
def test_each_dealt_hand_is_passed_to_the_left_before_play(deck):
    """The left neighbor of seat 0 is seat 1."""
    cards = Chance("three", 0).shuffled(DECKS[deck].cards)
    state = PICO.setup(PICO.presets[deck], 3, Chance("three", 0))

    assert state.hands[B] == tuple(sorted(cards[:6]))
    assert state.hands[C] == tuple(sorted(cards[6:12]))
    assert state.hands[A] == tuple(sorted(cards[12:18]))
    assert state.spare == cards[18]


def test_both_equal_faces_are_set_aside_and_score():
    state = played(holding((5, 9, 10), (5, 7, 8), (4, 13, 16)), (5, 5, 16))

    assert state.won == ((5,), (5,), ())
    assert PICO.observe(state, None).dots == (2, 2, 0)


def test_two_cards_of_one_face_are_one_move():
    state = holding((5, 5, 16), (7, 8, 9), (4, 6, 6))

    assert PICO.legal_moves(state, A) == (Card(5), Card(16))
    assert played(state, (5, 7, 4)).hands[A] == (5, 5, 16)
    assert played(state, (5, 9, 6)).hands[A] == (5, 5, 16)


def test_two_players_can_drop_to_one_card_together_which_ends_the_round():
    state = played(holding((5, 9), (5, 7), (4, 13, 16)), (5, 5, 16))

    assert state.round == 2
    assert state.totals == ((2, 2, 0),)


def test_between_rounds_the_sets_are_passed_to_the_right():
    """The right neighbor of seat 1 is seat 0."""
    state = played(holding((5, 9), (7, 8), (4, 6, 16)), (9, 7, 4))

    assert state.hands == ((7, 8), (4, 6, 16), (5, 9))


def test_three_play_three_rounds():
    state = played(holding((5, 9), (7, 8), (4, 6)), (9, 7, 4), (7, 4, 9), (4, 9, 7))

    assert state.round == 3
    assert PICO.awaiting(state) == frozenset()
    assert PICO.outcome(state) == Outcome(
        ranks=(1, 1, 1),
        scores=(3, 3, 3),
        reason="the same number of dots over three rounds, 3 each",
    )


@pytest.mark.parametrize(
    ("earlier", "ranks", "reason"),
    [
        ((4, 2, 5), (1, 3, 2), "more dots over three rounds, 7 to 5 to 2"),
        ((2, 5, 1), (1, 1, 3), "the same number of dots over three rounds, 5 each"),
        ((9, 1, 1), (1, 2, 2), "more dots over three rounds, 12 to 1 to 1"),
    ],
)
def test_the_most_dots_win_and_equal_scores_share_a_rank(earlier, ranks, reason):
    last = holding((5, 9), (7, 8), (4, 6), round=3, totals=(earlier, (0, 0, 0)))

    outcome = PICO.outcome(played(last, (9, 7, 4)))

    assert outcome.ranks == ranks
    assert outcome.reason == reason


def test_the_cards_of_a_seat_that_leaves_go_out_of_play_and_its_dots_stay():
    before = played(holding((5, 9, 16), (7, 8), (4, 6, 6)), (9, 7, 4))
    state = PICO.concede(before, A, ANY)

    assert state.hands == ((), (7, 8), (4, 6, 6))
    assert state.won == ((), (), ())
    assert PICO.observe(state, None).dots == (3, 0, 0)
    assert PICO.awaiting(state) == {B, C}


def test_the_dots_of_a_seat_that_left_are_counted_once_at_the_end_of_its_round():
    before = played(holding((5, 9, 16), (7, 8), (4, 6, 6)), (9, 7, 4))
    state = played(PICO.concede(before, A, ANY), (None, 8, 4))

    assert state.round == 2
    assert PICO.observe(state, None).dots == (3, 3, 0)


def test_the_dots_of_a_seat_that_left_still_count_at_the_end_of_the_match():
    last = holding((5, 9, 16), (7, 8), (4, 6, 6), round=3, totals=((1, 0, 0), (0, 0, 0)))

    over = played(PICO.concede(played(last, (9, 7, 4)), A, ANY), (None, 8, 4))

    assert PICO.outcome(over).scores == (4, 3, 0)


def test_the_remaining_two_play_tricks_by_the_rule_for_two():
    """With three players, 9 would lose to 5 and 3 together; with two it beats 5."""
    state = PICO.concede(holding((5, 9, 16), (7, 8, 9), (3, 5, 6)), A, ANY)

    after = played(state, (None, 9, 5))

    assert after.last.faces == (None, 9, 5)
    assert after.last.winners == (B,)


def test_equal_faces_of_the_remaining_two_both_win():
    """It can happen because two sets are in play; only the rule for three covers it."""
    state = PICO.concede(holding((5, 9, 16), (7, 8, 9), (3, 8, 6)), A, ANY)

    assert played(state, (None, 8, 8)).last.winners == (B, C)


def test_the_remaining_two_swap_their_sets_and_play_all_rounds():
    state = PICO.concede(holding((5, 9, 16), (7, 8), (4, 6, 6)), A, ANY)
    second = played(state, (None, 8, 4))
    third = played(second, (None, 4, 8))
    over = played(third, (None, 8, 4))

    assert second.hands == ((), (4, 6, 6), (7, 8))
    assert third.hands == ((), (7, 8), (4, 6, 6))
    assert PICO.outcome(over) == Outcome(
        ranks=(3, 1, 2), scores=(0, 6, 3), reason="more dots over three rounds, 6 to 3"
    )


def test_a_seat_that_left_in_a_later_round_keeps_the_dots_of_all_its_rounds():
    second = played(holding((5, 9), (7, 8, 10), (4, 6, 16)), (9, 7, 4))
    before = played(second, (10, 4, 9))

    state = PICO.concede(before, A, ANY)

    assert second.hands == ((7, 8, 10), (4, 6, 16), (5, 9))
    assert PICO.observe(state, None).dots == PICO.observe(before, None).dots == (6, 0, 0)


def test_a_seat_that_left_ranks_below_all_that_stay_whatever_the_dots():
    state = holding((5, 9), (7, 8), (4, 6), round=3, totals=((9, 0, 0), (9, 0, 0)))

    outcome = PICO.outcome(played(PICO.concede(state, A, ANY), (None, 8, 4)))

    assert outcome.ranks == (3, 1, 2)
    assert outcome.scores == (18, 3, 0)


def test_the_last_to_stay_wins_and_the_first_to_leave_is_last():
    state = holding((5, 9), (7, 8), (4, 6), round=2, totals=((0, 9, 0),))

    over = PICO.concede(PICO.concede(state, B, ANY), C, ANY)

    assert PICO.outcome(over) == Outcome(
        ranks=(1, 3, 2), scores=(0, 9, 0), reason="everybody else has left"
    )


def test_when_only_one_seat_stays_all_cards_stay_where_they_are():
    state = PICO.concede(played(holding((5, 9, 16), (7, 8), (4, 6, 6)), (9, 7, 4)), B, ANY)

    over = PICO.concede(state, C, ANY)

    assert over == replace(state, left=(B, C))


def test_a_seat_that_left_owes_nothing_and_cannot_play():
    state = PICO.concede(holding((5, 9), (7, 8), (4, 6)), A, ANY)

    assert PICO.legal_moves(state, A) == ()
    with pytest.raises(IllegalMoveError, match=r"^It's not your turn to play a card\.$"):
        PICO.check(state, A, Card(9))
