"""The exact solution of Pico for two: the worth of every position if both play their best.

A position of a round is what both sides hold; the dots won are those of the cards that are no
longer held, plus the lead before the round. In the current round that lead is known, so there is a
matrix game for each pair of holdings (3,249 with 13 cards); it ends where the next round begins. A
later round has a game for each pair of holdings and each lead that leaves the winner open (about
46,000); all that is kept of it is the worth of each lead at its start. The worth is
P(win) - P(loss), computed backward, for all positions with the same numbers of cards at once.

When one of three seats leaves, the other two play such a match, of up to three rounds.

Often many mixes are equally good. The one chosen gets the most from an opponent who errs as people
do, now and later: half of the time they play the card that gets them furthest ahead in this trick,
half of the time any card. Against an opponent who doesn't err, this gives up nothing.
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
from games.pico.computer.sides import Holdings
from games.pico.decks import DECKS, DeckName
from games.pico.rules import View, trick_winners

_ROUNDING: Final = 1e-9
"""Differences up to this size between average dots are rounding errors."""

CACHED_SOLUTIONS: Final = 16
"""The number of current rounds in the cache, about 150 kB each; solving one takes 0.02 s."""

CACHED_LATER: Final = 64
"""The number of later rounds in the cache, a few kB each; solving one takes 0.1 s, two 0.4 s."""

Set = tuple[int, ...]
"""The cards with which a seat begins a round, in ascending order."""


@dataclass(frozen=True, slots=True)
class Advice:
    """The solution of one position for one side; cards are in ascending order."""

    worth: float
    """P(win) - P(loss) if both play their best."""

    mix: Floats
    """The probability with which to play each card."""

    payoffs: Floats
    """The worth after each pair of cards: (cards of mine, cards of theirs)."""


class Round:
    """All positions of one round. Arrays are (my holding, their holding, lead).

    The lead is my lead in dots, clipped to the range from -`reach` to `reach`; its index starts
    at 0 for -`reach`. With a reach of 0, leads are ignored.
    """

    def __init__(self, mine: Holdings, theirs: Holdings, reach: int) -> None:
        self.mine, self.theirs = mine, theirs
        self._shape = (len(mine.counts), len(theirs.counts), 2 * reach + 1)
        self._index_change = np.zeros((len(mine.faces), len(theirs.faces)), dtype=np.intp)
        """What each pair of cards adds to the flat index of a position, without the lead."""

        self._lead_change = np.zeros_like(self._index_change)
        """What each pair of cards adds to the lead, in dots."""

        steps = (self._shape[1] * self._shape[2], self._shape[2])
        for a, b in product(range(len(mine.faces)), range(len(theirs.faces))):
            winners, _ = trick_winners({Seat(0): mine.faces[a], Seat(1): theirs.faces[b]})
            for seat in winners:
                self._index_change[a, b] -= (1 << (a, b)[seat]) * steps[seat]
                self._lead_change[a, b] += (mine.dots[a], -theirs.dots[b])[seat]
        self.worth, self._gain = np.zeros(self._shape), np.zeros(self._shape)

    def solve(self, ends: tuple[Floats, Floats], unsettled: NDArray[np.bool_]) -> None:
        """Compute worth and gain of the unsettled positions; `ends` has those of all others.

        The gain of a position is its worth against an opponent who errs. `ends` is (worth, gain);
        positions in which a side holds one card are ends, too.
        """
        self.worth[:], self._gain[:] = ends
        unsettled = unsettled & (self.mine.counts > 1)[:, None, None]
        unsettled &= (self.theirs.counts > 1)[:, None]
        sizes = product(range(2, len(self.mine.faces) + 1), range(2, len(self.theirs.faces) + 1))
        for held, across in sorted(sizes, key=sum):  # a trick leaves fewer cards
            mine, theirs = self.mine.of(held), self.theirs.of(across)
            i, j, leads = np.nonzero(unsettled[np.ix_(mine, theirs)])  # never empty: leads of 0
            positions = mine[i], theirs[j], leads
            payoffs, gains = self.payoffs(*positions)
            equilibria = solve_many(payoffs, gains)
            self.worth[positions] = equilibria.values
            self._gain[positions] = (equilibria.rows * gains).sum(axis=1)

    def start_values(self) -> tuple[Floats, Floats]:
        """Worth and gain of the position with all cards in hand, by the lead."""
        return self.worth[-1, -1].copy(), self._gain[-1, -1].copy()

    def payoffs(self, mine: Whole, theirs: Whole, leads: Whole) -> tuple[Floats, Floats]:
        """The worth after each pair of cards, and the gain of each card of mine.

        In all of the given positions, each side must hold the same number of cards; `leads` are
        indexes. Returns (positions, mine, theirs) and (positions, mine).
        """
        a = self.mine.cards[mine, : self.mine.counts[mine[0]]]
        b = self.theirs.cards[theirs, : self.theirs.counts[theirs[0]]]
        pairs = a[:, :, None], b[:, None, :]
        now = np.ravel_multi_index((mine, theirs, np.zeros_like(leads)), self._shape)
        lead = (leads[:, None, None] + self._lead_change[pairs]).clip(0, self._shape[2] - 1)
        after = now[:, None, None] + self._index_change[pairs] + lead
        theirs_erring = _erring_mix(self._lead_change[pairs])
        gains = (self._gain.ravel()[after] * theirs_erring[:, None, :]).sum(axis=2)
        return self.worth.ravel()[after], gains


def _erring_mix(changes: Whole) -> Floats:
    """The mix of an opponent who errs: (positions, theirs).

    `changes` is what each pair of cards adds to my lead, in dots: (positions, mine, theirs).
    """
    losses = changes.mean(axis=1)
    greedy = losses <= losses.min(axis=1, keepdims=True) + _ROUNDING
    mix: Floats = (greedy / greedy.sum(axis=1, keepdims=True) + 1 / losses.shape[1]) / 2
    return mix


@dataclass(frozen=True, slots=True)
class LaterRounds:
    """The worth of all later rounds, by the lead before them, which is indexed as in `Round`.

    A side that leads by `reach` or more has won the match.
    """

    worth: Floats

    gain: Floats
    """The worth against an opponent who errs."""

    @property
    def reach(self) -> int:
        return len(self.worth) // 2

    def after(self, leads: Whole) -> tuple[Floats, Floats]:
        """Worth and gain after rounds that end with these leads, given in dots."""
        places = leads.clip(-self.reach, self.reach) + self.reach
        return self.worth[places], self.gain[places]


class Solution:
    """The current round, solved for one side, given everything that comes after it."""

    def __init__(self, mine: Holdings, theirs: Holdings, lead: int, later: LaterRounds) -> None:
        """Solve the round; `lead` is my lead in dots before it."""
        self._round = Round(mine, theirs, 0)
        leads = lead + mine.won[:, None, None] - theirs.won[:, None]
        self._round.solve(later.after(leads), np.ones(leads.shape, dtype=np.bool_))

    def advice(self, mine: Sequence[int], theirs: Sequence[int]) -> Advice:
        """The advice for the position in which the sides hold these faces."""
        holdings = self._round.mine.holding(mine), self._round.theirs.holding(theirs)
        payoffs, gains = self._round.payoffs(*(np.array([number]) for number in (*holdings, 0)))
        equilibrium = solve(payoffs[0], gains[0])
        return Advice(equilibrium.value, equilibrium.rows, payoffs[0])


def advice(view: View, seat: Seat) -> Advice:
    """The advice for a seat in the position of a view; exactly two seats must be playing."""
    sides = seat, opponent(view, seat)
    mine, theirs = (tuple(sorted(view.hands[side] + view.won[side])) for side in sides)
    value = DECKS[view.deck].dots
    before = [view.dots[side] - sum(value[face] for face in view.won[side]) for side in sides]
    rounds = view.rounds - view.round
    solution = _solution(view.deck, mine, theirs, before[0] - before[1], rounds)
    return solution.advice(*(view.hands[side] for side in sides))


def opponent(view: View, seat: Seat) -> Seat:
    """The opponent of a seat; exactly two seats must be playing."""
    (other,) = (each for each in playing(view) if each != seat)
    return other


@lru_cache(maxsize=CACHED_SOLUTIONS)
def _solution(deck: DeckName, mine: Set, theirs: Set, lead: int, rounds: int) -> Solution:
    """Solve the round that begins with these sets and this lead; `rounds` is how many follow it."""
    dots = DECKS[deck].dots
    later = later_rounds(deck, theirs, mine, rounds)  # the sets are swapped for them (R5)
    return Solution(Holdings(mine, dots), Holdings(theirs, dots), lead, later)


@lru_cache(maxsize=CACHED_LATER)
def later_rounds(deck: DeckName, mine: Set, theirs: Set, rounds: int) -> LaterRounds:
    """Solve `rounds` rounds, the first of which begins with these sets."""
    if not rounds:
        signs = np.array([-1.0, 0.0, 1.0])
        return LaterRounds(signs, signs)
    dots, later = DECKS[deck].dots, later_rounds(deck, theirs, mine, rounds - 1)
    ours, others = Holdings(mine, dots), Holdings(theirs, dots)
    reach = later.reach + int(max(ours.most[-1], others.most[-1]))
    leads = np.arange(-reach, reach + 1)
    unsettled = leads + ours.most[:, None, None] > -later.reach
    unsettled = unsettled & (leads - others.most[:, None] < later.reach)
    worth, gain = (np.broadcast_to(end, unsettled.shape) for end in later.after(leads))
    first = Round(ours, others, reach)
    first.solve((worth, gain), unsettled)
    return LaterRounds(*first.start_values())
