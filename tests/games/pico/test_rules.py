"""The rules of Pico, ruling by ruling (R1-R6, R37, R38)."""

from collections import Counter
from dataclasses import replace

import pytest

from games import IllegalMoveError, Outcome, Seat
from games.chance import Chance
from games.pico import DECKS, PICO, Card, Options, State, Trick
from games.pico.rules import trick_winners

A, B = Seat(0), Seat(1)
ANY = Chance("any", 1)


def start(deck: str = "standard", seed: str = "pico") -> State:
    options = PICO.presets[deck]
    return PICO.setup(options, DECKS[deck].seats, Chance(seed, 0))


def holding(*hands: tuple[int, ...], **fields: object) -> State:
    """A position of round 1 with these hands; `fields` replaces other parts of the state."""
    return replace(start(), hands=hands, **fields)


def played(state: State, *tricks: tuple[int, int]) -> State:
    """The state after some tricks, each given as the faces of both seats."""
    for mine, theirs in tricks:
        state = PICO.play(state, {A: Card(mine), B: Card(theirs)}, ANY)
    return state


# A trick of two


@pytest.mark.parametrize(
    ("lower", "higher"), [(7, 9), (4, 8), (5, 10), (8, 16), (6, 12), (2, 3), (2, 4), (13, 16)]
)
def test_the_higher_card_wins_up_to_exactly_twice_the_lower(lower, higher):
    """The rulebook's 9 against 7 and 8 against 4. R1: at exactly twice, the higher card wins."""
    assert trick_winners({A: higher, B: lower}) == ((A,), "higher")
    assert trick_winners({A: lower, B: higher}) == ((B,), "higher")


@pytest.mark.parametrize(("lower", "higher"), [(3, 8), (6, 13), (2, 5), (7, 16), (4, 9), (2, 16)])
def test_the_lower_card_wins_if_the_higher_is_more_than_twice_as_high(lower, higher):
    """The rulebook's 3 against 8."""
    assert trick_winners({A: higher, B: lower}) == ((B,), "too high")
    assert trick_winners({A: lower, B: higher}) == ((A,), "too high")


# Decks and the deal


@pytest.mark.parametrize(
    ("deck", "faces", "dots"),
    [
        ("pico1", (2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 16), (1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4)),
        ("pico2", (4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 16), (1, 2, 2, 2, 3, 3, 3, 3, 3, 3, 4)),
        (
            "standard",
            (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 16),
            (1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 4),
        ),
    ],
)
def test_a_deck_for_two_has_each_face_once_with_its_dots(deck, faces, dots):
    assert DECKS[deck].cards == faces
    assert dict(DECKS[deck].dots) == dict(zip(faces, dots, strict=True))


@pytest.mark.parametrize(("deck", "dots"), [("pico1", 26), ("pico2", 29), ("standard", 32)])
def test_the_dots_of_a_deck_for_two_add_up(deck, dots):
    assert sum(DECKS[deck].dots[face] for face in DECKS[deck].cards) == dots


@pytest.mark.parametrize("deck", ["pico1", "pico2"])
def test_three_play_two_sets_without_both_lowest_and_one_of_the_next(deck):
    lowest, following, *others = DECKS[deck].cards

    assert lowest not in DECKS[f"{deck}-three"].cards
    assert Counter(DECKS[f"{deck}-three"].cards) == {following: 1, **dict.fromkeys(others, 2)}
    assert len(DECKS[f"{deck}-three"].cards) == 19
    assert DECKS[f"{deck}-three"].dots == DECKS[deck].dots


@pytest.mark.parametrize(
    ("deck", "seats", "hand"),
    [
        ("standard", 2, 6),
        ("pico1", 2, 5),
        ("pico2", 2, 5),
        ("pico1-three", 3, 6),
        ("pico2-three", 3, 6),
    ],
)
def test_all_cards_are_dealt_but_one_which_is_face_up(deck, seats, hand):
    state = start(deck)

    assert [len(cards) for cards in state.hands] == [hand] * seats
    assert Counter(sum(state.hands, (state.spare,))) == Counter(DECKS[deck].cards)
    assert PICO.observe(state, None).spare == state.spare


def test_every_card_can_be_the_one_left_over():
    assert {start(seed=f"{n}").spare for n in range(200)} == set(DECKS["standard"].cards)


def test_both_hands_are_public_knowledge():
    state = start()

    assert PICO.observe(state, A).hands == state.hands
    assert PICO.observe(state, None).hands == state.hands


@pytest.mark.parametrize(
    ("deck", "seats"), [("standard", 3), ("pico1", 3), ("pico2", 1), ("pico1-three", 2)]
)
def test_a_deck_is_for_its_number_of_players_only(deck, seats):
    with pytest.raises(ValueError, match=rf"'{deck}' is for \d players, not {seats}\.$"):
        PICO.setup(Options(deck=deck), seats, ANY)


def test_an_unknown_deck_is_refused_with_the_names_of_the_decks():
    with pytest.raises(ValueError, match=r"called 'tarot'\. Choose one of standard, pico1, pico2"):
        Options(deck="tarot")


# A round


def test_the_winning_card_is_set_aside_and_scores_its_dots():
    state = played(holding((2, 9, 16), (5, 7, 12)), (9, 7))

    assert state.won == ((9,), ())
    assert state.hands[A] == (2, 16)
    assert PICO.observe(state, None).dots == (3, 0)


