"""The rules of the tile duel, ruling by ruling (R7-R9, R37, R38)."""

from dataclasses import replace
from itertools import combinations

import pytest

from games import IllegalMoveError, Outcome, Seat
from games.chance import Chance
from games.duel import DUEL, HALVES, SETS, Options, Pair, State, Tile, verdict

A, B = Seat(0), Seat(1)
ANY = Chance("any", 1)

LOW, HIGH = (2, 3, 4, 5, 6), (7, 8, 9, 10, 12)

PRINTED = {
    2: (3, 4, 6, 8, 10, 12),
    3: (4, 6, 9, 12),
    4: (5, 8, 12),
    5: (2, 3, 6, 10),
    6: (4, 7, 12),
    7: (2, 3, 4, 5, 8),
    8: (3, 5, 6, 9),
    9: (2, 4, 5, 6, 7, 10),
    10: (3, 4, 6, 7, 8),
    12: (5, 7, 8, 9, 10),
}
"""The table in the rulebook: the tiles that each tile beats."""


def start(preset: str = "standard", seed: str = "duel") -> State:
    return DUEL.setup(DUEL.presets[preset], 2, Chance(seed, 0))


def holding(mine: tuple[int, ...], theirs: tuple[int, ...], **fields: object) -> State:
    """A match with these hands before any choice; `fields` replaces other parts of the state."""
    return replace(start(), dealt=(mine, theirs), hands=(mine, theirs), **fields)


def played(state: State, *pairs: tuple[int, int]) -> State:
    """The state after some pairs, each given as the totals of both seats."""
    for mine, theirs in pairs:
        state = DUEL.play(state, {A: Tile(mine), B: Tile(theirs)}, ANY)
    return state


def winner(mine: int, theirs: int) -> int:
    """The total that wins between two tiles, according to the game itself."""
    pair = played(holding((mine, 2), (theirs, 2)), (mine, theirs)).pairs[0]
    return pair.totals[pair.winner]


# A pair


@pytest.mark.parametrize(("one", "other"), list(combinations(PRINTED, 2)))
def test_every_pair_is_won_as_the_printed_table_says(one, other):
    expected = one if other in PRINTED[one] else other

    assert (one in PRINTED[other]) != (other in PRINTED[one])  # the table itself is complete
    assert winner(one, other) == expected
    assert winner(other, one) == expected


@pytest.mark.parametrize(
    ("lower", "higher", "why"),
    [
        (3, 12, "divides"),
        (2, 4, "divides"),
        (2, 14, "divides"),
        (2, 16, "divides"),
        (2, 18, "divides"),
        (9, 18, "divides"),
        (5, 15, "divides"),
        (9, 10, "one less"),
        (2, 3, "one less"),
        (14, 15, "one less"),
        (15, 16, "one less"),
        (10, 12, "higher"),
        (12, 18, "higher"),
        (4, 18, "higher"),
        (16, 18, "higher"),
    ],
)
def test_the_lower_tile_wins_if_it_divides_the_higher_or_is_one_less(lower, higher, why):
    winning = higher if why == "higher" else lower

    assert verdict(lower, higher) == why
    assert winner(lower, higher) == winner(higher, lower) == winning


def test_an_exposed_pair_is_shown_with_its_winner_and_the_reason():
    state = played(holding(LOW, HIGH), (3, 12))

    pair = Pair(round=1, totals=(3, 12), winner=A, verdict="divides")
    assert DUEL.observe(state, None).played == ((pair,),)
    assert DUEL.observe(state, None).last == pair


def test_the_winner_of_a_pair_scores_one_point():
    state = played(holding(LOW, HIGH), (3, 12), (2, 7))

    assert DUEL.observe(state, None).points == ((1, 1),)
    assert DUEL.observe(state, None).scores == (1, 1)


def test_each_tile_is_played_once_whether_it_wins_or_loses():
    state = played(holding(LOW, HIGH), (3, 12))

    assert state.hands == ((2, 4, 5, 6), (7, 8, 9, 10))
    assert DUEL.legal_moves(state, A) == (Tile(2), Tile(4), Tile(5), Tile(6))


# The deal and the exchange


