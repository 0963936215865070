"""Equilibria of games with simultaneous choices.

Zero-sum games of two seats are solved exactly: `solve` takes one matrix, `solve_many` thousands of
the same shape (a match of Pico has about 49,000). Both run the simplex method on von Neumann's
linear program, pivoting all matrices at once in numpy. Each solution is checked against its matrix;
where rounding has spoiled it (for one matrix of Pico in a million) the matrix is solved again in
fractions with Bland's rule, which always terminates and doesn't round.

With more than two seats a game has no single value, and no method is both exact and quick:
`regret_matching` approximates an equilibrium and returns how far off it is.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from games.chance import Chance

Floats = NDArray[np.float64]
Whole = NDArray[np.intp]

MAX_GAP: Final = 1e-11
"""The largest duality gap of a solution, as a fraction of the range of the payoffs."""

MIN_PROBABILITY: Final = 1e-9
"""A choice whose probability is no higher isn't part of a mix: it may be a rounding error."""

_ZERO: Final = 1e-12
"""Numbers up to this size count as zero in a tableau, whose entries are around 1."""

_CHANCE_STEPS: Final = 2**53
"""How many different numbers `draw` can draw: as many as the precision of floats allows."""

_MIN_LOSS: Final = 0.5
"""Added to all losses, so that they're positive: otherwise the linear program is unbounded."""


@dataclass(frozen=True, slots=True)
class Equilibrium:
    """The solution of one matrix: its value to the rows, and an optimal mix for each side.

    A mix is a mixed strategy: the probability of each choice.
    """

    value: float
    rows: Floats
    columns: Floats


@dataclass(frozen=True, slots=True)
class Equilibria:
    """The solutions of many matrices; the first axis is the index of the matrix."""

    values: Floats
    rows: Floats
    columns: Floats


def solve(payoffs: ArrayLike, prefer: ArrayLike | None = None) -> Equilibrium:
    """The equilibrium of a zero-sum game; `payoffs` is what the rows win and the columns lose.

    `prefer` has a number for each row. Of all optimal mixes of the rows, the result has the one
    with the highest average of `prefer`. The mix of the columns is any optimal one.
    """
    matrix = np.asarray(payoffs, dtype=np.float64)
    worth = None if prefer is None else np.asarray(prefer, dtype=np.float64)[None]
    solved = solve_many(matrix[None], worth)
    return Equilibrium(float(solved.values[0]), solved.rows[0], solved.columns[0])


def solve_many(payoffs: Floats, prefer: Floats | None = None) -> Equilibria:
    """The equilibria of many matrices of one shape; see `solve`.

    `payoffs` is (matrices, rows, columns), `prefer` is (matrices, rows). Raises ValueError if a
    side has no choice or a payoff isn't finite.
    """
    count, height, width = payoffs.shape
    if not height or not width:
        raise ValueError("A matrix game needs a choice for each side.")
    if not np.isfinite(payoffs).all():
        raise ValueError("The payoffs of a matrix game must be finite numbers.")
    if not count:
        return Equilibria(np.zeros(0), np.zeros((0, height)), np.zeros((0, width)))
    high = payoffs.max(axis=(1, 2), keepdims=True)
    span = high - payoffs.min(axis=(1, 2), keepdims=True)
    losses = (high - payoffs) / np.where(span > 0, span, 1.0)  # from 0 to 1
    rows, columns = _Tableaux(losses, None if prefer is None else _scaled(prefer)).solution()
    floor, ceiling = _bounds(losses, rows, columns)
    for i in np.flatnonzero(~(ceiling - floor <= MAX_GAP)):  # also true of NaN
        rows[i], columns[i] = _solve_exactly(losses[i])
        floor[i : i + 1], ceiling[i : i + 1] = _bounds(
            losses[i : i + 1], rows[i : i + 1], columns[i : i + 1]
        )
    values = high[:, 0, 0] - span[:, 0, 0] * (floor + ceiling) / 2
    return Equilibria(values, rows, columns)


