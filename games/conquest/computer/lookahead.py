"""What each of a seat's options is worth: a table of playouts against what others may choose."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np

from games.equilibrium import Floats, regret_matching, solve

Cell = tuple[int, ...]
"""The number of the seat's own option, then that of each other seat's."""

Trial = Callable[[Cell, int], Sequence[float]]
"""P(win) of the seat itself and of each other after a playout of a cell.

The second number says which: playouts of the same number share their chance and policies, so that
options differ by what they are and not by luck.
"""

STAGE_SHARES: Final = (1.0, 0.4, 0.2)
"""The part of the options that is tried in each stage; each stage has as many playouts."""

SMALL_TABLE_OPTIONS: Final = 3
"""Options of the seat in the small table that tells what several others might do."""

GOLDEN_STEP: Final = 0.6180339887498949
"""Multiples of it, and of its powers, spread evenly between whole numbers."""

SLIP: Final = 0.1
"""How often one opponent is expected to choose anything: without it all options are alike wherever
its best answer wins, and which of them gives it most ways to go wrong would not count."""

REGRET_ROUNDS: Final = 60
"""Rounds of regret matching: the table is rougher than what more of them would add."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What has been found out about the options of a seat."""

    options: tuple[int, ...]
    """The options that were tried to the end."""

    worths: tuple[float, ...]
    """P(win) of each of them, against what the others should choose."""

    mix: Floats
    """How often to choose each of them."""


def weigh(shape: Cell, trial: Trial, budget: int, kept: frozenset[int] = frozenset()) -> Opinion:
    """The opinion about the seat's options, the first axis of the shape; `kept` are never dropped.

    The first option of every other seat is what it does if it only races.
    """
    if len(shape) > 2:
        return _against_many(shape, trial, budget, kept)
    return _narrowed(_Table(shape, trial), budget, kept)


def _against_many(shape: Cell, trial: Trial, budget: int, kept: frozenset[int]) -> Opinion:
    """The same against several seats.

    A whole table would be too large. A small one, of a few of its options, tells by regret matching
    what the others might do; each further playout draws that, or lets them race.
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
    """Whether the other seats do nothing but race in the playouts of this number.

    The more there are, the less any of them minds this seat.
    """
    return (number + 1) % (others + 2) > 0


def _drawn(mix: Floats, number: float) -> int:
    """A choice of a mix; equal steps of an irrational length spread evenly over it."""
    return min(int(np.searchsorted(mix.cumsum(), number % 1.0)), len(mix) - 1)


def _narrowed(table: "_Table", budget: int, kept: frozenset[int]) -> Opinion:
    """Sequential halving: try all options a little, then fewer and fewer of them more."""
    every = range(table.shape[0])
    table.play(every, range(1))
    opinion, begun = table.opinion(every), 1
    for part in STAGE_SHARES:
        ranked = sorted(zip(opinion.worths, opinion.options, strict=True), reverse=True)
        best = [option for _, option in ranked[: max(round(len(every) * part), 2)]]
        live = sorted({*best, *kept})
        times = budget // len(STAGE_SHARES) // table.size(live) - (begun == 1)
        if times > 0:
            table.play(live, range(begun, begun + times))
            begun += times
        opinion = table.opinion(live)
    return opinion


class _Table:
    """The sums of playouts by cell."""

    def __init__(self, shape: Cell, trial: Trial) -> None:
        self.shape = shape
        self._trial = trial
        self._others = tuple(product(*(range(size) for size in shape[1:])))
        self._sums = np.zeros((len(shape), *shape))
        self._counts = np.zeros(shape)

    def size(self, live: Sequence[int]) -> int:
        """How many cells these options of the seat have."""
        return len(live) * len(self._others)

    def play(self, live: Sequence[int], numbers: range) -> None:
        """Play out every cell of these options of the seat, once for each number."""
        for number in numbers:
            for place in ((option, *others) for option in live for others in self._others):
                for seat, share in enumerate(self._trial(place, number)[: len(place)]):
                    self._sums[(seat, *place)] += share
                self._counts[place] += 1

    def means(self, live: Sequence[int]) -> Floats:
        """P(win) by seat and cell."""
        chosen = list(live)
        means: Floats = self._sums[:, chosen] / self._counts[chosen]
        return means

    def opinion(self, live: Sequence[int]) -> Opinion:
        """An equilibrium against one other seat; the best option where there is none to answer."""
        means = self.means(live)[0]
        if means.ndim > 1:
            means = (1 - SLIP) * means + SLIP * means.mean(axis=1, keepdims=True)
            found = solve(means)
            worths, mix = means @ found.columns, found.rows
        else:
            worths, mix = means, np.zeros(len(live))
            mix[int(worths.argmax())] = 1.0
        return Opinion(tuple(live), tuple(worths.tolist()), mix)
