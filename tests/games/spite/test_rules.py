"""Spite and Malice: the deal, the foundations, the plays and the turn (R29-R31)."""

from collections import Counter

import pytest

from games.chance import Chance
from games.core import IllegalMoveError
from games.spite import SPITE, Options
from games.spite.cards import FACES, RANKS
from tests.support.spite_states import A, B, cards, legal, play, plays, position, side


def deal(number=1, **options):
    return SPITE.setup(Options(**options), 2, Chance(f"{number:064x}", 0))


# --- The deal (R29) --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("preset", "stock", "aside"), [("standard", 26, 0), ("short", 20, 12), ("quick", 13, 26)]
)
def test_each_stock_has_its_cards_and_the_rest_of_the_first_pack_is_set_aside(preset, stock, aside):
    state = SPITE.setup(SPITE.presets[preset], 2, Chance("1", 0))

    assert [len(one.stock) for one in state.sides] == [stock, stock]
    assert len(state.series.aside) == aside


def test_stocks_and_cards_set_aside_are_a_complete_pack():
    state = deal(stock=20)
    pack = state.sides[0].stock + state.sides[1].stock + state.series.aside

    assert Counter(pack) == Counter(RANKS * 4)


def test_each_hand_has_five_cards_of_the_second_pack_and_the_rest_is_the_source():
    state = deal()
    pack = state.sides[0].hand + state.sides[1].hand + state.source

    assert [len(one.hand) for one in state.sides] == [5, 5]
    assert len(state.source) == 42
    assert Counter(pack) == Counter(RANKS * 4)


def test_the_top_card_of_each_stock_is_face_up():
    state = deal()
    view = SPITE.observe(state, None)

    assert [one.top for one in view.sides] == [one.stock[-1] for one in state.sides]
    assert [one.turned for one in view.sides] == [one.stock[-1:] for one in state.sides]


def test_the_next_stock_card_is_turned_up_when_the_top_one_is_played():
    state = play(position(side(stock="3 5 A", hand="9")), "stock>new")

    assert SPITE.observe(state, None).sides[A].top == "5"
    assert SPITE.observe(state, None).sides[A].turned == cards("A 5")


def test_the_first_dealer_is_random_and_the_other_seat_starts():
    starts = [(deal(n).series.dealer, deal(n).on_turn) for n in range(40)]

    assert set(starts) == {(A, B), (B, A)}
    assert 10 < starts.count((A, B)) < 30


def test_nobody_draws_before_the_first_two_turns():
    state = deal()

    assert len(state.source) == 42
    after = play(state, next(text for text in legal(state) if ">d" in text))
    assert len(after.source) == 42


@pytest.mark.parametrize("seats", [0, 1, 3, 4])
def test_the_game_is_for_two(seats):
    with pytest.raises(ValueError, match="Spite and Malice is for 2 players, not"):
        SPITE.setup(Options(), seats, Chance("1", 0))


# --- Foundations (R30) -----------------------------------------------------------------------


def test_an_ace_starts_a_foundation_and_no_other_card_but_a_king_does():
    state = position(side(stock="9 Q", hand="A 2 J K"))

    assert plays(state) == ["A>new", "K>new"]


def test_a_foundation_takes_the_next_higher_rank_and_no_other():
    state = position(side(stock="9 6", hand="5 7 8"), piles=("A 2 3 4 5", "A 2 3 4 5 6 7"))

    assert plays(state) == ["stock>f1", "8>f2"]


@pytest.mark.parametrize("n", range(1, 12))
def test_every_rank_goes_onto_the_next_lower_one(n):
    pile = " ".join(RANKS[:n])

    assert plays(position(side(hand=RANKS[n], stock="9 K"), piles=(pile,)))[-1] == f"{RANKS[n]}>f1"


def test_equal_ranks_in_hand_are_one_move():
    state = position(side(hand="A A A 4 4", stock="9 9"))

    assert plays(state) == ["A>new"]
    assert len(set(legal(state))) == len(legal(state))


def test_there_can_be_any_number_of_foundations():
    piles = ("A",) * 12
    state = position(side(hand="A 2 4", stock="9 9"), piles=piles)

    assert plays(state) == ["A>new", *(f"2>f{n}" for n in range(1, 13))]


def test_even_twenty_foundations_can_be_played_to():
    """Sixteen aces and kings and four jokers could each begin one."""
    state = position(side(hand="2 4", stock="9 9"), piles=("A",) * 20)

    assert plays(state)[-1] == "2>f20"
    assert play(state, "2>f20").foundations == (cards("A"),) * 19 + (cards("A 2"),)


