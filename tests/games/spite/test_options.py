"""Spite and Malice: forced cards (R34), jokers (R35) and the other options."""

from collections import Counter

import pytest

from games.chance import Chance
from games.core import IllegalMoveError
from games.spite import SPITE, Options
from games.spite.cards import RANKS
from tests.support.spite_states import A, cards, legal, play, plays, position, side

TO_QUEEN = "A 2 3 4 5 6 7 8 9 10 J"


def discards(state):
    return [text for text in legal(state) if ">d" in text]


# --- Forced aces and twos (R34) --------------------------------------------------------------


@pytest.mark.parametrize(
    "mine",
    [
        side(stock="9 A", hand="4 8"),
        side(hand="A 4 8"),
        side(hand="4 8", d2="9 A"),
    ],
    ids=["stock", "hand", "discards"],
)
def test_an_ace_that_can_be_played_from_anywhere_blocks_the_discard(mine):
    state = position(mine, forced="aces")

    assert discards(state) == []
    with pytest.raises(IllegalMoveError, match="can't discard while you can play an ace: "):
        play(state, "4>d1")


def test_an_ace_under_another_card_blocks_nothing():
    assert discards(position(side(stock="A 9", hand="4 8", d1="A 9"), forced="aces"))


def test_if_nothing_is_forced_an_ace_can_be_kept():
    assert discards(position(side(hand="A 2 8"), piles=("A",)))


def test_only_the_discard_is_blocked_and_other_plays_can_come_first():
    state = position(side(stock="9 4", hand="A 8"), piles=("A 2 3",), forced="aces")

    assert plays(state) == ["stock>f1", "A>new"]
    assert discards(play(state, "stock>f1")) == []
    assert discards(play(state, "stock>f1", "A>new"))


def test_the_draw_can_come_before_a_forced_ace():
    state = position(side(hand="A 8"), forced="aces", strict_draw=True)

    assert legal(state) == ["draw", "A>new"]
    assert legal(play(state, "draw")) == ["A>new"]


def test_an_ace_without_room_for_a_new_foundation_is_not_forced():
    state = position(side(hand="A 8"), piles=("A 2",) * 3, forced="aces", foundations=3)

    assert discards(state)


def test_with_aces_forced_twos_are_not():
    assert discards(position(side(hand="2 8"), piles=("A",), forced="aces"))


def test_a_two_that_can_be_played_blocks_the_discard_if_twos_are_forced():
    state = position(side(hand="2 8"), piles=("A 2", "A"), forced="aces-and-twos")

    assert legal(state) == ["2>f2"]
    with pytest.raises(IllegalMoveError, match=r"you can play an ace or a two: 2>f2\."):
        play(state, "8>d1")


@pytest.mark.parametrize(
    "mine",
    [side(stock="9 2", hand="8"), side(hand="2 8"), side(hand="8", d2="9 2")],
    ids=["stock", "hand", "discards"],
)
def test_a_two_is_forced_from_anywhere(mine):
    assert discards(position(mine, piles=("A",), forced="aces-and-twos")) == []


def test_a_two_that_no_foundation_needs_is_not_forced():
    assert discards(position(side(hand="2 8"), piles=("A 2",), forced="aces-and-twos"))


def test_with_twos_forced_aces_are_forced_too():
    assert discards(position(side(hand="A 8"), forced="aces-and-twos")) == []


def test_a_two_on_a_king_that_serves_as_an_ace_is_forced():
    assert discards(position(side(hand="2 8"), piles=("K",), forced="aces-and-twos")) == []


@pytest.mark.parametrize("wild", ["K", "*"])
def test_kings_and_jokers_are_never_forced(wild):
    state = position(
        side(stock=f"9 {wild}", hand=f"{wild} 8", d1=wild),
        piles=("A",),
        forced="aces-and-twos",
        jokers="with-kings",
    )

    assert discards(state)


@pytest.mark.parametrize(
    ("mine", "plays_itself"),
    [
        (side(hand="A 8"), False),
        (side(stock="9 A", hand="4 8"), False),
        (side(stock="9 A"), True),
    ],
    ids=["hand", "stock with a hand", "stock without a hand"],
)
def test_an_ace_plays_itself_only_if_no_hidden_hand_decides_that_nothing_else_fits(
    mine, plays_itself
):
    state = position(mine, source="", forced="aces")
    (move,) = SPITE.legal_moves(state, A)

    assert SPITE.plays_forced_moves
    assert SPITE.is_openly_forced(state, A, move) is plays_itself


# --- Jokers (R35) ----------------------------------------------------------------------------


