"""All sets of cards that one side can hold in a round of Pico."""

from collections.abc import Mapping, Sequence

import numpy as np

from games.equilibrium import Whole


class Holdings:
    """The cards of one side at the start of a round, and its holdings.

    A holding is a subset of these cards, as a number with bit i for card i. Arrays are indexed by
    holdings.
    """

    def __init__(self, faces: Sequence[int], dots: Mapping[int, int]) -> None:
        self.faces = tuple(faces)
        self.dots = tuple(dots[face] for face in faces)
        each = np.array(self.dots)
        holdings = np.arange(1 << len(faces))
        held = (holdings[:, None] >> np.arange(len(faces))) & 1
        self.counts: Whole = held.sum(axis=1)
        self.cards: Whole = np.argsort(-held, axis=1, kind="stable")
        """The indexes of the cards of each holding, in ascending order; those it lacks follow."""

        self.won: Whole = each.sum() - held @ each
        """The dots of the cards that each holding lacks: these have been won."""

        least = np.where(held == 1, each, each.max()).min(axis=1)
        self.most: Whole = np.maximum(held @ each - least, 0)
        """The most dots that each holding can still win: a round ends with one card in hand."""

    def holding(self, faces: Sequence[int]) -> int:
        """The holding with these faces; of equal cards, the first ones count as held."""
        number, rest = 0, list(faces)
        for i, face in enumerate(self.faces):
            if face in rest:
                rest.remove(face)
                number |= 1 << i
        return number

    def of(self, count: int) -> Whole:
        """All holdings of `count` cards."""
        return np.flatnonzero(self.counts == count)
