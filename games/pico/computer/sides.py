"""What one side can hold in a round of Pico, numbered."""

from collections.abc import Mapping, Sequence

import numpy as np

from games.equilibrium import Whole


class Side:
    """The cards of one side as a round begins; a holding is a number with a bit for each card."""

    def __init__(self, faces: Sequence[int], dots: Mapping[int, int]) -> None:
        self.faces = tuple(faces)
        self.dots = tuple(dots[face] for face in faces)
        each = np.array(self.dots)
        holdings = np.arange(1 << len(faces))
        held = (holdings[:, None] >> np.arange(len(faces))) & 1
        self.counts: Whole = held.sum(axis=1)
        self.cards: Whole = np.argsort(-held, axis=1, kind="stable")
        """The cards of each holding in ascending order; those it does not hold come after them."""

        self.won: Whole = each.sum() - held @ each
        """The dots of the cards that are held no longer."""

        least = np.where(held == 1, each, each.max()).min(axis=1)
        self.most: Whole = np.maximum(held @ each - least, 0)
        """The dots each holding can still win: a round ends with one card in hand."""

    def holding(self, faces: Sequence[int]) -> int:
        """The number of a holding; of equal cards the first are taken to be held."""
        number, rest = 0, list(faces)
        for i, face in enumerate(self.faces):
            if face in rest:
                rest.remove(face)
                number |= 1 << i
        return number

    def of(self, count: int) -> Whole:
        """The holdings of `count` cards."""
        return np.flatnonzero(self.counts == count)
