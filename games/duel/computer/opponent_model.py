"""A model of how people choose tiles: a few strategies, and which of them an opponent follows.

People can't choose at random. Some play the tile that beats most, some save it for later, some go
by size, some expect their opponent to be greedy. `OpponentModel` weights these strategies by how
well each has predicted the opponent's choices, in earlier matches and in this one. People change,
so older choices count less, and the model is trusted less as soon as it predicts badly. Besides the
strategies it has habits, which predict the choices that were seen most often.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Final

import numpy as np

from games.duel.computer.matchings import Position
from games.duel.rules import beats
from games.equilibrium import Floats, Whole

Strategy = Callable[[Position], Floats]
"""Returns the probability that the seat of a position plays each tile of `mine`."""


def uniform(position: Position) -> Floats:
    """Plays all tiles equally often, so that nobody can predict the choice."""
    count = len(position.mine)
    return np.full(count, 1.0 / count)


def greedy(position: Position) -> Floats:
    """Plays the tile that beats the most tiles of the opponent; ties are equally likely."""
    return _best(strengths(position))


def counter_greedy(position: Position) -> Floats:
    """Plays the best response to a greedy opponent; of several, the weakest tile."""
    return _best_response(position, greedy)


def strengths(position: Position) -> Floats:
    """The share of the opponent's tiles that each tile beats, from 0 to 1."""
    return np.array(
        [sum(beats(tile, other) for other in position.theirs) for tile in position.mine]
    ) / len(position.theirs)


def _sizes(position: Position) -> Floats:
    """The rank of each tile in the hand by its total, scaled from 0 to 1."""
    return np.linspace(0.0, 1.0, len(position.mine))


def _best(scores: Floats) -> Floats:
    chosen = (scores >= scores.max() - 1e-9).astype(np.float64)
    mix: Floats = chosen / chosen.sum()
    return mix


def _best_response(position: Position, expected: Strategy) -> Floats:
    theirs = expected(position.turned())
    wins = np.array([[beats(a, b) for b in position.theirs] for a in position.mine]) @ theirs
    return _best(wins - strengths(position) / 100)


def _softmax(measure: Callable[[Position], Floats], weight: float) -> Strategy:
    """Prefers tiles with a high measure, or a low one if `weight` is negative (softmax)."""

    def strategy(position: Position) -> Floats:
        weights = np.exp(weight * measure(position))
        mix: Floats = weights / weights.sum()
        return mix

    return strategy


def _mostly(strategy: Strategy) -> Strategy:
    """Follows a strategy, but plays any tile one time in eight."""
    return lambda position: (
        _FOLLOW_PROBABILITY * strategy(position) + (1 - _FOLLOW_PROBABILITY) * uniform(position)
    )


_FOLLOW_PROBABILITY: Final = 7 / 8

STRATEGIES: Final[tuple[tuple[float, Strategy], ...]] = (
    (0.30, uniform),
    (0.12, _mostly(greedy)),
    (0.08, _mostly(lambda position: _best(-strengths(position)))),
    (0.05, _mostly(lambda position: _best(_sizes(position)))),
    (0.05, _mostly(lambda position: _best(-_sizes(position)))),
    (0.08, _mostly(counter_greedy)),
    (0.04, _mostly(lambda position: _best_response(position, counter_greedy))),
    (0.08, _softmax(strengths, 2.5)),
    (0.08, _softmax(strengths, -2.5)),
    (0.06, _softmax(_sizes, 2.0)),
    (0.06, _softmax(_sizes, -2.0)),
)
"""The strategies, each with its prior probability. The priors are guesses, made before any matches
of people were known; an opponent's choices soon outweigh them."""

_UNIFORM_INDEX: Final = 0
"""The index of `uniform` in `STRATEGIES`."""

_CHANGE_PROBABILITY: Final = 0.02
"""The probability that an opponent changes strategy after a choice. The new one is then known by
its prior only (fixed share: Herbster and Warmuth, 1998)."""

_MAX_SURPRISE: Final = 2.0
"""The surprise at which the model isn't trusted at all. It is a log likelihood ratio: how much
worse the model predicted than uniform chance."""

_ORDERS: Final = (strengths, _sizes)
"""The orders of tiles by which habits go. A habit is to play, of a given number of tiles, always
the same in such an order: the second strongest, for example, or the smallest."""

_HABIT_SHARE: Final = 0.08
"""The prior probability of each kind of habit, on the scale of those in `STRATEGIES`."""

_HABIT_PRIOR_CHOICES: Final = 0.5
"""The number of earlier choices of each place in an order that a habit starts with."""


class OpponentModel:
    """Predicts the choices of one opponent. `learn` changes it, so each choice needs a new one."""

    def __init__(self) -> None:
        shares = [share for share, _ in STRATEGIES] + [_HABIT_SHARE] * len(_ORDERS)
        self._prior = np.array(shares) / sum(shares)
        self._weights = self._prior
        """The probability of each strategy, then of each habit, that the opponent follows it."""

        self._surprise = 0.0
        self._habits: dict[tuple[int, int], Floats] = {}
        """How often each place in an order was played, by (index in `_ORDERS`, tiles in hand)."""

    def learn(self, position: Position, tile: int) -> None:
        """Update the model by a tile that was played; the position is as its player saw it."""
        count, played = len(position.mine), position.mine.index(tile)
        if count > 1:  # the last tile tells nothing
            predicted = self._predictions(position)[:, played]
            met = self._weights * predicted
            log_ratio = float(np.log(met.sum() * count))
            self._surprise = max(0.0, self._surprise - log_ratio)
            self._weights = (1 - _CHANGE_PROBABILITY) * met / met.sum()
            self._weights += _CHANGE_PROBABILITY * self._prior
            for number, order in enumerate(_sorted_tiles(position)):
                habit = self._habits.get((number, count), np.zeros(count))
                self._habits[number, count] = habit + (order == played)

    def predict(self, position: Position) -> Floats:
        """The probability of each tile of the opponent; the position is as the opponent sees it."""
        mix: Floats = self._weights @ self._predictions(position)
        return mix

    def trust(self) -> float:
        """How far to trust the predictions, from 1 down to 0 if they have been bad recently.

        This is Page's change detection (1954): a choice that was predicted worse than by chance
        raises the surprise, one that was predicted better lowers it, but never below 0. So good
        predictions of long ago don't delay the detection of a change.
        """
        return max(0.0, 1.0 - self._surprise / _MAX_SURPRISE)

    def randomness(self) -> float:
        """The probability, from 0 to 1, that the opponent chooses at random."""
        return float(self._weights[_UNIFORM_INDEX])

    def _predictions(self, position: Position) -> Floats:
        """The probability of each tile by each strategy, then by each habit: (models, tiles)."""
        count = len(position.mine)
        predictions = np.empty((len(STRATEGIES) + len(_ORDERS), count))
        predictions[: len(STRATEGIES)] = _strategy_predictions(position)
        for number, order in enumerate(_sorted_tiles(position)):
            habit = self._habits.get((number, count), np.zeros(count)) + _HABIT_PRIOR_CHOICES
            predictions[len(STRATEGIES) + number, order] = habit / habit.sum()
        return predictions


@lru_cache(maxsize=4096)
def _strategy_predictions(position: Position) -> Floats:
    return np.array([strategy(position) for _, strategy in STRATEGIES])


@lru_cache(maxsize=4096)
def _sorted_tiles(position: Position) -> tuple[Whole, ...]:
    """The indexes of the tiles of a hand, in each of `_ORDERS`."""
    return tuple(np.argsort(measure(position), kind="stable") for measure in _ORDERS)