def needs_mixing(payoffs: ArrayLike, value: float, tolerance: float) -> bool:
    """Whether every pure choice of the rows gives up more than `tolerance` once it's predictable.

    `value` is the value of the game to the rows.
    """
    matrix = np.asarray(payoffs, dtype=np.float64)
    return bool((matrix.min(axis=1) < value - tolerance).all())


def max_probability(payoffs: ArrayLike, which: NDArray[np.bool_]) -> float:
    """The highest probability of the choices in `which` among all optimal mixes of the rows."""
    return float(solve(payoffs, which).rows[which].sum())


def kindest_columns(payoffs: ArrayLike, row: int) -> Floats:
    """Of all optimal mixes of the columns, the one against which a row does best."""
    matrix = np.asarray(payoffs, dtype=np.float64)
    return solve(-matrix.T, matrix[row]).rows


def is_in_optimal_mix(payoffs: ArrayLike, row: int) -> bool:
    """Whether some optimal mix of the rows contains a row."""
    matrix = np.asarray(payoffs, dtype=np.float64)
    return max_probability(matrix, np.arange(len(matrix)) == row) > MIN_PROBABILITY


def draw(mix: Floats, chance: Chance) -> int:
    """Draw the index of a choice from a mix; a choice of probability 0 is never drawn."""
    steps = np.cumsum(mix)
    share = chance.below(_CHANCE_STEPS) / _CHANCE_STEPS
    return int(np.searchsorted(steps / steps[-1], share, side="right"))


def _scaled(prefer: Floats) -> Floats:
    """Scale the preferences of each matrix to the range from 0 to 1; all 0 if they are equal."""
    low = prefer.min(axis=1, keepdims=True)
    span = prefer.max(axis=1, keepdims=True) - low
    scaled: Floats = (prefer - low) / np.where(span > _ZERO, span, np.inf)
    return scaled


def _bounds(losses: Floats, rows: Floats, columns: Floats) -> tuple[Floats, Floats]:
    """The bounds of each game's value, as a loss of the rows.

    The lower one is the least that any row loses to the columns' mix, the upper one the most that
    the rows' mix loses to any column.
    """
    floor = np.einsum("kij,kj->ki", losses, columns).min(axis=1)
    ceiling = np.einsum("ki,kij->kj", rows, losses).max(axis=1)
    return floor, ceiling


