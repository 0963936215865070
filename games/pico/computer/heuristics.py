"""Heuristics: what a trick of Pico is taken to be worth without a solution, by dots or a guess."""

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
"""How far the dots of a seat stray from what was expected, for each card yet to be won. By trial
against the exact solution."""

_MIN_SPREAD: Final = 0.2
"""With no more cards to come nothing strays; this is for the division."""


def playing(view: View) -> tuple[Seat, ...]:
    return tuple(Seat(i) for i in range(len(view.hands)) if i not in view.left)


def dots_ahead(view: View, seat: Seat) -> Floats:
    """What each card of a seat wins now minus what an opponent wins, against cards at random."""
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
    """P(win) - P(loss) of both playing seats as guessed, by the cards that they play now.

    The first axis is for the playing seats, then there is one for the cards of each. What they will
    have won in the end is guessed from `prospects`; of the rounds to come each seat may expect what
    the set it will get is worth to its owner now.
    """
    seats = playing(view)
    sets = [tuple(sorted(view.hands[seat] + view.won[seat])) for seat in seats]
    # The sets are passed on but stay the same, so in this order one guess does for all rounds.
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
