"""Equilibria of games in which all choose at once.

Two seats with opposed interests are solved exactly: `solve` for one matrix, `solve_many` for
thousands of the same shape at once (Pico has about 49,000 of them in a match). Both run the simplex
method on von Neumann's linear program, all matrices one pivot at a time in numpy. What comes out
is checked against the matrix itself, and where rounding has spoiled it (one matrix in a million of
Pico) it is solved again in fractions, with Bland's rule, which always ends and never errs.

More than two seats have no value and no method that is both exact and quick: `regret_matching`
approximates, and says how well.
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
"""How far a solution may be from exact, as a part of the greatest difference of payoffs."""

_ZERO: Final = 1e-12
"""What counts as zero in a tableau whose numbers are about one."""

_CHANCE_STEPS: Final = 2**53
"""Into how many parts chance is divided: as finely as floats can tell."""

_MIN_LOSS: Final = 0.5
"""The least loss in a tableau: all losses must be positive for the program to be bounded."""


@dataclass(frozen=True, slots=True)
class Equilibrium:
    """The solution of one matrix: its value to the rows, and a best mix for each side."""

    value: float
    rows: Floats
    columns: Floats


@dataclass(frozen=True, slots=True)
class Equilibria:
    """The solutions of many matrices, the number of the matrix being the first axis."""

    values: Floats
    rows: Floats
    columns: Floats


def solve(payoffs: ArrayLike, prefer: ArrayLike | None = None) -> Equilibrium:
    """The equilibrium of a matrix of what the rows win and the columns lose.

    Among equally good mixes of the rows it is the one with the greatest sum of `prefer`, a worth
    of each row. The columns' mix is any of theirs.
    """
    matrix = np.asarray(payoffs, dtype=np.float64)
    worth = None if prefer is None else np.asarray(prefer, dtype=np.float64)[None]
    found = solve_many(matrix[None], worth)
    return Equilibrium(float(found.values[0]), found.rows[0], found.columns[0])


def solve_many(payoffs: Floats, prefer: Floats | None = None) -> Equilibria:
    """The equilibria of matrices of one shape: (number, rows, columns); see `solve`."""
    count, height, width = payoffs.shape
    if not height or not width:
        raise ValueError("A matrix game needs a choice for each side.")
    if not np.isfinite(payoffs).all():
        raise ValueError("The payoffs of a matrix game must be finite numbers.")
    if not count:
        return Equilibria(np.zeros(0), np.zeros((0, height)), np.zeros((0, width)))
    high = payoffs.max(axis=(1, 2), keepdims=True)
    span = high - payoffs.min(axis=(1, 2), keepdims=True)
    losses = (high - payoffs) / np.where(span > 0, span, 1.0)  # from 0 to 1, whatever the scale
    rows, columns = _Tableaux(losses, None if prefer is None else _level(prefer)).solution()
    floor, ceiling = _bounds(losses, rows, columns)
    for i in np.flatnonzero(~(ceiling - floor <= MAX_GAP)):  # also where it is no number at all
        rows[i], columns[i] = _exactly(losses[i])
        floor[i : i + 1], ceiling[i : i + 1] = _bounds(
            losses[i : i + 1], rows[i : i + 1], columns[i : i + 1]
        )
    values = high[:, 0, 0] - span[:, 0, 0] * (floor + ceiling) / 2
    return Equilibria(values, rows, columns)


def needs_mixing(payoffs: ArrayLike, value: float, tolerance: float) -> bool:
    """Whether each choice of the rows, made always, gives up more than this to whoever knows it."""
    matrix = np.asarray(payoffs, dtype=np.float64)
    return bool((matrix.min(axis=1) < value - tolerance).all())


def most_often(payoffs: ArrayLike, which: NDArray[np.bool_]) -> float:
    """How often the rows make one of these choices by that of their best mixes which does most."""
    return float(solve(payoffs, which).rows[which].sum())


def draw(mix: Floats, chance: Chance) -> int:
    """The number of a choice, drawn as the mix says; one that is never made is never drawn."""
    steps = np.cumsum(mix)
    share = chance.below(_CHANCE_STEPS) / _CHANCE_STEPS
    return int(np.searchsorted(steps / steps[-1], share, side="right"))


def _level(prefer: Floats) -> Floats:
    """The worths of rows between 0 and 1: only their order and proportions matter."""
    low = prefer.min(axis=1, keepdims=True)
    span = prefer.max(axis=1, keepdims=True) - low
    leveled: Floats = (prefer - low) / np.where(span > _ZERO, span, np.inf)
    return leveled


def _bounds(losses: Floats, rows: Floats, columns: Floats) -> tuple[Floats, Floats]:
    """What the columns' mix takes at least, and what the rows' mix loses at most."""
    floor = np.einsum("kij,kj->ki", losses, columns).min(axis=1)
    ceiling = np.einsum("ki,kij->kj", rows, losses).max(axis=1)
    return floor, ceiling


class _Tableaux:
    """Simplex tableaux of one shape, pivoted together.

    The rows of a game want positive y with the greatest sum such that no column takes more than 1:
    their mix is y divided by its sum. A tableau has a line for each column of the game, one for
    that sum and one for what is preferred; its last entry in a line is the right-hand side. Only
    the nonbasic part is kept: a pivot puts the leaving variable in the place of the entering one.
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
        self._outside = np.tile(variables[: self._height], (count, 1))
        self._basic = np.tile(variables[self._height :], (count, 1))
        # Nearly all end after as many pivots as they have lines; what takes longer may be going
        # round in circles, and is given to Bland's rule in fractions.
        self._patience = 4 * (self._height + self._width)
        self._mixes = np.zeros((count, self._height + self._width))

    def solution(self) -> tuple[Floats, Floats]:
        """The mixes of rows and columns; NaN where no end was found."""
        left = np.arange(len(self._table))
        # To begin with, the row whose worst is best: where it is a saddle this is nearly all.
        entering = self._table[:, : self._width, :-1].max(axis=1).argmin(axis=1)
        for _ in range(self._patience):
            self._pivot(entering)
            worth, entering = self._entering()
            going = worth > _ZERO
            if not going.all():
                self._write(left[~going], ~going)
                left, entering = left[going], entering[going]
                self._keep(going)
            if not len(left):
                break
        self._mixes[left] = np.nan
        rows, columns = np.split(np.maximum(self._mixes, 0.0), [self._height], axis=1)
        return (
            rows / rows.sum(axis=1, keepdims=True),
            columns / columns.sum(axis=1, keepdims=True),
        )

    def _entering(self) -> tuple[Floats, Whole]:
        """The best variable to bring in, and what a unit of it is worth; done where nothing."""
        costs = self._table[:, self._width, :-1]
        entering = costs.argmax(axis=1)
        worth = _at(costs, entering)
        if self._prefers:  # of what changes the sum by nothing, what is preferred most
            second = np.where(costs > -_ZERO, self._table[:, -1, :-1], 0.0)
            best = second.argmax(axis=1)
            ended = worth <= _ZERO
            entering = np.where(ended, best, entering)
            worth = np.where(ended, _at(second, best), worth)
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
        swapped = self._outside[every, entering]
        self._outside[every, entering] = self._basic[every, leaving]
        self._basic[every, leaving] = swapped

    def _leaving(self, column: Floats) -> Whole:
        """The line that limits the entering variable first; the largest pivot if several do."""
        right = np.maximum(self._table[:, : self._width, -1], 0.0)
        usable = column > _ZERO
        limits = np.where(usable, right / np.where(usable, column, 1.0), np.inf)
        least = limits.min(axis=1, keepdims=True)
        chosen: Whole = np.where(limits <= least + _ZERO, column, -1.0).argmax(axis=1)
        return chosen

    def _write(self, numbers: Whole, done: NDArray[np.bool_]) -> None:
        """Note the solutions: what is basic for the rows, what it costs for the columns."""
        noted = np.zeros((len(numbers), self._height + self._width))
        np.put_along_axis(noted, self._basic[done], self._table[done, : self._width, -1], axis=1)
        costs = -self._table[done, self._width, :-1]
        priced = np.zeros_like(noted)
        np.put_along_axis(priced, self._outside[done], costs, axis=1)
        noted[:, self._height :] = priced[:, self._height :]
        self._mixes[numbers] = noted

    def _keep(self, going: NDArray[np.bool_]) -> None:
        self._table = self._table[going]
        self._outside, self._basic = self._outside[going], self._basic[going]