class _Tableaux:
    """Simplex tableaux of one shape, pivoted together.

    The rows of a game look for a y >= 0 with the greatest sum such that they lose at most 1 to each
    column; their mix is y divided by its sum. A tableau has a line for each column of the game, one
    for the sum and, with `prefer`, one for the preferences. The last entry of each line is the
    right-hand side. Only the nonbasic columns are stored: a pivot writes the column of the leaving
    variable over that of the entering one.
    """

    def __init__(self, losses: Floats, prefer: Floats | None) -> None:
        count, self._height, self._width = losses.shape
        lines = self._width + (1 if prefer is None else 2)
        self._prefers = prefer is not None
        self._table = np.empty((count, lines, self._height + 1))
        self._table[:, : self._width, : self._height] = losses.transpose(0, 2, 1) + _MIN_LOSS
        self._table[:, : self._width, -1] = 1.0
        self._table[:, self._width, :-1] = 1.0
        self._table[:, self._width, -1] = 0.0
        if prefer is not None:
            self._table[:, -1, :-1] = prefer
            self._table[:, -1, -1] = 0.0
        variables = np.arange(self._height + self._width)
        self._nonbasic = np.tile(variables[: self._height], (count, 1))
        self._basic = np.tile(variables[self._height :], (count, 1))
        # Nearly all tableaux need no more pivots than they have lines. One that takes much longer
        # may be cycling, and is left to Bland's rule in fractions.
        self._patience = 4 * (self._height + self._width)
        self._mixes = np.zeros((count, self._height + self._width))

    def solution(self) -> tuple[Floats, Floats]:
        """Solve the games: the mixes of rows and columns, NaN for games that weren't solved."""
        left = np.arange(len(self._table))
        # The first to enter is the row that loses least at worst: at a saddle point, few pivots
        # are left after that.
        entering = self._table[:, : self._width, :-1].max(axis=1).argmin(axis=1)
        for _ in range(self._patience):
            self._pivot(entering)
            worth, entering = self._entering()
            unsolved = worth > _ZERO
            if not unsolved.all():
                self._store(left[~unsolved], ~unsolved)
                left, entering = left[unsolved], entering[unsolved]
                self._select(unsolved)
            if not len(left):
                break
        self._mixes[left] = np.nan
        rows, columns = np.split(np.maximum(self._mixes, 0.0), [self._height], axis=1)
        return (
            rows / rows.sum(axis=1, keepdims=True),
            columns / columns.sum(axis=1, keepdims=True),
        )

    def _entering(self) -> tuple[Floats, Whole]:
        """For each game, the gain by a unit of the best entering variable, and its index.

        A game is solved when the gain is 0.
        """
        costs = self._table[:, self._width, :-1]
        entering = costs.argmax(axis=1)
        worth = _at(costs, entering)
        if self._prefers:  # with the greatest sum reached, raise the preference at no cost to it
            second = np.where(costs > -_ZERO, self._table[:, -1, :-1], 0.0)
            best = second.argmax(axis=1)
            finished = worth <= _ZERO
            entering = np.where(finished, best, entering)
            worth = np.where(finished, _at(second, best), worth)
        return worth, entering

    def _pivot(self, entering: Whole) -> None:
        every = np.arange(len(entering))
        column = self._table[every, :, entering]
        leaving = self._leaving(column[:, : self._width])
        pivot = _at(column, leaving)[:, None]
        line = self._table[every, leaving] / pivot
        self._table -= column[:, :, None] * line[:, None, :]
        self._table[every, leaving] = line
        self._table[every, :, entering] = -column / pivot
        self._table[every, leaving, entering] = 1.0 / pivot[:, 0]
        swapped = self._nonbasic[every, entering]
        self._nonbasic[every, entering] = self._basic[every, leaving]
        self._basic[every, leaving] = swapped

    def _leaving(self, column: Floats) -> Whole:
        """The line that limits the entering variable most; if several do, the largest pivot."""
        right = np.maximum(self._table[:, : self._width, -1], 0.0)
        usable = column > _ZERO
        limits = np.where(usable, right / np.where(usable, column, 1.0), np.inf)
        least = limits.min(axis=1, keepdims=True)
        chosen: Whole = np.where(limits <= least + _ZERO, column, -1.0).argmax(axis=1)
        return chosen

    def _store(self, numbers: Whole, done: NDArray[np.bool_]) -> None:
        """Store the solutions: basic variables give the rows' mix, reduced costs the columns'."""
        mixes = np.zeros((len(numbers), self._height + self._width))
        np.put_along_axis(mixes, self._basic[done], self._table[done, : self._width, -1], axis=1)
        costs = -self._table[done, self._width, :-1]
        priced = np.zeros_like(mixes)
        np.put_along_axis(priced, self._nonbasic[done], costs, axis=1)
        mixes[:, self._height :] = priced[:, self._height :]
        self._mixes[numbers] = mixes

    def _select(self, unsolved: NDArray[np.bool_]) -> None:
        self._table = self._table[unsolved]
        self._nonbasic, self._basic = self._nonbasic[unsolved], self._basic[unsolved]


def _at(table: Floats, places: Whole) -> Floats:
    """From each line of a table, the number at the index given for that line."""
    picked: Floats = table[np.arange(len(places)), places]
    return picked


