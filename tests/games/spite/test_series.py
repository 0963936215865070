"""Spite and Malice: scores of several games, leaving, running out of time (R36-R38)."""

from collections import Counter
from dataclasses import replace

import pytest

from games.chance import Chance
from games.core import IllegalMoveError
from games.spite import SPITE
from games.spite.cards import FACES, RANKS
from tests.support.spite_states import CHANCE, A, B, play, position, side

TO_QUEEN = "A 2 3 4 5 6 7 8 9 10 J"


# --- Scoring (R36) ---------------------------------------------------------------------------


def with_last_card(theirs="9 9 9 9", **options):
    """A position in which seat A can play its last stock card."""
    return position(side(stock="A", hand="4 8"), side(stock=theirs, hand="5"), **options)


def scored(state, first, second):
    return replace(state, series=replace(state.series, scores=(first, second)))


def test_the_last_stock_card_wins_at_once_and_scores_what_the_opponent_has_left():
    end = play(with_last_card(), "stock>new")

    assert SPITE.awaiting(end) == frozenset()
    assert SPITE.outcome(end).ranks == (1, 2)
    assert SPITE.outcome(end).scores == (4, 0)
    assert (
        SPITE.outcome(end).reason
        == "the last stock card was played, with 4 cards left to the other"
    )


def test_one_remaining_card_is_written_in_the_singular():
    assert "with 1 card left" in SPITE.outcome(play(with_last_card("9"), "stock>new")).reason


def test_a_last_card_that_completes_a_foundation_wins_too():
    state = position(side(stock="Q", hand=""), piles=(TO_QUEEN,))

    assert SPITE.outcome(play(state, "stock>f1")).ranks == (1, 2)


@pytest.mark.parametrize("dealer", [A, B])
def test_the_dealer_alternates_whoever_wins(dealer):
    state = with_last_card(scoring="games")
    state = replace(state, series=replace(state.series, dealer=dealer))

    after = play(state, "stock>new")

    assert after.series.last.winner == A
    assert (after.series.dealer, after.on_turn) == (1 - dealer, dealer)


@pytest.mark.parametrize("options", [{"scoring": "games"}, {"scoring": "points"}], ids=str)
def test_the_next_game_is_dealt_in_the_same_step_by_the_other_seat(options):
    state = with_last_card(**options, piles=("A 2", "A"), removed="A 2 3")

    after = play(state, "stock>new")

    assert not after.is_over
    assert after.series.game == 2
    assert after.series.dealer == A
    assert after.on_turn == B
    assert after.turn == 1
    assert [len(one.stock) for one in after.sides] == [26, 26]
    assert [len(one.hand) for one in after.sides] == [5, 5]
    assert len(after.source) == 42
    assert after.foundations == after.removed == ()  # type: ignore[comparison-overlap]  # no cards


def test_the_next_game_is_dealt_with_the_same_options():
    agreed = {"stock": 13, "jokers": "with-kings", "strict_draw": True}

    after = play(with_last_card(scoring="games", **agreed), "stock>new")

    first_pack = after.sides[A].stock + after.sides[B].stock + after.series.aside
    second_pack = after.sides[A].hand + after.sides[B].hand + after.source
    assert Counter(first_pack) == Counter(RANKS * 4)
    assert Counter(second_pack) == Counter(FACES * 4)
    assert after.draw == "open"


def test_the_view_keeps_the_result_of_the_last_game():
    view = SPITE.observe(play(with_last_card(scoring="points"), "stock>new"), None)

    assert (view.last.game, view.last.winner, view.last.points) == (1, A, 4)
    assert view.last.stocks == (0, 4)
    assert view.last.ending == "stock"
    assert [event.kind for event in view.events] == ["played", "dealt"]
    assert view.turn_start == 1


def test_a_game_won_counts_as_one_game():
    assert play(with_last_card(scoring="games"), "stock>new").series.scores == (1, 0)