@pytest.mark.parametrize("limit", [3, 4])
def test_with_a_limit_a_foundation_can_be_begun_only_while_there_are_fewer(limit):
    few = position(side(hand="A K 5"), piles=("A 2",) * (limit - 1), foundations=limit)
    full = position(side(hand="A K 5"), piles=("A 2",) * limit, foundations=limit)

    assert {"A>new", "K>new"} <= set(legal(few))
    assert plays(full) == [f"K>f{n}" for n in range(1, limit + 1)]
    most = f"There can only be {limit} foundations at a time."
    for move, sentence in (
        ("A>new", f"{most} Keep the ace until one is complete."),
        ("K>new", f"{most} Play onto one of them."),
        ("5>new", "A new foundation starts with an ace or a wild card, not with a 5."),
    ):
        with pytest.raises(IllegalMoveError) as refused:
            play(full, move)
        assert str(refused.value) == sentence


def test_a_completed_foundation_makes_room_under_a_limit():
    state = position(
        side(hand="A Q 5"),
        piles=("A 2", "A 2 3 4 5 6 7 8 9 10 J", "A 2"),
        foundations=3,
    )

    assert "A>new" in legal(play(state, "Q>f2"))


def test_a_king_counts_as_the_rank_that_is_needed_and_shows_its_own_face():
    state = play(position(side(hand="K 4 8"), piles=("A 2",)), "K>f1")

    assert state.foundations == (cards("A 2 K"),)
    assert state.events[-1].face == "K"
    assert state.events[-1].rank == "3"
    assert plays(state) == ["4>f1"]


def test_a_king_can_start_a_foundation_as_an_ace():
    state = play(position(side(hand="K 2 8")), "K>new")

    assert plays(state) == ["2>f1"]


def test_a_king_fits_every_foundation_even_as_its_queen():
    state = position(side(hand="K 9"), piles=("A 2 3 4 5 6 7 8 9 10 J", "A"))

    assert plays(state) == ["K>f1", "K>f2", "K>new"]
    assert play(state, "K>f1").removed == cards("A 2 3 4 5 6 7 8 9 10 J K")


def test_a_king_is_wild_from_hand_stock_and_discards():
    state = position(side(stock="9 K", hand="K 8", d3="4 K"), piles=("A",))

    assert plays(state) == [
        "stock>f1", "stock>new", "K>f1", "K>new", "d3>f1", "d3>new",
    ]  # fmt: skip


def test_a_foundation_that_reaches_the_queen_leaves_the_table():
    state = play(position(side(hand="Q 4"), piles=("A 2 3 4 5 6 7 8 9 10 J",)), "Q>f1")

    assert state.foundations == ()
    assert Counter(state.removed) == Counter(RANKS[:12])
    assert state.events[-1].is_complete


def test_when_a_foundation_leaves_later_ones_move_up():
    state = position(side(hand="Q 3 6"), piles=("A", "A 2 3 4 5 6 7 8 9 10 J", "A 2"))

    assert plays(state) == ["3>f3", "Q>f2"]
    after = play(state, "Q>f2")
    assert plays(after) == ["3>f2"]
    assert play(after, "3>f2").foundations == (cards("A"), cards("A 2 3"))


def test_a_new_foundation_is_the_last_one():
    state = play(position(side(hand="A 2 3"), piles=("A 2",)), "A>new")

    assert state.foundations == (cards("A 2"), cards("A"))
    assert state.events[-1].target == "f2"


# --- The turn (R31) --------------------------------------------------------------------------


def test_a_turn_begins_with_a_draw_to_five_in_the_step_that_ended_the_other_turn():
    state = position(
        side(hand="4 8"), side(hand="3 6", stock="9 9"), source="7 7 7 A 2 J", removed=""
    )

    after = play(state, "4>d1")

    assert after.on_turn == B
    assert after.sides[B].hand == cards("A 2 3 6 J")
    assert after.source == cards("7 7 7")
    assert after.sides[A].hand == cards("8")


def test_any_number_of_plays_can_be_made_in_any_order_and_none_is_compulsory():
    state = position(side(stock="9 2", hand="A 2 9 9", d1="3"), piles=("A",))

    assert plays(state) == ["stock>f1", "A>new", "2>f1"]
    assert any(text.startswith("9>d") for text in legal(state))
    after = play(state, "2>f1", "d1>f1", "A>new", "stock>f2")
    assert after.on_turn == A
    assert after.foundations == (cards("A 2 3"), cards("A 2"))


def test_a_play_takes_a_card_from_the_hand_or_the_top_of_a_pile():
    state = position(side(hand="3 9", d2="3 A"), piles=("A 2",))

    after = play(state, "d2>new", "3>f1")

    assert after.sides[A].hand == cards("9")
    assert after.sides[A].discards[1] == cards("3")


def test_only_the_top_of_a_discard_pile_can_be_played():
    state = position(side(hand="9 9", d1="A 8", d2="8 A"))

    assert plays(state) == ["d2>new"]


def test_the_cards_of_the_opponent_cannot_be_played():
    state = position(side(hand="9 9"), side(hand="A", stock="9 A", d1="A"))

    assert plays(state) == []


def test_a_hand_emptied_by_a_play_is_refilled_to_five_at_once():
    state = play(position(side(hand="A"), source="7 8 3 4 5 6 10 J"), "A>new")

    assert state.on_turn == A
    assert state.sides[A].hand == cards("4 5 6 10 J")
    assert state.source == cards("7 8 3")