@pytest.mark.parametrize(
    ("preset", "totals", "hand"),
    [
        ("standard", [2, 3, 4, 5, 6, 7, 8, 9, 10, 12], 5),
        ("large", [2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 15, 16, 18], 7),
    ],
)
def test_all_tiles_of_the_set_are_dealt_in_equal_hands(preset, totals, hand):
    state = start(preset)

    assert [len(tiles) for tiles in state.hands] == [hand, hand]
    assert sorted(state.hands[A] + state.hands[B]) == totals
    assert state.dealt == state.hands


def test_every_tile_can_be_dealt_to_every_seat():
    assert set().union(*(start(seed=f"{n}").hands[A] for n in range(60))) == {*LOW, *HIGH}


def test_hands_are_in_ascending_order():
    assert all(list(hand) == sorted(hand) for n in range(20) for hand in start(seed=f"{n}").hands)


def test_both_hands_are_public_knowledge():
    state = start()

    assert DUEL.observe(state, A).hands == DUEL.observe(state, None).hands == state.hands


def test_every_total_has_a_tile_with_these_pips():
    assert dict(HALVES) == {
        2: (1, 1),
        3: (1, 2),
        4: (2, 2),
        5: (2, 3),
        6: (3, 3),
        7: (3, 4),
        8: (4, 4),
        9: (4, 5),
        10: (5, 5),
        12: (6, 6),
        14: (7, 7),
        15: (7, 8),
        16: (8, 8),
        18: (9, 9),
    }


def test_every_tile_has_its_total_in_pips():
    assert {total: sum(HALVES[total]) for total in SETS[14].totals} == {
        total: total for total in SETS[14].totals
    }


FIRST_ROUND = ((2, 7), (3, 8), (4, 9), (5, 10), (6, 12))
"""The points are 2 to 3: 7, 8 and 9 win, 5 divides 10 and 6 divides 12."""


def test_after_the_first_round_the_dealt_hands_are_exchanged():
    state = played(holding(LOW, HIGH), *FIRST_ROUND)
    view = DUEL.observe(state, None)

    assert state.hands == (HIGH, LOW)
    assert (view.round, view.exchanged, view.dealt) == (2, True, (HIGH, LOW))
    assert view.points == ((2, 3), (0, 0))
    assert view.played[1] == ()


def test_before_the_last_pair_of_the_first_round_nothing_is_exchanged():
    view = DUEL.observe(played(holding(LOW, HIGH), *FIRST_ROUND[:4]), None)

    assert (view.round, view.exchanged, view.dealt) == (1, False, (LOW, HIGH))


def test_the_pair_before_the_exchange_is_still_shown():
    state = played(holding(LOW, HIGH), *FIRST_ROUND)

    assert DUEL.observe(state, None).last == Pair(
        round=1, totals=(6, 12), winner=A, verdict="divides"
    )


def test_nothing_has_been_played_at_the_deal():
    view = DUEL.observe(start(), A)

    assert (view.last, view.played, view.points, view.scores) == (None, ((),), ((0, 0),), (0, 0))


def test_the_second_round_is_played_to_its_end_even_if_it_is_decided():
    first = played(holding(LOW, HIGH), (2, 8), (3, 9), (4, 12), (5, 10), (6, 7))
    decided = played(first, (12, 5))

    assert DUEL.observe(decided, None).scores == (6, 0)
    assert DUEL.awaiting(decided) == {A, B}


# The result


def test_at_least_six_of_ten_points_win():
    state = played(holding(LOW, HIGH), *FIRST_ROUND)
    over = played(state, (7, 2), (8, 3), (9, 4), (12, 5), (10, 6))

    assert DUEL.awaiting(over) == frozenset()
    assert DUEL.outcome(over) == Outcome(
        ranks=(1, 2), scores=(7, 3), reason="more points over both rounds, 7 to 3"
    )


def test_the_seat_with_more_points_wins_on_either_side():
    state = played(holding(HIGH, LOW), *(pair[::-1] for pair in FIRST_ROUND))
    over = played(state, (2, 7), (3, 8), (4, 9), (5, 12), (6, 10))

    assert DUEL.outcome(over) == Outcome(
        ranks=(2, 1), scores=(3, 7), reason="more points over both rounds, 7 to 3"
    )


