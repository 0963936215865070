"""Regret matching in thousands of games of one shape at once, with opponents who may be greedy.

The last axis of all arrays is the index of the game. That way numpy needs a quarter of the time
that one small matrix product for each game would take. A mix is (choices, games); a table of
payoffs is (own choices, joint choices of all others, games).
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

Float32s = NDArray[np.float32]
"""Single precision: half the memory of doubles, and enough for regret matching."""

_LEAST: Final = np.float32(1e-30)
"""The smallest divisor, so that no weights are divided by 0."""


def mixes_by_regret(
    tables: Sequence[Float32s], turns: int, greedy: Sequence[Float32s], greed: float
) -> list[Float32s]:
    """The mixes found by `turns` iterations of regret matching plus; later ones have more weight.

    Each seat assumes that, with probability `greed`, all others play their `greedy` mixes.
    """
    regrets = [np.zeros((len(table), table.shape[-1]), dtype=np.float32) for table in tables]
    sums = [np.zeros_like(regret) for regret in regrets]
    mixes = [normalized(regret) for regret in regrets]
    met = [expected_payoffs(table, greedy, seat) for seat, table in enumerate(tables)]
    for turn in range(1, turns + 1):
        for seat, table in enumerate(tables):  # one by one, against the latest mixes
            worth = weighted_mean(expected_payoffs(table, mixes, seat), met[seat], greed)
            worth -= (worth * mixes[seat]).sum(axis=0)
            regrets[seat] = np.maximum(regrets[seat] + worth, 0.0)
            mixes[seat] = normalized(regrets[seat])
            sums[seat] += np.float32(turn) * mixes[seat]
    return [normalized(total) for total in sums]


def weighted_mean(usual: Float32s, sometimes: Float32s, often: float) -> Float32s:
    """The weighted mean of both, in which `often` is the weight of `sometimes`."""
    share = np.float32(often)
    mean: Float32s = (1 - share) * usual + share * sometimes
    return mean


def expected_payoffs(table: Float32s, mixes: Sequence[Float32s], seat: int) -> Float32s:
    """The expected payoff of each choice of a seat against the mixes of the others."""
    others = [mix for other, mix in enumerate(mixes) if other != seat]
    joint = others[0]
    for mix in others[1:]:
        joint = (joint[:, None] * mix).reshape(-1, joint.shape[-1])
    worth: Float32s = np.einsum("ijn,jn->in", table, joint)
    return worth


def normalized(weights: Float32s) -> Float32s:
    """Mixes in proportion to the weights; uniform where all weights are 0."""
    total = weights.sum(axis=0)
    alike = np.float32(1 / len(weights))
    return np.where(total > 0, weights / np.maximum(total, _LEAST), alike)
