import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import linprog
from scipy.sparse import block_diag, hstack

from games import equilibrium
from games.chance import Chance
from games.equilibrium import (
    draw,
    is_in_optimal_mix,
    kindest_columns,
    max_probability,
    regret_matching,
    solve,
    solve_many,
)

KINDS = {
    "any payoffs": lambda rng, shape: rng.normal(size=shape),
    "win, tie or loss": lambda rng, shape: rng.integers(-1, 2, size=shape).astype(float),
    "two payoffs only": lambda rng, shape: rng.integers(0, 2, size=shape).astype(float),
    "one decimal": lambda rng, shape: np.round(rng.normal(size=shape), 1),
    "rows twice": lambda rng, shape: np.repeat(rng.normal(size=shape), 2, axis=1)[:, : shape[1]],
    "columns in proportion": lambda rng, shape: rng.normal(size=(*shape[:2], 1)) * np.ones(shape),
    "of rank one": lambda rng, shape: (
        rng.normal(size=(*shape[:2], 1)) * rng.normal(size=(shape[0], 1, shape[2]))
    ),
    "huge, and apart by little": lambda rng, shape: 1e6 + rng.normal(size=shape),
    "apart by rounding": lambda rng, shape: (
        rng.integers(-1, 2, size=shape) + 1e-15 * rng.normal(size=shape)
    ),
    "nearly singular": lambda rng, shape: (
        rng.integers(-1, 2, size=shape) + 1e-11 * rng.normal(size=shape)
    ),
}
SHAPES = [(1, 1), (1, 5), (5, 1), (2, 2), (2, 3), (3, 3), (4, 2), (5, 5), (6, 6), (4, 7)]
EACH = 30  # with 10 kinds and 10 shapes: 3,000 matrices


def linear_values(payoffs):
    """The values of many games by scipy, as one linear program of independent parts."""
    count, height, width = payoffs.shape
    each = np.eye(count)
    losses = block_diag([-matrix.T for matrix in payoffs])
    result = linprog(
        np.repeat([0.0, -1.0], [count * height, count]),
        A_ub=hstack([losses, np.repeat(each, width, axis=0)]),
        b_ub=np.zeros(count * width),
        A_eq=np.hstack([np.repeat(each, height, axis=1), np.zeros((count, count))]),
        b_eq=np.ones(count),
        bounds=[(0, None)] * (count * height) + [(None, None)] * count,
    )
    return result.x[count * height :]


def gaps(payoffs, found):
    best = np.einsum("kij,kj->ki", payoffs, found.columns).max(axis=1)
    worst = np.einsum("ki,kij->kj", found.rows, payoffs).min(axis=1)
    return best - worst


@pytest.mark.parametrize("kind", KINDS)
def test_the_value_is_that_of_linear_programming_and_nobody_gains_by_deviating(kind):
    rng = np.random.default_rng(20261121)
    batches = [KINDS[kind](rng, (EACH, *shape)) for shape in SHAPES]

    solved = [solve_many(batch) for batch in batches]

    scale = max(float(np.abs(batch).max()) for batch in batches)
    for batch, found in zip(batches, solved, strict=True):
        assert_allclose(found.values, linear_values(batch), atol=1e-6 * scale)
        assert gaps(batch, found).max() <= 1e-10 * scale
        assert min(found.rows.min(), found.columns.min()) >= 0
        assert_allclose(found.rows.sum(axis=1), 1)
        assert_allclose(found.columns.sum(axis=1), 1)


@pytest.mark.parametrize("kind", KINDS)
def test_fractions_find_the_same_if_rounding_would_spoil_it(kind, monkeypatch):
    batch = KINDS[kind](np.random.default_rng(7), (10, 4, 3))
    quick = solve_many(batch)
    monkeypatch.setattr(equilibrium, "MAX_GAP", -1.0)  # now nothing is good enough

    exact = solve_many(batch)

    scale = float(np.abs(batch).max())
    assert_allclose(exact.values, quick.values, atol=1e-9 * scale)
    assert gaps(batch, exact).max() <= 1e-14 * scale


def test_a_game_on_which_the_tableau_cycles_is_solved_in_fractions(monkeypatch):
    monkeypatch.setattr(equilibrium._Tableaux, "_entering", _never_ends)

    found = solve([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])

    assert_allclose(found.rows, [1 / 3] * 3)


def _never_ends(tableaux):
    worth = np.ones(len(tableaux._table))
    return worth, np.zeros(len(worth), dtype=np.intp)


def test_rock_paper_scissors_is_played_evenly():
    found = solve([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])

    assert found.value == pytest.approx(0, abs=1e-12)
    assert_allclose(found.rows, [1 / 3] * 3)
    assert_allclose(found.columns, [1 / 3] * 3)


def test_a_saddle_point_is_played_with_certainty():
    found = solve([[3, 1, 4], [9, 0, 2], [2, 1, 3]])

    assert found.value == pytest.approx(1)
    assert_allclose(found.columns, [0, 1, 0], atol=1e-12)


def test_among_equally_good_rows_the_preferred_one_is_played():
    payoffs = [[0, 1], [0, 5], [0, 3], [-1, 9]]

    found = solve(payoffs, prefer=[1, 5, 3, 100])

    assert found.value == pytest.approx(0)
    assert_allclose(found.rows, [0, 1, 0, 0], atol=1e-12)


