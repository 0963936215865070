"""Pico for two, solved: what each position of a match is worth when both play it best.

A position of a round is what both still hold: the dots won are those of the cards no longer held,
and only the lead of the first round comes to it. So the last round has a matrix game for each pair
of holdings and each lead that leaves the winner open (with 13 cards about 46,000), and the first
one for each pair of holdings (3,249), ending where the last begins. Worth is P(win) - P(loss),
found backward, all positions with equally many cards on each side at once.

Often many mixes are equally good. Of them the one is taken that gets most from an opponent who
errs as people do, now and from here on: half the time they play what gets furthest ahead at once,
half the time any card. That gives up nothing to one who does not err.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.core import Seat
from games.equilibrium import Floats, Whole, solve, solve_many
from games.pico.computer.sides import Side
from games.pico.decks import DECKS, DeckName
from games.pico.rules import View, trick_winners

_ALIKE: Final = 1e-9
"""Two cards get equally far ahead on average if they differ by no more, which is rounding."""

CACHED_SOLUTIONS: Final = 8
"""Solved matches that are remembered, about 3 MB each; solving one again takes 0.1 s."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What is known of one position; arrays go by the cards in ascending order."""

    worth: float
    """P(win) - P(loss) when both play their best."""

    mix: Floats
    """How often to play each card."""

    payoffs: Floats
    """What each card of mine is worth against each of theirs."""


class Round:
    """All positions of one round. Arrays have an axis for my holding, theirs, and the lead.

    The lead is counted from -`reach`, greater ones being as good as `reach`; with a reach of 0
    it does not matter.
    """

    def __init__(self, mine: Side, theirs: Side, reach: int) -> None:
        self.mine, self.theirs = mine, theirs
        self._shape = (len(mine.counts), len(theirs.counts), 2 * reach + 1)
        self._turn = np.zeros((len(mine.faces), len(theirs.faces)), dtype=np.intp)
        """What two cards change in the number of a position, its lead apart."""

        self._swing = np.zeros_like(self._turn)
        """What they change in the lead."""

        steps = (self._shape[1] * self._shape[2], self._shape[2])
        for a, b in product(range(len(mine.faces)), range(len(theirs.faces))):
            winners, _ = trick_winners({Seat(0): mine.faces[a], Seat(1): theirs.faces[b]})
            for seat in winners:
                self._turn[a, b] -= (1 << (a, b)[seat]) * steps[seat]
                self._swing[a, b] += (mine.dots[a], -theirs.dots[b])[seat]
        self.worth, self._gain = np.zeros(self._shape), np.zeros(self._shape)

    def solve(self, ends: tuple[Floats, Floats], unsettled: NDArray[np.bool_]) -> None:
        """Find the worth of the unsettled positions; `ends` has that of the others.

        Beside the worth of a position goes what it brings against an opponent who errs.
        """
        self.worth[:], self._gain[:] = ends
        unsettled = unsettled & (self.mine.counts > 1)[:, None, None]
        unsettled &= (self.theirs.counts > 1)[:, None]
        sizes = product(range(2, len(self.mine.faces) + 1), range(2, len(self.theirs.faces) + 1))
        for held, across in sorted(sizes, key=sum):  # a trick leaves fewer cards
            mine, theirs = self.mine.of(held), self.theirs.of(across)
            i, j, leads = np.nonzero(unsettled[np.ix_(mine, theirs)])  # never none: a lead of 0
            where = mine[i], theirs[j], leads
            payoffs, gains = self.payoffs(*where)
            found = solve_many(payoffs, gains)
            self.worth[where] = found.values
            self._gain[where] = (found.rows * gains).sum(axis=1)

    def beginning(self) -> tuple[Floats, Floats]:
        """The worth of all cards in hand, and what they bring if the other errs, by the lead."""
        return self.worth[-1, -1], self._gain[-1, -1]

    def payoffs(self, mine: Whole, theirs: Whole, leads: Whole) -> tuple[Floats, Floats]:
        """What each two cards are worth in positions of a size, and mine if the other errs."""
        a = self.mine.cards[mine, : self.mine.counts[mine[0]]]
        b = self.theirs.cards[theirs, : self.theirs.counts[theirs[0]]]
        pairs = a[:, :, None], b[:, None, :]
        now = np.ravel_multi_index((mine, theirs, np.zeros_like(leads)), self._shape)
        lead = (leads[:, None, None] + self._swing[pairs]).clip(0, self._shape[2] - 1)
        after = now[:, None, None] + self._turn[pairs] + lead
        gains = (self._gain.ravel()[after] * _erring(self._swing[pairs])[:, None, :]).sum(axis=2)
        return self.worth.ravel()[after], gains


def _erring(swings: Whole) -> Floats:
    """How often the other plays each card who errs: (positions, theirs).

    `swings` has what each two cards win me in dots: (positions, mine, theirs).
    """
    losses = swings.mean(axis=1)
    greedy = losses <= losses.min(axis=1, keepdims=True) + _ALIKE
    mix: Floats = (greedy / greedy.sum(axis=1, keepdims=True) + 1 / losses.shape[1]) / 2
    return mix


class Solution:
    """A match of two, solved for one side by the cards it holds in the first round."""

    def __init__(self, mine: Side, theirs: Side) -> None:
        self._reach = int(max(mine.most[-1], theirs.most[-1])) + 1
        leads = np.arange(-self._reach, self._reach + 1)
        self._last = Round(theirs, mine, self._reach)  # the sets are swapped for it (R5)
        settled = np.broadcast_to(np.sign(leads).astype(float), self._last.worth.shape)
        unsettled = (leads + theirs.most[:, None, None] >= 0) & (leads - mine.most[:, None] <= 0)
        self._last.solve((settled, settled), unsettled)
        self._first = Round(mine, theirs, 0)
        begin = (mine.won[:, None] - theirs.won).clip(-self._reach, self._reach) + self._reach
        worth, gain = (table[begin][:, :, None] for table in self._last.beginning())
        self._first.solve((worth, gain), np.ones(worth.shape, dtype=np.bool_))

    def advice(self, view: View, seat: Seat) -> Advice:
        """What is known of the position in which a seat sees itself."""
        other = Seat(1 - seat)
        stage, lead = self._first, 0
        if view.round == view.rounds:
            stage = self._last
            ahead = view.dots[seat] - view.dots[other]
            lead = max(-self._reach, min(self._reach, ahead)) + self._reach
        holdings = stage.mine.holding(view.hands[seat]), stage.theirs.holding(view.hands[other])
        mine, theirs, leads = (np.array([number]) for number in (*holdings, lead))
        payoffs, gains = stage.payoffs(mine, theirs, leads)
        found = solve(payoffs[0], gains[0])
        return Advice(found.value, found.rows, payoffs[0])


def advice(view: View, seat: Seat) -> Advice:
    """What is known of a position of a match of two."""
    other = Seat(1 - seat)
    sets = [tuple(sorted(view.hands[side] + view.won[side])) for side in (seat, other)]
    if view.round == view.rounds:
        sets.reverse()
    return _solution(view.deck, sets[0], sets[1]).advice(view, seat)


@lru_cache(maxsize=CACHED_SOLUTIONS)
def _solution(deck: DeckName, mine: tuple[int, ...], theirs: tuple[int, ...]) -> Solution:
    dots = DECKS[deck].dots
    return Solution(Side(mine, dots), Side(theirs, dots))
