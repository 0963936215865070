"""How a result changes ratings: the number shown, and the mean and deviation behind it."""

from itertools import permutations

import pytest

from bot.ratings import Finish, Standing, after, rating_text

NEW = Standing()


def finishes(*ranks):
    return [Finish(rank=rank, won=0, drawn=0, lost=0) for rank in ranks]


def rated(*ranks, standings=None):
    return after(standings or [NEW] * len(ranks), finishes(*ranks))


def numbers(standings):
    return [standing.rating for standing in standings]


def test_everybody_starts_at_1500():
    assert NEW.rating == 1500


def test_the_winner_of_two_new_players_gains_what_the_loser_loses():
    assert numbers(rated(1, 2)) == [1563, 1437]
    assert numbers(rated(2, 1)) == [1437, 1563]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_tie_between_equal_players_changes_no_rating(seats):
    assert numbers(rated(*[1] * seats)) == [1500] * seats


def test_a_draw_lowers_the_stronger_player_and_raises_the_weaker():
    strong, weak = Standing(mu=30.0, sigma=4.0), Standing(mu=20.0, sigma=4.0)

    down, up = rated(1, 1, standings=[strong, weak])

    assert down.mu < strong.mu
    assert up.mu > weak.mu


def test_beating_a_stronger_player_gains_more():
    strong, weak = Standing(mu=30.0, sigma=4.0), Standing(mu=20.0, sigma=4.0)

    expected, _ = rated(1, 2, standings=[strong, weak])
    surprise, _ = rated(1, 2, standings=[weak, strong])

    assert surprise.mu - weak.mu > expected.mu - strong.mu > 0


@pytest.mark.parametrize("gap", [-20.0, -5.0, 0.0, 5.0, 20.0])
def test_losing_never_raises_a_rating_and_winning_never_lowers_it(gap):
    players = [Standing(mu=25 + gap, sigma=6.0), Standing(mu=25 - gap, sigma=6.0)]

    winner, loser = rated(1, 2, standings=players)

    assert winner.mu > players[0].mu
    assert loser.mu < players[1].mu


@pytest.mark.parametrize("ranks", [(1, 2, 3), (1, 2, 3, 4), (1, 2, 2), (1, 1, 3), (1, 2, 2, 4)])
def test_with_three_or_four_new_players_a_better_rank_is_a_better_rating(ranks):
    new = numbers(rated(*ranks))

    assert new == sorted(new, reverse=True)
    assert [new.index(n) + 1 for n in new] == list(ranks)


@pytest.mark.parametrize("ranks", list(permutations((1, 2, 3))))
def test_the_seat_does_not_affect_the_rating(ranks):
    by_place = dict(zip(ranks, numbers(rated(*ranks)), strict=True))

    assert by_place == {1: 1569, 2: 1517, 3: 1414}


def test_every_match_lowers_the_uncertainty_and_changes_the_rating_less():
    first = rated(1, 2)
    second = rated(1, 2, standings=first)

    assert second[0].sigma < first[0].sigma < NEW.sigma
    assert second[0].rating - first[0].rating < first[0].rating - NEW.rating


def test_matches_wins_draws_and_losses_are_counted():
    lines = [
        Finish(rank=1, won=0, drawn=1, lost=0),
        Finish(rank=1, won=0, drawn=1, lost=0),
        Finish(rank=3, won=0, drawn=0, lost=1),
    ]
    before = Standing(matches=4, won=2, drawn=1, lost=1)

    first, _, third = after([before, NEW, NEW], lines)

    assert (first.matches, first.won, first.drawn, first.lost) == (5, 2, 2, 1)
    assert (third.matches, third.won, third.drawn, third.lost) == (1, 0, 0, 1)


@pytest.mark.parametrize(("matches", "words"), [(0, "1500?"), (4, "1500?"), (5, "1500")])
def test_a_rating_is_provisional_until_the_fifth_rated_match(matches, words):
    standing = Standing(matches=matches)

    assert rating_text(standing.rating, established=standing.established) == words
