"""Evaluates the options of a seat by playouts against what the other seats may choose."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np

from games.equilibrium import Floats, regret_matching, solve

Cell = tuple[int, ...]
"""The index of the seat's own option, followed by that of each other seat's option."""

Trial = Callable[[Cell, int], Sequence[float]]
"""Runs a playout of a cell; returns P(win) of the seat itself, followed by that of each other seat.

The second argument is the number of the playout: those with the same number share their chance and
policies, so that the difference between two options isn't due to luck.
"""

STAGE_SHARES: Final = (1.0, 0.4, 0.2)
"""The share of the options that is tried in each stage; all stages have equally many playouts."""

SMALL_TABLE_OPTIONS: Final = 3
"""The seat's own options in the small table that predicts what several others will do."""

GOLDEN_STEP: Final = 0.6180339887498949
"""The fractional parts of its multiples, and of those of its powers, are evenly distributed."""

SLIP: Final = 0.1
"""The probability with which a single opponent is expected to choose at random. Without it, all
options would be equal whenever the best answer wins, even if some leave the opponent more ways to
go wrong."""

REGRET_ROUNDS: Final = 60
"""Rounds of regret matching; the table is too rough for more of them to improve the result."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The evaluation of the options of a seat."""

    options: tuple[int, ...]
    """The indexes of the options that were tried to the end."""

    worths: tuple[float, ...]
    """P(win) of each of them, against best play of the others."""

    mix: Floats
    """The probability with which to choose each of them."""


def evaluate_options(
    shape: Cell, trial: Trial, budget: int, kept: frozenset[int] = frozenset()
) -> Evaluation:
    """Evaluate the seat's options; `shape` is the number of options of it and of each other seat.

    Options in `kept` are never dropped. The first option of every other seat must be what it does
    if it only races. `budget` is a number of playouts.
    """
    if len(shape) > 2:
        return _against_many(shape, trial, budget, kept)
    return _narrowed(_Table(shape, trial), budget, kept)


def _against_many(shape: Cell, trial: Trial, budget: int, kept: frozenset[int]) -> Evaluation:
    """Evaluate the options against several seats.

    A full table would be too large. A small one, with a few of the seat's own options, predicts by
    regret matching what the others will do; each further playout draws from that, or lets them
    race.
    """
    own, racing = range(min(shape[0], SMALL_TABLE_OPTIONS)), (0,) * (len(shape) - 1)
    if max(shape[1:]) == 1:
        plain = _Table(shape[:1], lambda cell, number: trial((*cell, *racing), number))
        return _narrowed(plain, budget, kept)
    small = _Table((len(own), *shape[1:]), trial)
    small.play(own, range(max(budget // 8 // small.size(own), 1)))
    mixes = regret_matching(small.means(own), REGRET_ROUNDS)[0][1:]

    def against_them(cell: Cell, number: int) -> Sequence[float]:
        if is_racing(number, len(racing)):
            return trial((*cell, *racing), number)
        theirs = (_drawn(mix, number * GOLDEN_STEP**power) for power, mix in enumerate(mixes, 1))
        return trial((*cell, *theirs), number)

    return _narrowed(_Table(shape[:1], against_them), budget * 7 // 8, kept)


def is_racing(number: int, others: int) -> bool:
    """Whether the other seats only race in playouts with this number.

    The more seats there are, the less each of them cares about this one.
    """
    return (number + 1) % (others + 2) > 0


def _drawn(mix: Floats, number: float) -> int:
    """The index of a choice from a mix, by the fractional part of a number."""
    return min(int(np.searchsorted(mix.cumsum(), number % 1.0)), len(mix) - 1)


def _narrowed(table: "_Table", budget: int, kept: frozenset[int]) -> Evaluation:
    """Sequential halving: try all options a few times, then fewer and fewer of them more often."""
    every = range(table.shape[0])
    table.play(every, range(1))
    evaluation, begun = table.evaluation(every), 1
    for part in STAGE_SHARES:
        ranked = sorted(zip(evaluation.worths, evaluation.options, strict=True), reverse=True)
        best = [option for _, option in ranked[: max(round(len(every) * part), 2)]]
        live = sorted({*best, *kept})
        times = budget // len(STAGE_SHARES) // table.size(live) - (begun == 1)
        if times > 0:
            table.play(live, range(begun, begun + times))
            begun += times
        evaluation = table.evaluation(live)
    return evaluation


class _Table:
    """The sums of the results of playouts, by cell."""

    def __init__(self, shape: Cell, trial: Trial) -> None:
        self.shape = shape
        self._trial = trial
        self._others = tuple(product(*(range(size) for size in shape[1:])))
        self._sums = np.zeros((len(shape), *shape))
        self._counts = np.zeros(shape)

    def size(self, live: Sequence[int]) -> int:
        """The number of cells of these options of the seat."""
        return len(live) * len(self._others)

    def play(self, live: Sequence[int], numbers: range) -> None:
        """Run a playout of every cell of these options of the seat, for each number."""
        for number in numbers:
            for place in ((option, *others) for option in live for others in self._others):
                for seat, share in enumerate(self._trial(place, number)[: len(place)]):
                    self._sums[(seat, *place)] += share
                self._counts[place] += 1

    def means(self, live: Sequence[int]) -> Floats:
        """The mean P(win) in the cells of these options: (seats, options, others' options ...)."""
        chosen = list(live)
        means: Floats = self._sums[:, chosen] / self._counts[chosen]
        return means

    def evaluation(self, live: Sequence[int]) -> Evaluation:
        """An equilibrium with one other seat; the best option if the table has no other seat."""
        means = self.means(live)[0]
        if means.ndim > 1:
            means = (1 - SLIP) * means + SLIP * means.mean(axis=1, keepdims=True)
            equilibrium = solve(means)
            worths, mix = means @ equilibrium.columns, equilibrium.rows
        else:
            worths, mix = means, np.zeros(len(live))
            mix[int(worths.argmax())] = 1.0
        return Evaluation(tuple(live), tuple(worths.tolist()), mix)
