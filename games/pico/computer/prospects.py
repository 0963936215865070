"""The dots that each of two seats can expect in the rest of a round of Pico, if both play for dots.

Each position of the round, from the last one backward, is solved as a zero-sum game about the
difference in dots; what the seats win by the resulting mixes is what they can expect. All positions
with the same numbers of cards are solved at once.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import Final

import numpy as np

from games.core import Seat
from games.equilibrium import Floats, Whole, solve_many
from games.pico.computer.sides import Holdings
from games.pico.decks import DECKS, DeckName
from games.pico.rules import trick_winners

CACHED_ROUNDS: Final = 6
"""The number of rounds in the cache, about 70 kB each."""


class Prospects:
    """The dots that each seat can still expect, in every position of one round.

    Arrays have an axis for the seats, followed by one for the holdings or cards of each seat.
    """

    def __init__(self, hands: Sequence[Sequence[int]], dots: Mapping[int, int]) -> None:
        self._sides = [Holdings(hand, dots) for hand in hands]
        self._shape = tuple(len(side.counts) for side in self._sides)
        self._expected = np.zeros((len(hands), *self._shape))
        self._make_trick_tables()
        sizes = product(*(range(2, len(hand) + 1) for hand in hands))
        for counts in sorted(sizes, key=sum):  # a trick leaves fewer cards
            held = [side.of(n) for side, n in zip(self._sides, counts, strict=True)]
            positions = tuple(grid.ravel() for grid in np.meshgrid(*held, indexing="ij"))
            totals = self._totals(positions)
            equilibria = solve_many(totals[0] - totals[1])
            mixes = [equilibria.rows, equilibria.columns]
            for expected, total in zip(self._expected, totals, strict=True):
                expected[positions] = _mean(total, mixes)
        self.worth = tuple(float(table.flat[-1]) for table in self._expected)
        """The dots that each seat can expect from the whole round."""

    def after(self, hands: Sequence[Sequence[int]]) -> Floats:
        """The dots that each seat can expect from here on, by the cards that both play now.

        The shape is (seats, cards of the first, cards of the second), cards in ascending order.
        """
        holdings = [side.holding(hand) for side, hand in zip(self._sides, hands, strict=True)]
        totals = self._totals(tuple(np.array([holding]) for holding in holdings))
        return np.stack([total[0] for total in totals])

    def _make_trick_tables(self) -> None:
        """Make tables of all tricks of this round, by the rules."""
        faces = [side.faces for side in self._sides]
        shape = tuple(map(len, faces))
        self._index_change = np.zeros(shape, dtype=np.intp)
        """What each trick adds to the flat index of a position."""

        self._won = np.zeros((len(faces), *shape))
        """The dots that each seat wins in each trick."""

        steps = [int(np.prod(self._shape[seat + 1 :])) for seat in range(len(faces))]
        for cards in product(*map(range, shape)):
            shown = {Seat(i): faces[i][card] for i, card in enumerate(cards)}
            for seat in trick_winners(shown)[0]:
                self._index_change[cards] -= steps[seat] << cards[seat]
                self._won[(seat, *cards)] = self._sides[seat].dots[cards[seat]]

    def _totals(self, positions: tuple[Whole, ...]) -> list[Floats]:
        """The dots that each seat can expect by the cards played now, in positions of one size.

        In all of them, each side holds the same number of cards. Each table is (positions, cards of
        the first, cards of the second).
        """
        cards = []
        for seat, (side, holdings) in enumerate(zip(self._sides, positions, strict=True)):
            played = side.cards[holdings, : side.counts[holdings[0]]]
            axes = [-1 if axis == seat else 1 for axis in range(len(self._sides))]
            cards.append(played.reshape(len(holdings), *axes))
        tricks = tuple(cards)
        now = np.ravel_multi_index(positions, self._shape)
        after = now.reshape(-1, *[1] * len(cards)) + self._index_change[tricks]
        return [
            won[tricks] + expected.ravel()[after]
            for won, expected in zip(self._won, self._expected, strict=True)
        ]


def _mean(table: Floats, mixes: Sequence[Floats]) -> Floats:
    """The mean of a table over the mixes of both seats, for each position."""
    rows, columns = mixes
    mean: Floats = ((table * columns[:, None, :]).sum(axis=2) * rows).sum(axis=1)
    return mean


@lru_cache(maxsize=CACHED_ROUNDS)
def prospects(deck: DeckName, hands: tuple[tuple[int, ...], ...]) -> Prospects:
    return Prospects(hands, DECKS[deck].dots)