def test_points_add_up_for_each_seat():
    state = scored(with_last_card(scoring="points"), 3, 9)

    assert play(state, "stock>new").series.scores == (7, 9)


@pytest.mark.parametrize("target", [1, 2, 5])
def test_games_are_played_until_a_seat_has_won_the_target(target):
    state = scored(with_last_card(scoring="games", target=target), target - 1, target - 1)

    end = play(state, "stock>new")

    assert SPITE.outcome(end).ranks == (1, 2)
    assert SPITE.outcome(end).scores == (target, target - 1)
    assert SPITE.outcome(end).reason == f"first to {target} games, {target} to {target - 1}"


@pytest.mark.parametrize(("mine", "theirs", "ranks"), [("9", "8 8", (1, 2)), ("9 9", "8", (2, 1))])
def test_either_seat_can_win_the_last_game_of_a_series(mine, theirs, ranks):
    end = play(stuck(mine, theirs, scoring="games", target=1), "4>d1")

    assert SPITE.outcome(end).ranks == ranks


@pytest.mark.parametrize("target", [25, 50, 100])
def test_points_are_played_until_a_seat_has_the_target(target):
    below = scored(with_last_card(scoring="points", target=target), target - 5, target - 1)
    there = scored(with_last_card(scoring="points", target=target), target - 4, target - 1)
    beyond = scored(with_last_card(scoring="points", target=target), target - 3, target - 1)

    assert SPITE.outcome(play(below, "stock>new")) is None
    assert SPITE.outcome(play(there, "stock>new")).scores == (target, target - 1)
    assert SPITE.outcome(play(beyond, "stock>new")).scores == (target + 1, target - 1)


def stuck(mine, theirs, **options):
    return position(side(hand="4", stock=mine), side(hand="", stock=theirs), source="", **options)


@pytest.mark.parametrize(("scoring", "scores"), [("games", (0, 1)), ("points", (0, 3))])
def test_a_stalemate_scores_like_a_win(scoring, scores):
    after = play(stuck("9 9 9 9", "9", scoring=scoring), "4>d1")

    assert after.series.scores == scores
    assert after.series.last.ending == "stalemate"
    assert after.series.game == 2


@pytest.mark.parametrize("scoring", ["games", "points"])
def test_a_drawn_game_scores_nothing_and_the_dealer_changes(scoring):
    after = play(stuck("9 9", "8 8", scoring=scoring), "4>d1")

    assert after.series.scores == (0, 0)
    assert after.series.last.winner is None
    assert after.series.dealer == A


@pytest.mark.parametrize(("scoring", "scores"), [("games", (0, 1)), ("points", (0, 3))])
def test_a_game_judged_at_its_turn_limit_scores_like_a_win(scoring, scores):
    state = position(
        side(stock="9 9 9 9", hand="4 8"),
        side(stock="9", hand="5"),
        turn=30,
        turn_limit=30,
        scoring=scoring,
    )

    after = play(state, "4>d1")

    assert after.series.scores == scores
    assert after.series.last.ending == "turn limit"
    assert after.series.game == 2


def test_the_turns_of_the_next_game_are_counted_from_the_start():
    state = position(side(hand="4 8"), turn=30, turn_limit=30, scoring="points")

    assert play(state, "4>d1").turn == 1


def test_the_turn_limit_is_the_same_for_every_game():
    state = position(side(hand="4 8"), turn=30, turn_limit=30, scoring="points")
    second = replace(state, series=replace(state.series, game=2))

    assert play(second, "4>d1").series.game == 3


@pytest.mark.parametrize(
    ("scores", "ranks", "reason"),
    [
        ((3, 9), (2, 1), "more points after 1 games, 9 to 7"),
        ((9, 3), (1, 2), "more points after 1 games, 13 to 3"),
        ((5, 9), (1, 1), "the same number of points after 1 games, 9 each"),
        ((21, 9), (1, 2), "first to 25 points, 25 to 9"),
    ],
)
def test_after_the_last_game_of_a_series_the_higher_score_wins(scores, ranks, reason):
    end = play(scored(with_last_card(scoring="points", game_limit=1), *scores), "stock>new")

    assert SPITE.outcome(end).ranks == ranks
    assert SPITE.outcome(end).reason == reason.replace("1 games", "1 game")