def _at(table: Floats, places: Whole) -> Floats:
    """The number at its place in each line."""
    picked: Floats = table[np.arange(len(places)), places]
    return picked


def _exactly(losses: Floats) -> tuple[Floats, Floats]:
    """The mixes of one matrix, by the same method in fractions."""
    height, width = losses.shape
    one, nothing = Fraction(1), Fraction(0)
    opens = Fraction(_MIN_LOSS)
    table = [[Fraction(float(x)) + opens for x in losses[:, j]] + [one] for j in range(width)]
    table.append([one] * height + [nothing])
    outside, basic = list(range(height)), list(range(height, height + width))
    while True:
        # Bland: of all that improve, and of all that limit, the variable with the least number.
        improving = [c for c in range(height) if table[-1][c] > 0]
        if not improving:
            break
        entering = min(improving, key=outside.__getitem__)
        limits = [
            (table[r][-1] / table[r][entering], basic[r], r)
            for r in range(width)
            if table[r][entering] > 0
        ]
        leaving = min(limits)[2]
        _pivot_exactly(table, leaving, entering)
        outside[entering], basic[leaving] = basic[leaving], outside[entering]
    amounts = [nothing] * (height + width)
    for r, variable in enumerate(basic):
        if variable < height:
            amounts[variable] = table[r][-1]
    for c, variable in enumerate(outside):
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
    """A mix for each of several seats, and the most that any seat could gain by another.

    `payoffs[seat]` has an axis for the choices of each seat: what the seat gets when all choose so.
    This is regret matching plus: each seat plays in proportion to what it regrets not having
    played, later rounds counting more. With two opposed seats the gain goes to 0, about as
    1 / rounds (after 1,000 rounds it is 0.001 to 0.01 of the payoffs; `solve` is exact and
    quicker). With more seats the play of all together comes to what nobody regrets, but the mixes
    taken one by one need not be an equilibrium; so the gain is measured at the end and returned.
    """
    tensor = np.asarray(payoffs, dtype=np.float64)
    seats = len(tensor)
    if tensor.ndim != seats + 1 or not tensor.size:
        raise ValueError("Payoffs need an axis for the seats, then one for each seat's choices.")
    regrets = [np.zeros(choices) for choices in tensor.shape[1:]]
    sums = [np.zeros(choices) for choices in tensor.shape[1:]]
    for number in range(1, rounds + 1):
        for seat in range(seats):  # in turn, each answering what the others have just become
            worth = _worths(tensor[seat], seat, [_matched(regret) for regret in regrets])
            now = float(worth @ _matched(regrets[seat]))
            regrets[seat] = np.maximum(regrets[seat] + worth - now, 0.0)
        for seat in range(seats):
            sums[seat] += number * _matched(regrets[seat])
    mixes = tuple(_matched(total) for total in sums)
    gain = 0.0
    for seat in range(seats):
        worth = _worths(tensor[seat], seat, mixes)
        gain = max(gain, float(worth.max() - worth @ mixes[seat]))
    return mixes, gain


def _matched(regret: Floats) -> Floats:
    total = regret.sum()
    return regret / total if total > 0 else np.full(len(regret), 1.0 / len(regret))


def _worths(tensor: Floats, seat: int, mixes: Sequence[Floats]) -> Floats:
    """What each choice of a seat is worth against the mixes of the others."""
    worth = np.moveaxis(tensor, seat, 0)
    for mix in reversed([mix for other, mix in enumerate(mixes) if other != seat]):
        worth = worth @ mix
    return worth
