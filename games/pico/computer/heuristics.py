"""Estimates of what a card of Pico is worth without solving the match: in dots, or in wins."""

from itertools import product
from math import sqrt
from typing import Final

import numpy as np

from games.core import Seat
from games.equilibrium import Floats
from games.pico.computer.prospects import prospects
from games.pico.decks import DECKS
from games.pico.rules import View, trick_winners

SPREAD_PER_CARD: Final = 0.4
"""The spread of a seat's final dots around the estimate, for each square root of the number of
cards yet to be won. Fitted by experiment to the exact solution."""

_MIN_SPREAD: Final = 0.2
"""Added to the spread, which is 0 when no more cards are to come, since it is divided by."""


def playing(view: View) -> tuple[Seat, ...]:
    return tuple(Seat(i) for i in range(len(view.hands)) if i not in view.left)


def dots_ahead(view: View, seat: Seat) -> Floats:
    """How far each card of a seat gets it ahead in dots in this trick.

    That is the dots it wins minus the mean of what its opponents win, summed over all combinations
    of cards that they can play.
    """
    dots = DECKS[view.deck].dots
    others = [other for other in playing(view) if other != seat]
    mine = view.hands[seat]
    sums = np.zeros(len(mine))
    for i, face in enumerate(mine):
        for theirs in product(*(view.hands[other] for other in others)):
            faces = {seat: face, **dict(zip(others, theirs, strict=True))}
            for winner in trick_winners(faces)[0]:
                sums[i] += dots[faces[winner]] / (1 if winner == seat else -len(others))
    return sums


def chances(view: View) -> Floats:
    """The estimated P(win) - P(loss) of both playing seats, by the cards that they play now.

    The shape is (playing seats, cards of the first, cards of the second). The final dots are
    estimated by `prospects`; in each later round, a seat is expected to win what the set it will
    have then is worth to its owner now.
    """
    seats = playing(view)
    sets = [tuple(sorted(view.hands[seat] + view.won[seat])) for seat in seats]
    # The sets are passed on unchanged, so in sorted order one cache entry serves all rounds.
    order = sorted(range(len(sets)), key=sets.__getitem__)
    guess = prospects(view.deck, tuple(sets[i] for i in order))
    place = [order.index(i) for i in range(len(sets))]
    after = guess.after([view.hands[seats[i]] for i in order])
    totals = after[place].transpose(0, *(axis + 1 for axis in place))
    worth, rounds = [guess.worth[i] for i in place], view.rounds - view.round
    for i, seat in enumerate(seats):
        ahead = sum(worth[(i + later + 1) % len(seats)] for later in range(rounds))
        totals[i] += view.dots[seat] + ahead
    to_come = sum(len(view.hands[seat]) - 1 for seat in seats) - 1
    to_come += rounds * sum(len(cards) - 1 for cards in sets)
    powers = np.exp((totals - totals.max(axis=0)) / (SPREAD_PER_CARD * sqrt(to_come) + _MIN_SPREAD))
    wins: Floats = powers / powers.sum(axis=0)
    return 2 * wins - 1
