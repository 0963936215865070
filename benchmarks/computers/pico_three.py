"""How well `strong` plays three-player Pico: the wins of one player against two others.

Each deal is played three times, with the one player in each seat, as one sample. To reduce luck,
the one player's average wins in a round are computed from the mixes of all, over every course that
the round can take, with an estimate of what later rounds are worth to them. Then one course is
drawn, and the next round is computed from its end, which corrects the error of the estimate. So the
mean is that of whole matches, and only the errors of the estimates depend on luck.

The knower plays the best response to the true mixes of both others in every position of a round.
Only the value of the end of a round, except for the last one, is estimated, as `strong` does.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Final

import numpy as np

from benchmarks.computers.cores import spread
from benchmarks.computers.pairs import sample
from games.chance import Chance
from games.core import Seat
from games.equilibrium import Floats, draw
from games.pico import DECKS, PICO, Card, Options, State
from games.pico.computer.matching import Float32s, expected_payoffs, normalized
from games.pico.computer.player import STRONG
from games.pico.computer.three import Mixes, RoundOfThree, payoffs
from games.pico.computer.tricks import GREED, ends_of_round
from games.pico.decks import DeckName

Kind = Callable[[RoundOfThree, Floats], Mixes]
"""The mixes of a kind of player in each seat of a round, given the estimated values of its ends."""

NEVER: Final = Chance("nothing is drawn after the deal", 0)


def strong(whole: RoundOfThree, ends: Floats) -> Mixes:
    return whole.solve(ends, STRONG.budget, GREED).mixes


def steady(whole: RoundOfThree, ends: Floats) -> Mixes:
    del ends
    return [whole.greedy(size) for size in whole.sizes]


def easy(whole: RoundOfThree, ends: Floats) -> Mixes:
    del ends
    return [
        [normalized(np.zeros(cards.shape, dtype=np.float32)) for cards in size.cards]
        for size in whole.sizes
    ]


KNOWER: Final = "knower"
KINDS: Mapping[str, Kind] = {KNOWER: easy, "strong": strong, "steady": steady, "easy": easy}


@dataclass(frozen=True)
class Contest:
    """One player of one kind against two of another."""

    one: str
    others: str

    def play(self, deck: DeckName, deal: str) -> tuple[float, float]:
        """The average wins of the one player over all seats, and the chance of a three-way tie."""
        wins, ties = np.mean([self._match(deck, deal, seat) for seat in range(3)], axis=0)
        return float(wins), float(ties)

    def _match(self, deck: DeckName, deal: str, seat: int) -> tuple[float, float]:
        """The average wins of the one player in this seat, and the chance of a three-way tie."""
        state = PICO.setup(Options(deck=deck), 3, Chance(deal, 0))
        mind = Chance(f"{deal}, {self.one} in seat {seat} among {self.others}", 1)
        wins = guessed = ties = 0.0
        while PICO.awaiting(state):
            kinds = [self.one if other == seat else self.others for other in range(3)]
            played = PlayedRound(state, kinds, seat)
            wins += played.worth - guessed
            ties = played.ties()
            state, guessed = played.draw(mind)
        return wins, ties


CONTESTS: Final = (
    Contest(KNOWER, "strong"),
    Contest("strong", "steady"),
    Contest("strong", "easy"),
    Contest("strong", "strong"),
)


class PlayedRound:
    """A round, with the mixes of all seats in all of its positions."""

    def __init__(self, state: State, kinds: Sequence[str], seat: int) -> None:
        self._state, self._dots = state, np.array(PICO.observe(state, None).dots)
        self._round, ends = _round_and_ends(state)
        self._ends = ends[seat]
        # Those of a knower are replaced below by the best response to the others.
        planned = [_mixes_of_kind(state, kind) for kind in kinds]
        self._mixes = [
            [mixes[other] for other, mixes in enumerate(by_kind)]
            for by_kind in zip(*planned, strict=True)
        ]
        worth = self._ends.astype(np.float32)
        for size, mixes in zip(self._round.sizes, self._mixes, strict=True):
            cards = expected_payoffs(payoffs(worth, self._round.after(size), seat), mixes, seat)
            if kinds[seat] == KNOWER:
                mixes[seat] = _best_cards(cards)
            worth[size.numbers] = (cards * mixes[seat]).sum(axis=0)
        self.worth = float(worth[-1])
        """The seat's average wins, given the estimated values of the ends of the round."""

    def ties(self) -> float:
        """The probability that all totals are equal at the end of the round."""
        won, likely = self._round.ends(self._mixes)
        totals = won + self._dots
        return float(likely[np.ptp(totals, axis=1) == 0].sum())

    def draw(self, mind: Chance) -> tuple[State, float]:
        """The state after a random course of the round, and the estimated value of that end."""
        state, position = self._state, len(self._ends) - 1
        for size, mixes in zip(reversed(self._round.sizes), reversed(self._mixes), strict=True):
            (there,) = np.nonzero(size.numbers == position)
            if len(there):
                drawn = [draw(mix[:, there[0]].astype(np.float64), mind) for mix in mixes]
                position = int(self._round.after(size)[(*drawn, there[0])])
                faces = [state.hands[i][card] for i, card in enumerate(drawn)]
                state = PICO.play(
                    state, {Seat(i): Card(face) for i, face in enumerate(faces)}, NEVER
                )
        return state, float(self._ends[position])


@lru_cache(maxsize=4)
def _round_and_ends(state: State) -> tuple[RoundOfThree, Floats]:
    """The round that begins in a state, and the estimated values of its ends to each seat."""
    view = PICO.observe(state, None)
    whole = RoundOfThree(view.hands, DECKS[view.deck].dots)
    return whole, ends_of_round(view, whole)


@lru_cache(maxsize=8)
def _mixes_of_kind(state: State, kind: str) -> Mixes:
    return KINDS[kind](*_round_and_ends(state))


def _best_cards(worths: Float32s) -> Float32s:
    """The mix that plays the best card in each position, a column each."""
    best = np.zeros_like(worths)
    best[worths.argmax(axis=0), np.arange(worths.shape[1])] = 1.0
    return best


def among_three(
    deck: DeckName, deals: Sequence[str], contests: Sequence[Contest] = CONTESTS
) -> None:
    print(f"Wins (shared ones count in part) of one against two, {deck}, {len(deals)} deals:")
    played = spread(partial(_play_deal, deck, contests), deals)
    for contest, of_contest in zip(contests, zip(*played, strict=True), strict=True):
        wins, ties = map(sample, zip(*of_contest, strict=True))
        target = "target: at most +0.40" if contest.one == KNOWER else "even: +0.333"
        print(
            f"  {contest.one:6} against {contest.others:6} {wins} ({target}), "
            f"three-way ties {ties}",
            flush=True,
        )


def _play_deal(deck: DeckName, contests: Sequence[Contest], deal: str) -> list[tuple[float, float]]:
    """All contests on one deal, so that their first round is solved only once."""
    return [contest.play(deck, deal) for contest in contests]
