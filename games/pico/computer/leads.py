"""What the dots won so far are worth to each of three seats, with more rounds to come.

Each later round is expected to be played as if it were the whole match, which gives a probability
to every lead that it may end with. That predicts the worth of a lead better than the assumption
that the seats play for the biggest lead.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from games.equilibrium import Floats, Whole
from games.pico.computer.three import RoundOfThree
from games.pico.decks import DECKS, DeckName

Sets = tuple[tuple[int, ...], ...]
"""The cards with which each seat begins a round, in ascending order."""

TURNS: Final = 16
"""Iterations of regret matching in each position of a later round; a rough estimate is enough."""

CACHED_SETS: Final = 64
"""Matches whose later rounds are cached, about 20 kB each."""

_MANY_DOTS: Final = 256
"""More than the biggest possible lead, in dots."""


@dataclass(frozen=True, slots=True)
class Leads:
    """The leads that rounds may bring: `dots` is (leads, seats), `likely` their probabilities.

    A seat's lead is the number of its dots beyond those of the seat with the fewest.
    """

    dots: Whole
    likely: Floats

    def shares(self, totals: Whole) -> Floats:
        """The expected share of the win of each seat if these leads are added to `totals`.

        Takes and returns (matches, seats).
        """
        totals, lines = _distinct_leads(totals)
        shares = np.stack([self.likely @ _shares(self.dots + each) for each in totals])
        expected: Floats = shares[lines]
        return expected


def later_leads(deck: DeckName, sets: Sets, rounds: int) -> Leads:
    """The leads of the next `rounds` rounds together, after the one that begins with these sets."""
    # The sets are passed on unchanged, so in sorted order one cache entry serves all rounds.
    order = sorted(range(len(sets)), key=sets.__getitem__)
    one = _round_alone(deck, tuple(sets[i] for i in order))
    leads = Leads(np.zeros((1, len(sets)), dtype=np.intp), np.ones(1))
    for later in range(1, rounds + 1):
        theirs = [order.index((i + later) % len(sets)) for i in range(len(sets))]
        sums = leads.dots[:, None] + one.dots[:, theirs]
        leads = _merged(sums.reshape(-1, len(sets)), np.outer(leads.likely, one.likely).ravel())
    return leads


@lru_cache(maxsize=CACHED_SETS)
def _round_alone(deck: DeckName, sets: Sets) -> Leads:
    whole = RoundOfThree(sets, DECKS[deck].dots)
    return _merged(*whole.ends(whole.solve(_shares(whole.won).T, TURNS, greed=0).mixes))


def _merged(totals: Whole, likely: Floats) -> Leads:
    """The different leads among lines of totals, and the sum of the probabilities for each."""
    leads, lines = _distinct_leads(totals)
    summed = np.bincount(lines, likely).astype(np.float64)
    return Leads(leads, summed)


def _distinct_leads(totals: Whole) -> tuple[Whole, Whole]:
    """The different leads among lines of totals, and for each line the index of its lead."""
    leads = totals - totals.min(axis=1, keepdims=True)
    keys = leads @ (_MANY_DOTS ** np.arange(leads.shape[1]))
    _, first, lines = np.unique(keys, return_index=True, return_inverse=True)
    return leads[first], lines


def _shares(totals: Whole) -> Floats:
    """The share of the win that each seat gets by its final total: (matches, seats)."""
    best = totals == totals.max(axis=1, keepdims=True)
    shares: Floats = best / best.sum(axis=1, keepdims=True)
    return shares