def _solve_exactly(losses: Floats) -> tuple[Floats, Floats]:
    """The mixes of one matrix, by the simplex method in fractions."""
    height, width = losses.shape
    one, nothing = Fraction(1), Fraction(0)
    offset = Fraction(_MIN_LOSS)
    table = [[Fraction(float(x)) + offset for x in losses[:, j]] + [one] for j in range(width)]
    table.append([one] * height + [nothing])
    nonbasic, basic = list(range(height)), list(range(height, height + width))
    while True:
        # Bland's rule: of the variables that could enter, and of those that could leave, take the
        # one with the lowest number.
        improving = [c for c in range(height) if table[-1][c] > 0]
        if not improving:
            break
        entering = min(improving, key=nonbasic.__getitem__)
        limits = [
            (table[r][-1] / table[r][entering], basic[r], r)
            for r in range(width)
            if table[r][entering] > 0
        ]
        leaving = min(limits)[2]
        _pivot_exactly(table, leaving, entering)
        nonbasic[entering], basic[leaving] = basic[leaving], nonbasic[entering]
    amounts = [nothing] * (height + width)
    for r, variable in enumerate(basic):
        if variable < height:
            amounts[variable] = table[r][-1]
    for c, variable in enumerate(nonbasic):
        if variable >= height:
            amounts[variable] = -table[-1][c]
    total = sum(amounts[:height])
    mixes = np.array([float(amount / total) for amount in amounts])
    return mixes[:height], mixes[height:]


def _pivot_exactly(table: list[list[Fraction]], leaving: int, entering: int) -> None:
    pivot = table[leaving][entering]
    line = [number / pivot for number in table[leaving]]
    for r, other in enumerate(table):
        factor = other[entering]
        if r != leaving and factor:
            table[r] = [a - factor * b for a, b in zip(other, line, strict=True)]
            table[r][entering] = -factor / pivot
    line[entering] = 1 / pivot
    table[leaving] = line


def regret_matching(payoffs: ArrayLike, rounds: int = 1000) -> tuple[tuple[Floats, ...], float]:
    """A mix for each of several seats, and the most that any seat could gain by another mix.

    `payoffs[seat]` is what that seat gets; it has one axis for the choices of each seat. Raises
    ValueError for another shape.

    The method is regret matching plus: each seat plays each choice in proportion to its regret for
    not having played it, and later rounds have more weight in the result. In a zero-sum game of two
    seats the gain goes to 0 like 1 / rounds (after 1,000 rounds it is 0.001 to 0.01 of the payoffs;
    `solve` is exact and quicker). With more seats, joint play approaches a coarse correlated
    equilibrium, but the separate mixes need not be an equilibrium. That's why the gain is measured
    and returned.
    """
    tensor = np.asarray(payoffs, dtype=np.float64)
    seats = len(tensor)
    if tensor.ndim != seats + 1 or not tensor.size:
        raise ValueError("Payoffs need an axis for the seats, then one for each seat's choices.")
    regrets = [np.zeros(choices) for choices in tensor.shape[1:]]
    sums = [np.zeros(choices) for choices in tensor.shape[1:]]
    for number in range(1, rounds + 1):
        for seat in range(seats):  # one after another, each against the others' latest mixes
            worth = _worths(tensor[seat], seat, [_mix_by_regret(regret) for regret in regrets])
            now = float(worth @ _mix_by_regret(regrets[seat]))
            regrets[seat] = np.maximum(regrets[seat] + worth - now, 0.0)
        for seat in range(seats):
            sums[seat] += number * _mix_by_regret(regrets[seat])
    mixes = tuple(_mix_by_regret(total) for total in sums)
    gain = 0.0
    for seat in range(seats):
        worth = _worths(tensor[seat], seat, mixes)
        gain = max(gain, float(worth.max() - worth @ mixes[seat]))
    return mixes, gain


def _mix_by_regret(regret: Floats) -> Floats:
    total = regret.sum()
    return regret / total if total > 0 else np.full(len(regret), 1.0 / len(regret))


def _worths(tensor: Floats, seat: int, mixes: Sequence[Floats]) -> Floats:
    """The expected payoff of each choice of a seat against the mixes of the others."""
    worth = np.moveaxis(tensor, seat, 0)
    for mix in reversed([mix for other, mix in enumerate(mixes) if other != seat]):
        worth = worth @ mix
    return worth
