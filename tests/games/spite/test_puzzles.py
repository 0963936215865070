"""Puzzles of Spite and Malice: which positions are questions, and which are too obvious."""

from collections import Counter

import pytest

from games.chance import Chance
from games.spite.computer.fast_state import FastState, fast_play, play_of
from games.spite.moves import Play
from games.spite.puzzles import AIM, SpitePuzzles, _dealt_again
from games.spite.rules import SPITE
from tests.support.spite_states import A, play, position, side

MAKER = SpitePuzzles()
UP_TO_SIX = "A 2 3 4 5 6"


def winning(state, *texts):
    """Whether seat A wins with these moves."""
    outcome = SPITE.outcome(play(state, *texts))
    return outcome is not None and outcome.ranks[A] == 1


def test_finding_the_play_that_frees_the_needed_cards_is_a_question():
    """The other 2s on f2 would leave the 7, and so the 4, where they are."""
    mine = side(stock="5", hand="2 9", d1="4 7 2", d2="2")
    state = position(mine, piles=("A 2 3", "A", UP_TO_SIX))

    puzzle = MAKER.assess(state, A, AIM)

    assert puzzle.best == ("d1>f2",)
    assert {choice.move for choice in puzzle.choices} == {"d1>f2", "2>f2", "d2>f2"}
    assert winning(state, "d1>f2", *next(c.line for c in puzzle.choices if c.move == "d1>f2"))


def test_a_win_with_fewer_than_four_plays_is_not_a_question():
    state = position(side(stock="5", hand="2 9", d1="4 2", d2="2"), piles=("A 2 3", "A"))

    assert winning(state, "d1>f2", "d1>f1", "stock>f1")
    assert MAKER.assess(state, A, AIM) is None


def test_a_position_where_only_a_wild_card_fits_is_not_a_question():
    state = position(side(stock="7", hand="5 6 9 K"), piles=("A 2 3", "A", f"{UP_TO_SIX} 7"))

    assert winning(state, "K>f1", "5>f1", "6>f1", "stock>f1")
    assert MAKER.assess(state, A, AIM) is None


def test_a_position_where_only_kings_fit_beside_one_card_is_not_a_question():
    """A king on a discard pile is as wild as one in hand."""
    state = position(side(stock="8", hand="5 9 K", d1="6 7 9 K"), piles=("A 2 3 4", "A"))

    assert winning(state, "5>f1", "K>f1", "d1>f1", "stock>f1")
    assert MAKER.assess(state, A, AIM) is None


def test_a_position_where_every_card_that_fits_is_right_is_not_a_question():
    """Both the 4 and the jack have a place, so playing whatever fits wins."""
    mine = side(stock="6", hand="3 4 J Q K", d1="J J 10 6 Q")
    state = position(mine, piles=("A 2 3 4 5 6 7 8 9 10", "A 2 3"))

    for first, second in (("4>f2", "J>f1"), ("J>f1", "4>f2")):
        assert winning(state, first, second, "K>f2", "stock>f2")
    assert MAKER.assess(state, A, AIM) is None


def test_dealing_again_uses_only_cards_that_can_move_and_as_many_in_each_place():
    mine = side(stock="6", hand="4 J K", d1="5 3", d4="9")
    state = position(mine, side(hand="8 8", d2="Q"), piles=("A 2 3", "A 2"), source="7 9 10 A 2")

    dealt = _dealt_again(state, A, Chance("tests", 0))

    def movable(of):
        own = of.sides[A]
        return Counter((*own.hand, *(card for pile in own.discards for card in pile), *of.source))

    assert movable(dealt) == movable(state)
    assert dealt.sides[A].hand == dealt.sides[A].carried
    assert dealt.sides[A].hand != state.sides[A].hand
    assert [len(pile) for pile in dealt.sides[A].discards] == [2, 0, 0, 1]
    assert (dealt.sides[1], dealt.foundations) == (state.sides[1], state.foundations)
    assert dealt.sides[A].stock == state.sides[A].stock


def test_a_play_that_could_go_onto_two_equal_foundations_makes_no_question():
    mine = side(stock="5", hand="2 9", d1="4 7 2", d2="2")
    state = position(mine, piles=("A 2 3", "A 2 3", "A", UP_TO_SIX))

    assert winning(state, "d1>f3", "d1>f4", "d1>f1", "stock>f1")
    assert MAKER.assess(state, A, AIM) is None


def test_cards_that_a_new_hand_would_bring_do_not_count():
    mine = side(stock="5", hand="2", d1="4 7 2", d2="2")
    dry, rich = (
        position(mine, piles=("A 2 3", "A", UP_TO_SIX), source=source) for source in ("", "4 4 4 4")
    )

    assert winning(rich, "2>f2", "4>f1", "stock>f1")
    assert MAKER.assess(rich, A, AIM).best == MAKER.assess(dry, A, AIM).best == ("d1>f2",)


def test_a_stock_card_that_fits_at_once_is_not_a_question():
    state = position(side(stock="4", hand="2 9", d2="2"), piles=("A 2 3", "A"))

    assert winning(state, "stock>f1")
    assert MAKER.assess(state, A, AIM) is None


def test_the_proof_knows_every_play_of_the_rules_by_its_name():
    mine = side(stock="4", hand="2 9 K", d1="3 2", d4="A")
    state = position(mine, piles=("A 2 3", "A"))
    plays = [move for move in SPITE.legal_moves(state, A) if isinstance(move, Play)]
    fast = FastState(state, 0)

    assert {fast_play(each, len(state.foundations)) for each in plays} == set(fast.plays())
    assert {each.source for each in plays} == {"stock", "2", "K", "d1", "d4"}
    for each in plays:
        assert play_of(fast, fast_play(each, len(state.foundations))) == each


@pytest.mark.parametrize("number", [2, 5])
def test_a_match_that_ends_without_a_question_makes_no_puzzle(number):
    assert MAKER.attempt(Chance("tests", number)) is None
