"""The computer player of Pico: by the exact solution for two, by an estimate for three."""

from collections.abc import Sequence
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from games.chance import Chance
from games.computer import Assessment, Computer, Lesson, Level, Mixing
from games.core import Seat
from games.equilibrium import (
    Floats,
    draw,
    is_in_optimal_mix,
    kindest_columns,
    max_probability,
    needs_mixing,
    solve,
)
from games.pico.computer.heuristics import chances, dots_ahead, playing
from games.pico.computer.solution import advice, opponent
from games.pico.computer.tricks import next_trick
from games.pico.rules import Card, Options, View

BEGINNER: Final = Level(
    "beginner",
    0,
    "Plays one of its two highest cards (two lowest with three players), no matter what you play.",
)
EASY: Final = Level("easy", 0, "Plays any of its cards, all equally often.")
STEADY: Final = Level(
    "steady",
    0,
    "Looks at one trick: it plays the card that puts it furthest ahead in dots, on average against "
    "yours.",
)
STRONG: Final = Level(
    "strong",
    32,
    "Weighs round and score, expects you to be a bit greedy, and mixes its cards to "
    "be hard to predict.",
)
PERFECT: Final = Level(
    "perfect",
    0,
    "Knows the exact solution of the whole match: in the long run nobody can beat it.",
)
_GREED_PROBABILITY: Final = 0.25
"""The probability with which `strong` expects an opponent to be greedy. With a higher one it wins
more from opponents who are, but is easier to predict."""

_EXACT_TOLERANCE: Final = 1e-9
"""The most that a choice may give up and still count as the best, by the exact solution."""

_MIXING_TOLERANCE: Final = 0.02
"""A card that gives up no more than this to an opponent who predicts it needs no mixing."""

_GUESS_TOLERANCE: Final = 0.05
"""The most that a choice may give up and still count as the best, where its worth is estimated."""


class PicoComputer(Computer[View, Card, Options]):
    """With three seats, `budget` is the iterations of regret matching in each position."""

    levels: ClassVar[Sequence[Level]] = (BEGINNER, EASY, STEADY, STRONG, PERFECT)

    def levels_for(self, options: Options, seats: int) -> tuple[Level, ...]:
        del options
        return tuple(self.levels) if seats == 2 else (BEGINNER, EASY, STEADY, STRONG)

    def choose(
        self,
        view: View,
        seat: Seat,
        level: Level,
        chance: Chance,
        lessons: Sequence[Lesson[View, Card]] = (),
    ) -> Card:
        del lessons  # no level reads people
        return Card(view.hands[seat][draw(self.mix(view, seat, level), chance)])

    def mix(self, view: View, seat: Seat, level: Level) -> Floats:
        """The probability with which a level plays each card of its hand, in ascending order."""
        match level.key:
            case "beginner":
                return _careless(view, seat)
            case "easy":
                return _uniform(np.ones(len(view.hands[seat]), dtype=np.bool_))
            case "steady":
                return _greedy(view, seat)
            case "strong":
                return _estimated(view, seat, level.budget)
            case "perfect":
                return _exact(view, seat)
            case _:
                raise ValueError(f"The computer has no level {level.key!r} in Pico.")

    def assess(self, view: View, seat: Seat, move: Card, chance: Chance) -> Assessment[Card] | None:
        """By the exact solution against one opponent, by the estimate of `strong` against two."""
        del chance
        cards = view.hands[seat]
        number = cards.index(move.face)
        if len(playing(view)) == 2:
            return _judge(view, seat, number)
        worths = 2 * next_trick(view, STRONG.budget).worths[seat] - 1
        cost = float(worths.max() - worths[number])
        if cost <= _GUESS_TOLERANCE:
            return Assessment(better=None, cost=0.0)
        return Assessment(better=Card(cards[int(worths.argmax())]), cost=cost)

    def mixing(self, view: View, seat: Seat, move: Card) -> Mixing | None:
        if len(playing(view)) > 2:
            return None
        known, obvious = advice(view, seat), _greedy(view, seat) > 0
        if not needs_mixing(known.payoffs, known.worth, _MIXING_TOLERANCE):
            return None
        was_obvious = bool(obvious[view.hands[seat].index(move.face)])
        return Mixing(max_probability(known.payoffs, obvious), was_obvious)

    def basis(self, seats: int) -> str:
        if seats > 2:
            return (
                "With three playing, this is what the strong computer thinks from what you saw; it "
                "may be wrong. Once only two are left, it's from the exact solution."
            )
        return "Compared with best play against the best opponent, from the exact solution."

    def luck(self, view: View, seat: Seat) -> float | None:
        return advice(view, seat).worth if len(view.hands) == 2 else None