def test_five_all_is_a_tie():
    over = played(holding(LOW, HIGH), *FIRST_ROUND, *(pair[::-1] for pair in FIRST_ROUND))

    assert DUEL.outcome(over) == Outcome(
        ranks=(1, 1), scores=(5, 5), reason="the same number of points over both rounds, 5 each"
    )


def test_there_is_no_outcome_between_the_rounds():
    assert DUEL.outcome(played(holding(LOW, HIGH), *FIRST_ROUND)) is None


def test_a_large_match_has_fourteen_pairs():
    state = start("large")
    pairs = list(zip(*state.hands, strict=True))

    over = played(state, *pairs, *(pair[::-1] for pair in pairs))

    assert DUEL.outcome(over).scores == (7, 7)
    assert DUEL.outcome(over).ranks == (1, 1)


# Refusals, notation, leaving, running out of time


@pytest.mark.parametrize("tiles", [9, 11, 0, -10, True, 10.0, "10", None])
def test_a_duel_is_played_with_ten_or_fourteen_tiles(tiles):
    with pytest.raises(ValueError, match=r"^The duel is played with 10 or 14 tiles, not with "):
        Options(tiles=tiles)


@pytest.mark.parametrize("seats", [0, 1, 3, 4])
def test_a_duel_is_for_two(seats):
    with pytest.raises(ValueError, match=f"^The tile duel is for 2 players, not {seats}\\.$"):
        DUEL.setup(Options(), seats, ANY)


def test_a_tile_that_was_already_played_is_refused_with_that_reason():
    state = played(holding(LOW, HIGH), (3, 12))

    with pytest.raises(
        IllegalMoveError,
        match=r"^You've already played the 3 this round\. You still have 2, 4, 5, 6\.$",
    ):
        DUEL.check(state, A, Tile(3))


def test_a_tile_of_the_opponent_is_refused():
    state = played(holding(LOW, HIGH), (3, 12))

    with pytest.raises(
        IllegalMoveError, match=r"^You don't have the 7\. Your tiles are 2, 4, 5, 6\.$"
    ):
        DUEL.check(state, A, Tile(7))


def test_something_that_is_not_a_tile_is_refused():
    with pytest.raises(IllegalMoveError, match="one tile, written as its total"):
        DUEL.check(holding(LOW, HIGH), A, 3)


def test_a_stranger_owes_no_tile():
    with pytest.raises(IllegalMoveError, match=r"^It's not your turn to play a tile\.$"):
        DUEL.check(holding(LOW, HIGH), Seat(2), Tile(3))


def test_a_tile_is_written_as_its_total():
    assert str(Tile(12)) == "12"
    assert DUEL.parse(" 12 ") == Tile(12)


@pytest.mark.parametrize("text", ["0", "012", "twelve", "6-6", "+9", "9.", "\uff11\uff12", "100"])
def test_other_texts_are_not_tiles(text):
    with pytest.raises(ValueError, match=r"That isn't a tile\. Write its total, for example 9\.$"):
        DUEL.parse(text)


def test_the_tile_of_a_seat_out_of_time_is_random():
    """R38: a predictable tile could be beaten."""
    state = holding(LOW, HIGH)

    drawn = {DUEL.fallback(state, A, Chance("late", step)) for step in range(60)}

    assert drawn == {Tile(total) for total in LOW}


@pytest.mark.parametrize(("leaver", "ranks"), [(A, (2, 1)), (B, (1, 2))])
def test_a_player_who_leaves_loses_at_once_with_the_points_as_they_are(leaver, ranks):
    state = DUEL.concede(played(holding(LOW, HIGH), (3, 12), (2, 7)), leaver, ANY)

    assert DUEL.awaiting(state) == frozenset()
    assert DUEL.outcome(state) == Outcome(
        ranks=ranks, scores=(1, 1), reason="the other player has left"
    )


def test_nobody_can_leave_a_match_that_is_over():
    over = DUEL.concede(start(), A, ANY)

    with pytest.raises(IllegalMoveError, match="over, so nobody can leave"):
        DUEL.concede(over, B, ANY)


def test_a_stranger_cannot_leave():
    with pytest.raises(IllegalMoveError, match="This seat isn't in the match"):
        DUEL.concede(start(), Seat(2), ANY)