@pytest.mark.parametrize(("jokers", "number"), [("none", 0), ("with-kings", 4), ("instead", 4)])
def test_the_second_pack_has_four_jokers_if_jokers_are_played(jokers, number):
    state = SPITE.setup(Options(jokers=jokers), 2, Chance("1", 0))
    pack = state.source + state.sides[0].hand + state.sides[1].hand

    assert Counter(pack) == Counter(RANKS * 4 + ("*",) * number)
    assert "*" not in state.sides[0].stock + state.sides[1].stock


def test_with_kings_both_are_wild():
    state = position(side(hand="K * 8", d1="*"), piles=("A 2",), jokers="with-kings")

    assert plays(state) == ["K>f1", "K>new", "*>f1", "*>new", "d1>f1", "d1>new"]


def test_with_kings_jokers_and_kings_are_two_ranks_in_discards():
    state = position(side(hand="K * *"), jokers="with-kings")

    assert {"K>d1", "*>d1", "*x2>d1"} <= set(legal(state))
    assert "Kx2>d1" not in legal(state)
    with pytest.raises(IllegalMoveError, match="only have 1 of the rank K, not 2"):
        play(state, "Kx2>d1")


def test_with_kings_foundations_still_run_to_the_queen():
    state = play(position(side(hand="* 8"), piles=(TO_QUEEN,), jokers="with-kings"), "*>f1")

    assert state.foundations == ()


def test_instead_of_kings_only_jokers_are_wild():
    state = position(side(hand="K * 8"), piles=("A 2",), jokers="instead")

    assert plays(state) == ["*>f1", "*>new"]
    with pytest.raises(IllegalMoveError, match="needs a 3 or a wild card, not a king"):
        play(state, "K>f1")
    with pytest.raises(IllegalMoveError, match="an ace or a wild card, not with a king"):
        play(state, "K>new")


def test_instead_of_kings_the_foundations_go_up_to_the_king():
    state = position(side(hand="Q K 8"), piles=(TO_QUEEN,), jokers="instead")

    assert plays(state) == ["Q>f1"]
    queen = play(state, "Q>f1")
    assert queen.foundations == (cards(f"{TO_QUEEN} Q"),)
    assert plays(queen) == ["K>f1"]
    assert play(queen, "K>f1").removed == cards(f"{TO_QUEEN} Q K")


def test_a_joker_can_be_the_king_that_completes_a_foundation():
    state = position(side(hand="* 8"), piles=(f"{TO_QUEEN} Q",), jokers="instead")

    after = play(state, "*>f1")

    assert after.foundations == ()
    assert after.events[-1].rank == "K"


def test_a_joker_that_serves_as_the_queen_leaves_room_for_the_king():
    after = play(position(side(hand="K * 8"), piles=(TO_QUEEN,), jokers="instead"), "*>f1")

    assert after.foundations == (cards(f"{TO_QUEEN} *"),)
    assert plays(after) == ["K>f1"]


# --- Options ---------------------------------------------------------------------------------


def test_the_defaults_are_those_of_the_rules():
    assert Options() == Options(
        stock=26,
        foundations=None,
        forced="none",
        jokers="none",
        strict_draw=False,
        scoring="game",
        target=None,
        turn_limit=500,
        game_limit=50,
    )


def test_a_series_has_a_default_target():
    assert Options(scoring="points") == Options(scoring="points", target=25)
    assert Options(scoring="games") == Options(scoring="games", target=3)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"stock": 0}, "stock is a whole number, from 1 to 26"),
        ({"stock": 27}, "from 1 to 26, not 27"),
        ({"stock": True}, "from 1 to 26, not True"),
        ({"foundations": 2}, "limited to 3 or 4"),
        ({"foundations": 3.0}, "limited to 3 or 4"),
        ({"forced": "twos"}, "none, aces, aces-and-twos"),
        ({"jokers": "yes"}, "none, with-kings, instead"),
        ({"scoring": "sum"}, "game, games, points"),
        ({"strict_draw": 1}, "either on or off"),
        ({"target": 3}, "A single game has no target"),
        ({"scoring": "games", "target": 0}, "target is a whole number, at least 1"),
        ({"scoring": "points", "target": 30}, "25, 50 or 100, not to 30"),
        ({"turn_limit": 0}, "turn limit is a whole number, at least 1"),
        ({"game_limit": "9"}, "game limit is a whole number, at least 1"),
    ],
    ids=str,
)
def test_options_out_of_range_are_refused_with_a_sentence(values, reason):
    with pytest.raises(ValueError, match=rf"{reason}.*\.$"):
        Options(**values)