def _judge(view: View, seat: Seat, number: int) -> Assessment[Card] | None:
    """The least that the card with this index gave up; None if that may have been nothing.

    Often the opponent has several optimal mixes and it isn't known which one they play, so the card
    is judged by the one against which it does best.
    """
    known, cards = advice(view, seat), view.hands[seat]
    if known.worth > 1 - _EXACT_TOLERANCE:
        return _judge_in_won_match(view, seat, number)
    worths = known.payoffs @ kindest_columns(known.payoffs, number)
    cost = float(worths.max() - worths[number])
    if cost <= _EXACT_TOLERANCE:
        is_best = is_in_optimal_mix(known.payoffs, number)
        return Assessment(better=None, cost=0.0) if is_best else None
    # Other cards may do as well against this mix, but worse against another optimal one.
    return Assessment(better=Card(cards[int(known.mix.argmax())]), cost=cost)


def _judge_in_won_match(view: View, seat: Seat, number: int) -> Assessment[Card] | None:
    """Judge a card in a won match: only one that surely wins gives up nothing; None if in doubt.

    For an opponent who loses against best play, all mixes are equally good. They are assumed to
    play the mix that gets the most from a player who errs, so the cost is an estimate.
    """
    payoffs, theirs = advice(view, seat).payoffs, advice(view, opponent(view, seat)).mix
    certain = payoffs.min(axis=1) > 1 - _EXACT_TOLERANCE
    if certain[number]:
        return Assessment(better=None, cost=0.0)
    cost = 1 - float(payoffs[number] @ theirs)
    if cost <= _GUESS_TOLERANCE:
        return None
    return Assessment(better=Card(view.hands[seat][int(certain.argmax())]), cost=cost)


def _uniform(which: NDArray[np.bool_]) -> Floats:
    """Plays the cards in `which` equally often, and no others."""
    chosen = np.asarray(which, dtype=np.float64)
    mix: Floats = chosen / chosen.sum()
    return mix


def _careless(view: View, seat: Seat) -> Floats:
    """Plays one of the two highest cards; with three seats, one of the two lowest.

    With three seats high cards are seldom too high, so playing them wouldn't be careless.
    """
    number = len(view.hands[seat])
    places = np.arange(number)
    return _uniform(places < 2 if len(playing(view)) == 3 else places >= number - 2)


def _greedy(view: View, seat: Seat) -> Floats:
    ahead = dots_ahead(view, seat)
    return _uniform(ahead >= ahead.max() - _EXACT_TOLERANCE)


def _estimated(view: View, seat: Seat, turns: int) -> Floats:
    if len(playing(view)) == 3:
        return next_trick(view, turns).mixes[seat]
    if advice(view, seat).worth > 1 - _EXACT_TOLERANCE:
        return _exact(view, seat)  # an estimate might give a certain win away
    expected = _expecting_greed(view, chances(view))
    return solve(expected[0]).rows if playing(view)[0] == seat else solve(expected[1].T).rows


def _expecting_greed(view: View, guesses: Floats) -> Floats:
    """The estimates if each opponent sometimes plays the card that gets it furthest ahead now."""
    expected = guesses.copy()
    for other, seat in enumerate(playing(view)):
        greedy = _greedy(view, seat)
        for place, guess in enumerate(expected):
            if place != other:
                met = np.expand_dims(np.tensordot(guess, greedy, axes=(other, 0)), other)
                expected[place] = (1 - _GREED_PROBABILITY) * guess + _GREED_PROBABILITY * met
    return expected


def _exact(view: View, seat: Seat) -> Floats:
    known = advice(view, seat)
    if np.ptp(known.payoffs) <= _EXACT_TOLERANCE:  # already won or lost, so play for dots
        return _greedy(view, seat)
    return known.mix
