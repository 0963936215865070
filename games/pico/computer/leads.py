"""What the dots won so far are worth to each of three before the rounds that are yet to come.

A later round is taken to bring what it does if it is the whole match: every lead that may come of
it, by how likely it is. That foretells better what a lead is worth than play for the biggest lead.
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
"""Turns of regret matching in each position of a later round: what it brings is but a guess."""

CACHED_SETS: Final = 64
"""Matches for which it is remembered what a round may bring, some 20 kB each."""

_MANY_DOTS: Final = 256
"""More than anybody can lead by."""


@dataclass(frozen=True, slots=True)
class Leads:
    """The leads over who gets least that rounds may bring: (leads, seats), and how likely each."""

    dots: Whole
    likely: Floats

    def shares(self, totals: Whole) -> Floats:
        """The part of the win each seat may expect, if these come to totals: (lines, seats)."""
        totals, lines = _unlike(totals)
        shares = np.stack([self.likely @ _shares(self.dots + each) for each in totals])
        expected: Floats = shares[lines]
        return expected


def later_leads(deck: DeckName, sets: Sets, rounds: int) -> Leads:
    """What so many rounds may bring after the one that begins with these sets.

    The sets are passed on but stay the same, so in this order one guess does for all rounds.
    """
    order = sorted(range(len(sets)), key=sets.__getitem__)
    one = _round_alone(deck, tuple(sets[i] for i in order))
    leads = Leads(np.zeros((1, len(sets)), dtype=np.intp), np.ones(1))
    for later in range(1, rounds + 1):
        theirs = [order.index((i + later) % len(sets)) for i in range(len(sets))]
        sums = leads.dots[:, None] + one.dots[:, theirs]
        leads = _summed(sums.reshape(-1, len(sets)), np.outer(leads.likely, one.likely).ravel())
    return leads


@lru_cache(maxsize=CACHED_SETS)
def _round_alone(deck: DeckName, sets: Sets) -> Leads:
    whole = RoundOfThree(sets, DECKS[deck].dots)
    return _summed(*whole.ends(whole.solve(_shares(whole.won).T, TURNS, greed=0).mixes))


def _summed(totals: Whole, likely: Floats) -> Leads:
    """The different leads among lines of totals, and how likely each is, by that of the lines."""
    leads, lines = _unlike(totals)
    summed = np.bincount(lines, likely).astype(np.float64)
    return Leads(leads, summed)


def _unlike(totals: Whole) -> tuple[Whole, Whole]:
    """The different leads among lines of totals, and the number of its lead for each line."""
    leads = totals - totals.min(axis=1, keepdims=True)
    keys = leads @ (_MANY_DOTS ** np.arange(leads.shape[1]))
    _, first, lines = np.unique(keys, return_index=True, return_inverse=True)
    return leads[first], lines


def _shares(totals: Whole) -> Floats:
    """The part of the win that each seat gets by the final totals, one match a line."""
    best = totals == totals.max(axis=1, keepdims=True)
    shares: Floats = best / best.sum(axis=1, keepdims=True)
    return shares
