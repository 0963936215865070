"""The next trick of Pico for three: how each seat plays, and what its cards are worth."""

from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from games.equilibrium import Floats
from games.pico.computer.leads import later_leads
from games.pico.computer.matching import Float32s, expected_payoffs, weighted_mean
from games.pico.computer.three import RoundOfThree, payoffs
from games.pico.decks import DECKS
from games.pico.rules import View

GREED: Final = 0.04
"""The probability with which `strong` expects both others to be greedy. With a higher one it wins
more from opponents who are, but is easier to predict: with this one, an opponent who predicts it
can expect a share of at most 0.40 of the win."""

CACHED_TRICKS: Final = 64
"""The number of tricks in the cache, less than 1 kB each; all seats of a match use the same."""


class Trick(NamedTuple):
    """The solution of a trick: for each seat, an array by its cards in ascending order."""

    mixes: tuple[Floats, ...]
    """The probability of each card."""

    worths: tuple[Floats, ...]
    """The expected share of the win for each card, against opponents who are sometimes greedy."""


def next_trick(view: View, turns: int) -> Trick:
    """Solve the current trick, with `turns` iterations of regret matching in each position."""
    return _solved_trick(replace(view, seat=None, last=None), turns)


@lru_cache(maxsize=CACHED_TRICKS)
def _solved_trick(view: View, turns: int) -> Trick:
    rest = RoundOfThree(view.hands, DECKS[view.deck].dots)
    solved, now = rest.solve(ends_of_round(view, rest), turns, GREED), rest.sizes[-1]
    mixes, greedy, after = solved.mixes[-1], rest.greedy(now), rest.after(now)
    cards = []
    for seat, values in enumerate(solved.worths):
        table = payoffs(values, after, seat)
        cards.append(
            weighted_mean(
                expected_payoffs(table, mixes, seat), expected_payoffs(table, greedy, seat), GREED
            )
        )
    return Trick(tuple(map(_only, mixes)), tuple(map(_only, cards)))


def ends_of_round(view: View, rest: RoundOfThree) -> Floats:
    """The expected share of the win if this round ends in a position: (seats, positions)."""
    sets = tuple(tuple(sorted(held + won)) for held, won in zip(view.hands, view.won, strict=True))
    later = later_leads(view.deck, sets, view.rounds - view.round)
    return later.shares(rest.won + np.array(view.dots)).T


def _only(lines: Float32s) -> Floats:
    """The column of the only position, which is the current one."""
    return lines[:, 0].astype(np.float64)
