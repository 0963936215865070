"""How people choose tiles: a few strategies, and which of them an opponent seems to follow.

People do not draw lots in their heads. Some play the tile that beats most, some keep it for later,
some go by size, some expect the other to be greedy. `OpponentModel` weighs these strategies by how
well each has foretold what was played, in earlier matches and in this one. People change: so what
is long ago counts less, and as soon as choices come that were not foretold, it is trusted less.
Beside the strategies it knows habits, of which it foretells what it has seen most.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Final

import numpy as np

from games.duel.computer.matchings import Position
from games.duel.rules import beats
from games.equilibrium import Floats, Whole

Strategy = Callable[[Position], Floats]
"""How likely each tile of `mine` is to be played."""


def evenly(position: Position) -> Floats:
    """Any tile as likely as any other: what nobody can foresee."""
    count = len(position.mine)
    return np.full(count, 1.0 / count)


def greedy(position: Position) -> Floats:
    """The tile that beats most of the tiles against it; of several each as likely."""
    return _best(strengths(position))


def wary(position: Position) -> Floats:
    """What beats most of what a greedy player would play, and of that the weakest tile."""
    return _best_response(position, greedy)


def strengths(position: Position) -> Floats:
    """The share of the tiles against it that each tile beats."""
    return np.array(
        [sum(beats(tile, other) for other in position.theirs) for tile in position.mine]
    ) / len(position.theirs)


def _sizes(position: Position) -> Floats:
    """Where in the hand each tile stands by its total, from 0 to 1."""
    return np.linspace(0.0, 1.0, len(position.mine))


def _best(scores: Floats) -> Floats:
    chosen = (scores >= scores.max() - 1e-9).astype(np.float64)
    mix: Floats = chosen / chosen.sum()
    return mix


def _best_response(position: Position, expected: Strategy) -> Floats:
    theirs = expected(position.turned())
    wins = np.array([[beats(a, b) for b in position.theirs] for a in position.mine]) @ theirs
    return _best(wins - strengths(position) / 100)


def _leaning(measure: Callable[[Position], Floats], weight: float) -> Strategy:
    """Rather, but not always, what measures more; less for a weight below 0."""

    def strategy(position: Position) -> Floats:
        likely = np.exp(weight * measure(position))
        mix: Floats = likely / likely.sum()
        return mix

    return strategy


def _now_and_then(strategy: Strategy) -> Strategy:
    """What a seat does that follows a strategy but strays from it one time in eight."""
    return lambda position: (
        _FOLLOW_PROBABILITY * strategy(position) + (1 - _FOLLOW_PROBABILITY) * evenly(position)
    )


_FOLLOW_PROBABILITY: Final = 7 / 8

STRATEGIES: Final[tuple[tuple[float, Strategy], ...]] = (
    (0.30, evenly),
    (0.12, _now_and_then(greedy)),
    (0.08, _now_and_then(lambda position: _best(-strengths(position)))),
    (0.05, _now_and_then(lambda position: _best(_sizes(position)))),
    (0.05, _now_and_then(lambda position: _best(-_sizes(position)))),
    (0.08, _now_and_then(wary)),
    (0.04, _now_and_then(lambda position: _best_response(position, wary))),
    (0.08, _leaning(strengths, 2.5)),
    (0.08, _leaning(strengths, -2.5)),
    (0.06, _leaning(_sizes, 2.0)),
    (0.06, _leaning(_sizes, -2.0)),
)
"""The strategies, with how common each is taken to be before anybody has played: a guess, as no
match of people had been seen when it was written. What an opponent does soon counts for more."""

_EVENLY: Final = 0
"""Where the strategy that nobody can foresee stands."""

_CHANGE_PROBABILITY: Final = 0.02
"""How likely an opponent is to turn to something else after a choice; then all that is known of
them is how common each strategy is (fixed share: Herbster and Warmuth, 1998)."""

_MOST_SURPRISE: Final = 2.0
"""The surprise (as the log of how much worse than by chance) at which nothing is relied on."""

_ORDERS: Final = (strengths, _sizes)
"""By what a habit may go: of so many tiles it is always the second strongest, or the smallest."""

_HABIT_SHARE: Final = 0.08
"""How common habits are, like the shares of the strategies."""

_HABIT_PRIOR_CHOICES: Final = 0.5
"""The choices of each place that a habit is taken to have seen before any."""


class OpponentModel:
    """What one opponent is expected to do. `learn` changes it, so it lives for one choice only."""

    def __init__(self) -> None:
        shares = [share for share, _ in STRATEGIES] + [_HABIT_SHARE] * len(_ORDERS)
        self._prior = np.array(shares) / sum(shares)
        self._weights = self._prior
        """How likely each strategy and habit is to be followed now."""

        self._surprise = 0.0
        self._habits: dict[tuple[int, int], Floats] = {}
        """How often each place in an order was played, by the order and the number of tiles."""

    def learn(self, position: Position, tile: int) -> None:
        """Take note of a tile that was played, the position as its owner saw it."""
        count, played = len(position.mine), position.mine.index(tile)
        if count > 1:  # the last tile tells nothing
            foretold = self._foretold(position)[:, played]
            met = self._weights * foretold
            told = float(np.log(met.sum() * count))
            self._surprise = max(0.0, self._surprise - told)
            self._weights = (1 - _CHANGE_PROBABILITY) * met / met.sum()
            self._weights += _CHANGE_PROBABILITY * self._prior
            for number, order in enumerate(_placed(position)):
                habit = self._habits.get((number, count), np.zeros(count))
                self._habits[number, count] = habit + (order == played)

    def foresee(self, position: Position) -> Floats:
        """How likely each tile of the opponent is, the position as the opponent sees it."""
        mix: Floats = self._weights @ self._foretold(position)
        return mix

    def trust(self) -> float:
        """How far to rely on what is foreseen: 1, and less the worse choices were foretold of late.

        This is Page's test of a change (1954): a choice that was foretold worse than by chance adds
        to the surprise, one that was foretold better takes from it, and it is never below 0. So
        what was foretold well long ago puts no change off.
        """
        return max(0.0, 1.0 - self._surprise / _MOST_SURPRISE)

    def doubt(self) -> float:
        """How likely it is, after all that was learned, that nothing can be foreseen: 0 to 1."""
        return float(self._weights[_EVENLY])

    def _foretold(self, position: Position) -> Floats:
        """What each strategy foretells, then each habit."""
        count = len(position.mine)
        told = np.empty((len(STRATEGIES) + len(_ORDERS), count))
        told[: len(STRATEGIES)] = _told(position)
        for number, order in enumerate(_placed(position)):
            habit = self._habits.get((number, count), np.zeros(count)) + _HABIT_PRIOR_CHOICES
            told[len(STRATEGIES) + number, order] = habit / habit.sum()
        return told


@lru_cache(maxsize=4096)
def _told(position: Position) -> Floats:
    return np.array([strategy(position) for _, strategy in STRATEGIES])


@lru_cache(maxsize=4096)
def _placed(position: Position) -> tuple[Whole, ...]:
    """The tiles of a hand in each order, by where they stand in the hand."""
    return tuple(np.argsort(measure(position), kind="stable") for measure in _ORDERS)