def test_nobody_draws_during_a_turn_while_a_card_is_held():
    state = play(position(side(hand="A 4")), "A>new")

    assert state.sides[A].hand == cards("4")


@pytest.mark.parametrize("source", ["", "7 7"])
def test_the_refill_comes_after_a_completed_foundation_is_removed(source):
    """So its cards can be drawn if the source alone is too small."""
    state = position(side(hand="Q"), piles=("A 2 3 4 5 6 7 8 9 10 J",), source=source)

    after = play(state, "Q>f1")

    cards_there = Counter(RANKS[:12]) + Counter(source.split())
    assert len(after.sides[A].hand) == 5
    assert Counter(after.sides[A].hand + after.source) == cards_there
    assert after.removed == ()


def test_a_play_from_elsewhere_refills_an_empty_hand_if_it_brings_something_to_draw():
    """ "After a play that leaves the own hand empty, with something to draw"."""
    state = position(
        side(hand="A", d1="9 Q"), piles=("A 2 3 4 5 6 7 8 9 10 J",), source="", removed=""
    )

    first = play(state, "A>new")
    assert first.on_turn == A
    assert first.sides[A].hand == ()
    assert len(play(first, "d1>f1").sides[A].hand) == 5


def test_nothing_is_drawn_after_the_winning_card():
    state = play(position(side(stock="A", hand="")), "stock>new")

    assert state.is_over
    assert state.sides[A].hand == ()
    assert len(state.source) == 10


def test_the_last_card_of_the_hand_can_be_the_last_but_one_needed():
    """The stock card that wins can follow the refill."""
    state = play(position(side(stock="2", hand="A")), "A>new", "stock>f1")

    assert state.is_over


def test_a_discard_ends_the_turn():
    state = play(position(side(hand="4 8")), "4>d3")

    assert state.on_turn == B
    assert state.sides[A].discards == ((), (), cards("4"), ())
    assert state.turn == 11


def test_a_discard_has_one_or_more_cards_of_one_rank():
    state = position(side(hand="4 4 4 8"))

    assert legal(state) == [
        "4>d1", "4>d2", "4>d3", "4>d4",
        "4x2>d1", "4x2>d2", "4x2>d3", "4x2>d4",
        "4x3>d1", "4x3>d2", "4x3>d3", "4x3>d4",
        "8>d1", "8>d2", "8>d3", "8>d4",
    ]  # fmt: skip


def test_a_group_goes_onto_one_pile_on_top_of_what_is_there():
    state = play(position(side(hand="4 4 4 8", d2="J")), "4x2>d2")

    assert state.sides[A].discards[1] == cards("J 4 4")
    assert state.sides[A].hand == cards("4 8")


def test_kings_are_discarded_as_their_own_rank():
    state = position(side(hand="K K 8", stock="9 9"))

    assert "Kx2>d1" in legal(state)
    assert play(state, "Kx2>d1").sides[A].discards[0] == cards("K K")


def test_a_discard_that_empties_the_hand_draws_nothing():
    state = play(position(side(hand="4 4"), side(hand="5 5 6 6 8")), "4x2>d1")

    assert state.sides[A].hand == ()
    assert len(state.source) == 10


def test_a_seat_with_cards_must_end_its_turn_with_a_discard():
    """There is no pass: if no play is left, only discards are possible."""
    state = position(side(hand="4 8"))

    assert all(">d" in text for text in legal(state))
    with pytest.raises(
        ValueError,
        match=("isn't a move"),
    ):
        play(state, "pass")


def test_with_an_empty_hand_and_nothing_to_draw_the_turn_goes_on_while_a_play_is_possible():
    state = position(side(stock="9 2", hand="A", d1="3"), source="")

    first = play(state, "A>new")
    assert first.on_turn == A
    assert legal(first) == ["stock>f1"]
    second = play(first, "stock>f1")
    assert legal(second) == ["d1>f1"]


def test_such_a_turn_then_ends_automatically():
    state = position(side(stock="9 2", hand="A"), source="")

    after = play(state, "A>new", "stock>f1")

    assert after.on_turn == B
    assert after.turn == 11
    assert [event.kind for event in after.events] == ["played", "played", "stuck"]
    assert not after.events[-1].was_passed_over


@pytest.mark.parametrize("text", ["stock>d1", "d1>d2"])
def test_no_other_cards_can_be_moved(text):
    state = position(side(hand="4 8", d1="A"))

    with pytest.raises(
        ValueError, match=("You can only discard cards from your hand, for example 7>d2")
    ):
        play(state, text)


def test_plays_of_stock_cards_are_listed_before_hand_and_discards():
    state = position(side(stock="9 2", hand="2 5", d4="2"), piles=("A",))

    assert legal(state)[:3] == ["stock>f1", "2>f1", "d4>f1"]


def test_every_face_has_its_place_in_a_hand():
    assert position(side(hand="* K Q J 10 9 8 7 6 5 4 3 2 A")).sides[A].hand == FACES
