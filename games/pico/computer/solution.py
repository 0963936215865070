"""Pico for two, solved: what each position of a match is worth when both play it best.

A position of a round is what both still hold: the dots won are those of the cards no longer held,
and only the lead before the round comes to it. In the round that is played that lead is known, so
it has a matrix game for each pair of holdings (with 13 cards 3,249), ending where the next round
begins. A later one has a game for each pair of holdings and each lead that leaves the winner open
(about 46,000), and what is kept of it is what each lead is worth before it. Worth is
P(win) - P(loss), found backward, all positions with equally many cards on each side at once.

Two of three seats that go on without the third play such a match too, of up to three rounds.

Often many mixes are equally good. Of them the one is taken that gets most from an opponent who
errs as people do, now and from here on: half the time they play what gets furthest ahead at once,
half the time any card. That gives up nothing to one who does not err.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.core import Seat
from games.equilibrium import Floats, Whole, solve, solve_many
from games.pico.computer.heuristics import playing
from games.pico.computer.sides import Side
from games.pico.decks import DECKS, DeckName
from games.pico.rules import View, trick_winners

_ALIKE: Final = 1e-9
"""Two cards get equally far ahead on average if they differ by no more, which is rounding."""

CACHED_SOLUTIONS: Final = 16
"""Solved rounds that are remembered, about 150 kB each; solving one again takes 0.02 s."""

CACHED_LATER: Final = 64
"""Of later rounds, a few kB each; solving one again takes 0.1 s, two 0.4 s."""

Set = tuple[int, ...]
"""The cards with which a seat begins a round, in ascending order."""


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
        return self.worth[-1, -1].copy(), self._gain[-1, -1].copy()

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


@dataclass(frozen=True, slots=True)
class Later:
    """What later rounds are worth by the lead before them, which is counted as in `Round`.

    Whoever leads by the reach has won.
    """

    worth: Floats

    gain: Floats
    """What it brings against an opponent who errs."""

    @property
    def reach(self) -> int:
        return len(self.worth) // 2

    def after(self, leads: Whole) -> tuple[Floats, Floats]:
        """Worth and gain of rounds that end with these leads."""
        places = leads.clip(-self.reach, self.reach) + self.reach
        return self.worth[places], self.gain[places]


class Solution:
    """A round, and what comes after it, solved for one side by the cards it begins with."""

    def __init__(self, mine: Side, theirs: Side, lead: int, later: Later) -> None:
        """The lead is the one before the round."""
        self._round = Round(mine, theirs, 0)
        leads = lead + mine.won[:, None, None] - theirs.won[:, None]
        self._round.solve(later.after(leads), np.ones(leads.shape, dtype=np.bool_))

    def advice(self, mine: Sequence[int], theirs: Sequence[int]) -> Advice:
        """What is known of the position in which both hold these."""
        holdings = self._round.mine.holding(mine), self._round.theirs.holding(theirs)
        payoffs, gains = self._round.payoffs(*(np.array([number]) for number in (*holdings, 0)))
        found = solve(payoffs[0], gains[0])
        return Advice(found.value, found.rows, payoffs[0])


def advice(view: View, seat: Seat) -> Advice:
    """What is known of a position in which two play."""
    sides = seat, opponent(view, seat)
    mine, theirs = (tuple(sorted(view.hands[side] + view.won[side])) for side in sides)
    value = DECKS[view.deck].dots
    before = [view.dots[side] - sum(value[face] for face in view.won[side]) for side in sides]
    rounds = view.rounds - view.round
    solution = _solution(view.deck, mine, theirs, before[0] - before[1], rounds)
    return solution.advice(*(view.hands[side] for side in sides))


def opponent(view: View, seat: Seat) -> Seat:
    """The other of two who play."""
    (other,) = (each for each in playing(view) if each != seat)
    return other


@lru_cache(maxsize=CACHED_SOLUTIONS)
def _solution(deck: DeckName, mine: Set, theirs: Set, lead: int, rounds: int) -> Solution:
    """Of the round that begins with these sets and this lead; so many rounds follow."""
    dots = DECKS[deck].dots
    later = later_rounds(deck, theirs, mine, rounds)  # the sets are swapped for them (R5)
    return Solution(Side(mine, dots), Side(theirs, dots), lead, later)


@lru_cache(maxsize=CACHED_LATER)
def later_rounds(deck: DeckName, mine: Set, theirs: Set, rounds: int) -> Later:
    """So many rounds, the first of which begins with these sets."""
    if not rounds:
        signs = np.array([-1.0, 0.0, 1.0])
        return Later(signs, signs)
    dots, later = DECKS[deck].dots, later_rounds(deck, theirs, mine, rounds - 1)
    ours, others = Side(mine, dots), Side(theirs, dots)
    reach = later.reach + int(max(ours.most[-1], others.most[-1]))
    leads = np.arange(-reach, reach + 1)
    unsettled = leads + ours.most[:, None, None] > -later.reach
    unsettled = unsettled & (leads - others.most[:, None] < later.reach)
    worth, gain = (np.broadcast_to(end, unsettled.shape) for end in later.after(leads))
    first = Round(ours, others, reach)
    first.solve((worth, gain), unsettled)
    return Later(*first.beginning())