def test_the_losing_card_returns_to_the_hand_and_can_be_played_again():
    state = played(holding((2, 9, 16), (5, 7, 12)), (9, 7))

    assert state.hands[B] == (5, 7, 12)
    assert PICO.legal_moves(state, B) == (Card(5), Card(7), Card(12))


def test_a_card_that_won_cannot_be_played_again_in_this_round():
    state = played(holding((2, 9, 16), (5, 7, 12)), (9, 7))

    with pytest.raises(IllegalMoveError, match=r"^You don't have the 9\. Your cards are 2, 16\.$"):
        PICO.check(state, A, Card(9))


def test_the_last_revealed_trick_is_shown_with_its_reason():
    state = played(holding((3, 9, 16), (5, 7, 8)), (3, 8))

    assert PICO.observe(state, B).last == Trick(
        round=1, faces=(3, 8), winners=(A,), verdict="too high"
    )


def test_a_trick_has_the_number_of_its_round():
    second = played(holding((2, 9), (5, 7, 12)), (9, 7))

    assert second.last.round == 1
    assert played(second, (5, 9)).last.round == 2


def test_a_round_ends_the_moment_a_seat_holds_one_card():
    going = played(holding((2, 9, 16), (5, 7, 12)), (9, 7))
    over = played(going, (2, 5))

    assert going.round == 1
    assert over.round == 2


def test_cards_in_hand_score_nothing():
    state = played(holding((9, 16), (5, 7, 12)), (9, 7))

    assert state.totals == ((3, 0),)


def test_after_a_round_won_cards_rejoin_their_set_and_the_sets_are_swapped():
    state = played(holding((2, 9, 16), (5, 7, 12)), (9, 7), (2, 5))

    assert state.hands == ((5, 7, 12), (2, 9, 16))
    assert state.won == ((), ())
    assert state.last.round == 1


def test_the_card_left_over_stays_out_in_both_rounds():
    before = holding((2, 9, 16), (5, 7, 12))

    assert played(before, (9, 7), (2, 5)).spare == before.spare


def test_the_second_round_is_the_last_with_two_players():
    state = played(holding((2, 9), (5, 7)), (9, 7), (7, 9))

    assert PICO.awaiting(state) == frozenset()
    assert state.round == 2
    assert state.totals == ((3, 0), (0, 3))


# The result


def test_the_player_with_the_most_dots_over_both_rounds_wins():
    """Seat 0 loses the second round, but by less than it won the first."""
    state = holding((7, 16), (9, 13), round=2, totals=((9, 2),))

    assert PICO.outcome(played(state, (7, 9))) == Outcome(
        ranks=(1, 2), scores=(9, 5), reason="more dots over both rounds, 9 to 5"
    )


def test_equal_dots_over_both_rounds_are_a_draw():
    state = played(holding((2, 9), (5, 7)), (9, 7), (7, 9))

    assert PICO.outcome(state) == Outcome(
        ranks=(1, 1), scores=(3, 3), reason="the same number of dots over both rounds, 3 each"
    )


def test_there_is_no_outcome_between_the_rounds():
    state = played(holding((9, 16), (5, 7, 12)), (9, 7))

    assert PICO.outcome(state) is None
    assert PICO.observe(state, None).dots == (3, 0)


# Refusals, notation, running out of time


def test_the_card_of_another_seat_cannot_be_played():
    with pytest.raises(IllegalMoveError, match=r"^You don't have the 5\. Your cards are 2, 9\.$"):
        PICO.check(holding((2, 9), (5, 7)), A, Card(5))


def test_something_that_is_not_a_card_cannot_be_played():
    with pytest.raises(IllegalMoveError, match="one card, written as its number"):
        PICO.check(start(), A, 9)


def test_a_card_is_written_as_its_face():
    assert str(Card(16)) == "16"
    assert PICO.parse(" 16 ") == Card(16)


@pytest.mark.parametrize("text", ["0", "016", "nine", "9 4", "+9", "9.", "\uff11\uff16", "100"])
def test_other_texts_are_not_cards(text):
    with pytest.raises(
        ValueError, match=(r"That isn't a card\. Write its number, for example 9\.$")
    ):
        PICO.parse(text)


def test_the_card_of_a_seat_out_of_time_is_random():
    """R38: a predictable card could be beaten."""
    state = holding((2, 9, 16), (5, 7, 12))

    drawn = {PICO.fallback(state, A, Chance("late", step)) for step in range(60)}

    assert drawn == {Card(2), Card(9), Card(16)}


def test_nobody_can_leave_a_match_that_is_over_or_leave_it_twice():
    over = played(holding((2, 9), (5, 7)), (9, 7), (7, 9))
    left = PICO.concede(start("pico1-three"), B, ANY)

    with pytest.raises(IllegalMoveError, match="over, so nobody can leave"):
        PICO.concede(over, A, ANY)
    with pytest.raises(IllegalMoveError, match=r"This seat is no longer in the match\."):
        PICO.concede(left, B, ANY)


def test_a_player_who_leaves_a_match_of_two_loses_at_once_with_the_dots_as_they_are():
    state = PICO.concede(played(holding((2, 9, 16), (5, 7, 12)), (9, 7)), A, ANY)

    assert PICO.awaiting(state) == frozenset()
    assert PICO.outcome(state) == Outcome(
        ranks=(2, 1), scores=(3, 0), reason="everybody else has left"
    )
