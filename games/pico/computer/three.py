"""A round of Pico for three, solved backward, as well as games of three can be solved.

A position is what all three seats hold; what each has won follows from it. In every position, from
the last one backward, regret matching finds mixes by what the ends of the round are worth, and
these mixes give the position a worth for each seat. All positions with the same numbers of cards
are solved at once; of positions that differ only in which of two equal cards is held, only one is
solved.

The result for a position depends on nothing but its cards and the ends: a round solved from a later
position on has the same mixes there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from games.core import Seat
from games.equilibrium import Floats, Whole
from games.pico.computer.matching import (
    Float32s,
    expected_payoffs,
    mixes_by_regret,
    normalized,
    weighted_mean,
)
from games.pico.computer.sides import Holdings
from games.pico.rules import trick_winners

Number = TypeVar("Number", bound=np.generic)

Mixes = Sequence[Sequence[Float32s]]
"""The mixes of all seats in all positions of a round: by size, as in `RoundOfThree.sizes`, then by
seat."""

_ROUNDING: Final = 1e-4
"""Differences up to this size between sums of dots are rounding errors."""


@dataclass(frozen=True, slots=True)
class Size:
    """All positions of a round in which each seat holds a certain number of cards."""

    numbers: Whole
    """The flat index of each position."""

    holdings: tuple[Whole, ...]
    """For each seat, its holding in each position."""

    cards: tuple[Whole, ...]
    """For each seat, the indexes of its cards: (cards, positions)."""


@dataclass(frozen=True, slots=True)
class Solved:
    """The solution of a round."""

    worths: Float32s
    """The worth of each position to each seat: (seats, positions)."""

    mixes: Mixes


class RoundOfThree:
    """All positions of a round, or of the rest of one."""

    def __init__(self, hands: Sequence[Sequence[int]], dots: Mapping[int, int]) -> None:
        self._sides = [Holdings(hand, dots) for hand in hands]
        self._shape = tuple(len(side.counts) for side in self._sides)
        self._index_change, self._ahead = self._tricks()
        self._representatives = [_representatives(hand) for hand in hands]
        grid = np.meshgrid(*self._representatives, indexing="ij")
        self._solved_as = np.ravel_multi_index(tuple(each.ravel() for each in grid), self._shape)
        """For each position, the index of the equal one that is solved; see `_representatives`."""

        grid = np.meshgrid(*(side.won for side in self._sides), indexing="ij")
        self.won: Whole = np.stack(grid, axis=-1).reshape(-1, len(hands))
        """The dots that each seat has won in each position: (positions, seats)."""

        counts = product(*(range(2, len(hand) + 1) for hand in hands))
        self.sizes = [self._size(held) for held in sorted(counts, key=sum)]
        """In ascending order of the total number of cards, as a trick leaves fewer."""

    def solve(self, ends: Floats, turns: int, greed: float) -> Solved:
        """Compute the mixes and worths of all positions from the worths of the ends.

        `ends` is the worth of each position to each seat, if the round ended there: (seats,
        positions). `turns` is the iterations of regret matching in each position. Each seat assumes
        that, with probability `greed`, both others play `greedy`.
        """
        values, mixes = ends.astype(np.float32, order="C"), []
        for size in self.sizes:
            after, greedy = self.after(size), self.greedy(size)
            tables = [payoffs(each, after, seat) for seat, each in enumerate(values)]
            ours = mixes_by_regret(tables, turns, greedy, greed)
            for seat, table in enumerate(tables):
                cards = weighted_mean(
                    expected_payoffs(table, ours, seat),
                    expected_payoffs(table, greedy, seat),
                    greed,
                )
                values[seat, size.numbers] = (cards * ours[seat]).sum(axis=0)
            mixes.append(ours)
        return Solved(values, mixes)

    def after(self, size: Size) -> Whole:
        """The indexes of the positions that tricks lead to.

        There is an axis for the cards of each seat, followed by one for the positions.
        """
        tricks = tuple(_broadcastable(cards, seat, 3) for seat, cards in enumerate(size.cards))
        return self._solved_as.take(size.numbers + self._index_change[tricks], mode="clip")

    def greedy(self, size: Size) -> list[Float32s]:
        """For each seat, the mix of the cards that get it furthest ahead on average in a trick."""
        mixes = []
        for seat, (cards, ahead) in enumerate(zip(size.cards, self._ahead, strict=True)):
            others = [held for other, held in enumerate(size.holdings) if other != seat]
            sums = ahead[cards, others[0], others[1]]
            best = sums >= sums.max(axis=0) - _ROUNDING
            mixes.append(normalized(best.astype(np.float32)))
        return mixes

    def ends(self, mixes: Mixes) -> tuple[Whole, Floats]:
        """How the round may end by these mixes: the dots won, (ends, seats), and probabilities."""
        likely = np.zeros(len(self.won))
        likely[-1] = 1.0
        for size, now in zip(reversed(self.sizes), reversed(mixes), strict=True):
            met = np.flatnonzero(likely[size.numbers])
            ways = likely[size.numbers[met]]
            for seat, mix in enumerate(now):
                ways = ways * _broadcastable(mix[:, met], seat, len(now))
            after = self.after(size)[..., met]
            likely[size.numbers] = 0.0
            likely += np.bincount(after.ravel(), ways.ravel(), likely.size)
        over = np.flatnonzero(likely)
        return self.won[over], likely[over]

    def _tricks(self) -> tuple[Whole, list[Float32s]]:
        """What each trick adds to the index of a position, and how far ahead it gets each seat.

        The second has, for each seat, the dots by which a card gets it ahead of the mean of the
        others, summed over all cards that they hold: (own cards, holdings of one, of the other).
        """
        faces = [side.faces for side in self._sides]
        change = np.zeros(tuple(map(len, faces)), dtype=np.intp)
        dots = np.zeros((len(faces), *change.shape))
        steps = [int(np.prod(self._shape[seat + 1 :])) for seat in range(len(faces))]
        for cards in product(*map(range, change.shape)):
            shown = {Seat(i): faces[i][card] for i, card in enumerate(cards)}
            for seat in trick_winners(shown)[0]:
                change[cards] -= steps[seat] << cards[seat]
                dots[(seat, *cards)] = self._sides[seat].dots[cards[seat]]
        ahead = (3 * dots - dots.sum(axis=0)) / 2
        held = [_held(len(each)) for each in faces]
        sums = []
        for me, table in enumerate(ahead):
            first, second = (held[other] for other in range(3) if other != me)
            mine = np.moveaxis(table, me, 0)
            sums.append(np.einsum("abc,hb,kc->ahk", mine, first, second, optimize=True))
        return change, sums

    def _size(self, counts: Sequence[int]) -> Size:
        held = []
        for side, same, count in zip(self._sides, self._representatives, counts, strict=True):
            holdings = side.of(count)
            held.append(holdings[same[holdings] == holdings])
        grid = tuple(each.ravel() for each in np.meshgrid(*held, indexing="ij"))
        cards = tuple(
            side.cards[each, :count].T
            for side, each, count in zip(self._sides, grid, counts, strict=True)
        )
        return Size(np.ravel_multi_index(grid, self._shape), grid, cards)


def payoffs(values: Float32s, after: Whole, seat: int) -> Float32s:
    """A seat's table of payoffs for `matching`, by the worths of positions that tricks lead to."""
    mine = np.moveaxis(values.take(after, mode="clip"), seat, 0)  # clips nothing, but is quickest
    return np.ascontiguousarray(mine).reshape(len(mine), -1, after.shape[-1])


def _held(cards: int) -> Whole:
    """Whether each holding of a hand of `cards` cards has each card, 0 or 1: (holdings, cards)."""
    held: Whole = (np.arange(1 << cards)[:, None] >> np.arange(cards)) & 1
    return held


def _representatives(hand: Sequence[int]) -> Whole:
    """For each holding of a hand, the equal one in which the first of equal cards are held."""
    held = _held(len(hand))
    for first in range(len(hand) - 1):
        if hand[first] == hand[first + 1]:
            pair = held[:, first : first + 2]
            held[:, first : first + 2] = np.sort(pair, axis=1)[:, ::-1]
    return held @ (1 << np.arange(len(hand)))


def _broadcastable(lines: NDArray[Number], axis: int, axes: int) -> NDArray[Number]:
    """Reshape (choices, positions) to broadcast along `axis` of a table with `axes` axes.

    The axis of the positions comes after these.
    """
    shape = [1] * axes
    shape[axis] = len(lines)
    return lines.reshape(*shape, -1)