def test_a_preference_gives_up_nothing_and_gets_as_much_as_is_free():
    rng = np.random.default_rng(3)
    payoffs = rng.integers(-1, 2, size=(200, 5, 4)).astype(float)
    prefer = rng.normal(size=(200, 5))

    plain, preferring = solve_many(payoffs), solve_many(payoffs, prefer)

    got = (preferring.rows * prefer).sum(axis=1)
    assert gaps(payoffs, preferring).max() <= 1e-11
    assert_allclose(got, _most(payoffs, plain.values, prefer), atol=1e-7)


def test_among_best_mixes_the_one_that_plays_some_rows_most_often_is_found():
    payoffs = [[1, -1], [-1, 1], [0, 0]]

    assert max_probability(payoffs, np.array([False, False, True])) == pytest.approx(1)
    assert max_probability(payoffs, np.array([True, False, False])) == pytest.approx(0.5)


def _most(payoffs, values, prefer):
    """The most that any of the equally good mixes has of what is preferred, by scipy."""
    results = [
        linprog(-worth, A_ub=-matrix.T, b_ub=[1e-9 - value] * 4, A_eq=[[1] * 5], b_eq=[1])
        for matrix, value, worth in zip(payoffs, values, prefer, strict=True)
    ]
    return [-result.fun for result in results]


SEVERAL = [[1, -1], [0, 0], [-1, -1]]
"""The second row is the only best one. Its opponent holds it with the second column, with both
equally often, or with anything between."""


def test_of_all_optimal_mixes_of_the_columns_the_one_kindest_to_a_row_is_found():
    assert_allclose(kindest_columns(SEVERAL, 0), [0.5, 0.5])
    assert_allclose(kindest_columns([[1, -1], [0, 0], [1, -2]], 2), [0.5, 0.5])
    assert_allclose(kindest_columns([[1, -1], [0, 0], [-2, 1]], 2), [1 / 3, 2 / 3])


def test_a_row_that_only_some_optimal_mixes_of_the_columns_let_off_is_in_no_optimal_mix():
    assert [is_in_optimal_mix(SEVERAL, row) for row in range(3)] == [False, True, False]
    assert [is_in_optimal_mix([[0, 0], [0, 0], [0, -1]], row) for row in range(3)] == [
        True,
        True,
        False,
    ]


def test_solving_no_games_gives_no_solutions():
    found = solve_many(np.zeros((0, 2, 3)))

    assert (found.values.shape, found.rows.shape, found.columns.shape) == ((0,), (0, 2), (0, 3))


@pytest.mark.parametrize(
    ("payoffs", "sentence"),
    [
        (np.zeros((1, 0)), "needs a choice for each side"),
        (np.array([[np.nan, 1.0]]), "must be finite"),
        (np.array([[np.inf, 1.0]]), "must be finite"),
    ],
    ids=["nobody can choose", "not a number", "infinite"],
)
def test_an_invalid_game_is_refused(payoffs, sentence):
    with pytest.raises(ValueError, match=sentence):
        solve(payoffs)


def test_regret_matching_comes_close_to_the_equilibrium_of_two():
    payoffs = np.random.default_rng(5).normal(size=(6, 6))

    mixes, gain = regret_matching([payoffs, -payoffs])

    assert gain <= 0.01
    assert mixes[0] @ payoffs @ mixes[1] == pytest.approx(solve(payoffs).value, abs=0.01)


def test_regret_matching_finds_the_best_choice_of_each_of_three_whatever_the_others_do():
    payoffs = np.zeros((3, 2, 3, 2))
    payoffs[0, 1] += 1  # the first seat wants its second choice, the second its third ...
    payoffs[1, :, 2] += 1
    payoffs[2, :, :, 0] += 1

    mixes, gain = regret_matching(payoffs, rounds=50)

    assert gain <= 0.01
    assert [int(mix.argmax()) for mix in mixes] == [1, 2, 0]


def test_regret_matching_says_what_could_still_be_gained():
    payoffs = np.random.default_rng(8).normal(size=(3, 3, 3, 3))

    mixes, gain = regret_matching(payoffs, rounds=20)

    gains = [
        np.einsum("abc,b,c->a", payoffs[0], mixes[1], mixes[2]),
        np.einsum("abc,a,c->b", payoffs[1], mixes[0], mixes[2]),
        np.einsum("abc,a,b->c", payoffs[2], mixes[0], mixes[1]),
    ]
    assert gain == pytest.approx(
        max(worth.max() - worth @ mix for worth, mix in zip(gains, mixes, strict=True))
    )


def test_regret_matching_refuses_payoffs_that_lack_an_axis():
    with pytest.raises(ValueError, match="one for each seat's choices"):
        regret_matching(np.zeros((3, 2, 2)))


@pytest.mark.parametrize("number", [0, 1], ids=["least", "most"])
def test_even_with_extreme_chance_a_choice_with_probability_zero_is_never_drawn(number):
    class End(Chance):
        def below(self, n):
            return number * (n - 1)

    assert draw(np.array([0.0, 0.5, 0.5, 0.0]), End("unused", 0)) == 1 + number


def test_a_choice_is_drawn_as_often_as_the_mix_says_and_never_at_probability_zero():
    mix = np.array([0.0, 0.25, 0.0, 0.75, 0.0])
    chance = Chance("draws", 1)

    drawn = np.bincount([draw(mix, chance) for _ in range(2000)], minlength=5)

    assert drawn[[0, 2, 4]].sum() == 0
    assert drawn[1] == pytest.approx(500, abs=80)
