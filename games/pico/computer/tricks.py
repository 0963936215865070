"""A trick of Pico for three: what each seat plays in it, and what its cards are worth."""

from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from games.equilibrium import Floats
from games.pico.computer.leads import later_leads
from games.pico.computer.matching import Halves, blended, worths
from games.pico.computer.three import RoundOfThree, payoffs
from games.pico.decks import DECKS
from games.pico.rules import View

GREED: Final = 0.04
"""How often `strong` expects both others to be greedy. It wins more from those who are, the more it
expects it, but can be foreseen the better: with this, who foresees it wins at most .40."""

CACHED_TRICKS: Final = 64
"""Tricks that are remembered, less than a kB each: all seats of a match ask for the same."""


class Trick(NamedTuple):
    """What was found for each seat, by its cards in ascending order."""

    mixes: tuple[Floats, ...]
    """How often it plays each of them."""

    worths: tuple[Floats, ...]
    """The part of the win that each is worth against the others, who are greedy now and then."""


def next_trick(view: View, turns: int) -> Trick:
    """The trick that is played now, with so many turns of regret matching in each position."""
    return _found(replace(view, seat=None, last=None), turns)


@lru_cache(maxsize=CACHED_TRICKS)
def _found(view: View, turns: int) -> Trick:
    rest = RoundOfThree(view.hands, DECKS[view.deck].dots)
    solved, now = rest.solve(ends_of_round(view, rest), turns, GREED), rest.sizes[-1]
    mixes, greedy, after = solved.mixes[-1], rest.greedy(now), rest.after(now)
    cards = []
    for seat, found in enumerate(solved.worths):
        table = payoffs(found, after, seat)
        cards.append(blended(worths(table, mixes, seat), worths(table, greedy, seat), GREED))
    return Trick(tuple(map(_only, mixes)), tuple(map(_only, cards)))


def ends_of_round(view: View, rest: RoundOfThree) -> Floats:
    """The part of the win that each end of this round leaves each seat: (seats, positions)."""
    sets = tuple(tuple(sorted(held + won)) for held, won in zip(view.hands, view.won, strict=True))
    later = later_leads(view.deck, sets, view.rounds - view.round)
    return later.shares(rest.won + np.array(view.dots)).T


def _only(lines: Halves) -> Floats:
    """What there is of the one position that is played."""
    return lines[:, 0].astype(np.float64)
