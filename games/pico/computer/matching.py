"""Regret matching in thousands of games of one shape at once, where others may be greedy.

Arrays have the number of the game as their last axis: so numpy works along it, which takes a
quarter of the time that one small product for each game does. A mix is (choices, games); a table
of payoffs is (own choices, choices of all others as one axis, games).
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

Halves = NDArray[np.float32]
"""Half as much to move about as floats, and precise enough for what is matched, not solved."""

_LEAST: Final = np.float32(1e-30)
"""Regrets below this sum are none; it is only for the division."""


def matched(
    tables: Sequence[Halves], turns: int, greedy: Sequence[Halves], greed: float
) -> list[Halves]:
    """The mixes that so many turns of regret matching plus come to, later turns counting more.

    Each seat takes it that this often all others play their `greedy` mixes at once.
    """
    regrets = [np.zeros((len(table), table.shape[-1]), dtype=np.float32) for table in tables]
    sums = [np.zeros_like(regret) for regret in regrets]
    mixes = [in_proportion(regret) for regret in regrets]
    met = [worths(table, greedy, seat) for seat, table in enumerate(tables)]
    for turn in range(1, turns + 1):
        for seat, table in enumerate(tables):  # in turn, each answering what others have become
            worth = blended(worths(table, mixes, seat), met[seat], greed)
            worth -= (worth * mixes[seat]).sum(axis=0)
            regrets[seat] = np.maximum(regrets[seat] + worth, 0.0)
            mixes[seat] = in_proportion(regrets[seat])
            sums[seat] += np.float32(turn) * mixes[seat]
    return [in_proportion(total) for total in sums]


def blended(usual: Halves, sometimes: Halves, often: float) -> Halves:
    """The mean of what is usual and what is met as often as said."""
    share = np.float32(often)
    mean: Halves = (1 - share) * usual + share * sometimes
    return mean


def worths(table: Halves, mixes: Sequence[Halves], seat: int) -> Halves:
    """What each choice of a seat is worth on average over the mixes of the others."""
    others = [mix for other, mix in enumerate(mixes) if other != seat]
    joint = others[0]
    for mix in others[1:]:
        joint = (joint[:, None] * mix).reshape(-1, joint.shape[-1])
    worth: Halves = np.einsum("ijn,jn->in", table, joint)
    return worth


def in_proportion(weights: Halves) -> Halves:
    """Mixes in proportion to weights; where all of them are 0, all choices alike."""
    total = weights.sum(axis=0)
    alike = np.float32(1 / len(weights))
    return np.where(total > 0, weights / np.maximum(total, _LEAST), alike)