@pytest.mark.parametrize("scoring", ["games", "points"])
def test_no_game_is_dealt_beyond_the_limit(scoring):
    state = with_last_card(scoring=scoring, game_limit=2)

    second = play(state, "stock>new")
    assert second.series.game == 2
    end = replace(state, series=replace(second.series, game=2))
    assert "after 2 games" in SPITE.outcome(play(end, "stock>new")).reason


@pytest.mark.parametrize("scoring", ["games", "points"])
def test_a_drawn_game_counts_toward_the_limit(scoring):
    first = play(stuck("9 9", "8 8", scoring=scoring, game_limit=2), "4>d1")
    last = play(stuck("9 9", "8 8", scoring=scoring, game_limit=1), "4>d1")

    assert first.series.game == 2
    assert SPITE.outcome(last).ranks == (1, 1)
    assert SPITE.outcome(last).scores == (0, 0)


# --- Leaving and running out of time (R37, R38) ----------------------------------------------


@pytest.mark.parametrize(
    ("seat", "ranks", "scores"), [(A, (2, 1), (9, 3)), (B, (1, 2), (3, 9))], ids=["A", "B"]
)
def test_a_seat_that_concedes_loses_even_if_it_leads_and_scores_stay_as_they_are(
    seat, ranks, scores
):
    state = scored(with_last_card(scoring="points"), *scores)

    end = SPITE.concede(state, seat, CHANCE)

    assert SPITE.awaiting(end) == frozenset()
    assert SPITE.observe(end, None).awaiting == ()
    assert SPITE.outcome(end).ranks == ranks
    assert SPITE.outcome(end).scores == scores
    assert SPITE.outcome(end).reason == "the other seat has left"


def test_nobody_can_concede_twice_or_after_the_end():
    end = play(with_last_card(), "stock>new")
    left = SPITE.concede(with_last_card(), A, CHANCE)

    for state, seat in ((end, A), (left, B)):
        with pytest.raises(IllegalMoveError, match="is over"):
            SPITE.concede(state, seat, CHANCE)


def test_somebody_without_a_seat_cannot_concede():
    with pytest.raises(IllegalMoveError, match="This seat isn't in the match"):
        SPITE.concede(with_last_card(), 2, CHANCE)


def fallbacks(state):
    return {str(SPITE.fallback(state, A, Chance(f"{n}", 1))) for n in range(60)}


def test_out_of_time_a_discard_is_made_if_one_is_legal():
    state = position(side(stock="9 A", hand="A 8"), strict_draw=True)

    assert fallbacks(state) == {f"{face}>d{n}" for face in "A8" for n in range(1, 5)}


def test_out_of_time_a_forced_card_is_played_if_no_discard_is_legal():
    state = position(side(hand="A 2 K 4"), piles=("A", "A 2 3"), forced="aces-and-twos")

    assert fallbacks(state) == {"A>new", "2>f1"}


def test_out_of_time_any_play_is_made_with_an_empty_hand():
    state = position(side(stock="9 2", hand="", d1="2"), piles=("A",), source="")

    assert fallbacks(state) == {"stock>f1", "d1>f1"}


def test_out_of_time_a_play_is_preferred_to_the_draw():
    state = position(side(stock="9 2", hand=""), piles=("A",), strict_draw=True)

    assert fallbacks(state) == {"stock>f1"}


def test_out_of_time_the_draw_is_made_if_nothing_else_is_legal():
    assert fallbacks(position(side(hand=""), strict_draw=True)) == {"draw"}


def test_no_move_is_made_for_a_seat_that_owes_none():
    with pytest.raises(IllegalMoveError, match="owes no move"):
        SPITE.fallback(with_last_card(), B, CHANCE)
