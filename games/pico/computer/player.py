"""How the computer plays Pico: by the solution with two seats, by a guess with three."""

from collections.abc import Sequence
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from games.chance import Chance
from games.computer import Assessment, Computer, Lesson, Level, Mixing
from games.core import Seat
from games.equilibrium import Floats, draw, needs_mixing, solve
from games.pico.computer.heuristics import chances, dots_ahead, playing
from games.pico.computer.solution import advice
from games.pico.computer.tricks import next_trick
from games.pico.rules import Card, Options, View

BEGINNER: Final = Level(
    "beginner",
    0,
    "Plays one of its two highest cards, with three players its two lowest, whatever they meet.",
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
"""How often `strong` expects an opponent to be greedy. It wins more from those who are, the more it
expects it, but can be foreseen the better."""

_EXACT_TOLERANCE: Final = 1e-9
"""What a choice may give up and still be called the best: the solution is as exact as that."""

_MIXING_TOLERANCE: Final = 0.02
"""A card that gives up no more than this to an opponent who foresees it need not be hidden."""

_GUESS_TOLERANCE: Final = 0.05
"""The same where the worth of a card is but a guess."""


class PicoComputer(Computer[View, Card, Options]):
    """`budget` is the turns of regret matching in each position of a round with three seats."""

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
        del lessons  # what people did is no help against the best play, and it needs none
        return Card(view.hands[seat][draw(self.mix(view, seat, level), chance)])

    def mix(self, view: View, seat: Seat, level: Level) -> Floats:
        """How often a level plays each of its cards, in ascending order."""
        match level.key:
            case "beginner":
                return _careless(view, seat)
            case "easy":
                return _alike(np.ones(len(view.hands[seat]), dtype=np.bool_))
            case "steady":
                return _greedy(view, seat)
            case "strong":
                return _guessing(view, seat, level.budget)
            case "perfect":
                return _exact(view, seat)
            case _:
                raise ValueError(f"The computer has no level {level.key!r} in Pico.")

    def assess(self, view: View, seat: Seat, move: Card, chance: Chance) -> Assessment[Card] | None:
        """Against best play of the opponent; with three seats by the guess of `strong`."""
        del chance
        cards = view.hands[seat]
        number = cards.index(move.face)
        if len(view.hands) == 2:
            return _judged(view, seat, number)
        worths = _guessed(view, seat)
        return _assessment(cards, worths, number, _GUESS_TOLERANCE)

    def mixing(self, view: View, seat: Seat, move: Card) -> Mixing | None:
        if len(view.hands) > 2:
            return None
        known, obvious = advice(view, seat), _greedy(view, seat) > 0
        if not needs_mixing(known.payoffs, known.worth, _MIXING_TOLERANCE):
            return None
        was_obvious = bool(obvious[view.hands[seat].index(move.face)])
        return Mixing(float(known.mix[obvious].sum()), was_obvious)

    def basis(self, seats: int) -> str:
        if seats > 2:
            return super().basis(seats)
        return "Compared with best play against the best opponent, from the exact solution."

    def luck(self, view: View, seat: Seat) -> float | None:
        return advice(view, seat).worth if len(view.hands) == 2 else None


def _judged(view: View, seat: Seat, number: int) -> Assessment[Card] | None:
    """What the card of this number gave up at least; None where it may have been nothing.

    Often the opponent has several best mixes, and it is not known which of them they play: the card
    is judged by the one that is kindest to it. Only who has lost anyway, so that all mixes are as
    good for them, is taken to play what gets most from one who errs.
    """
    known, cards = advice(view, seat), view.hands[seat]
    if known.worth > 1 - _EXACT_TOLERANCE:
        theirs = advice(view, Seat(1 - seat)).mix
        return _assessment(cards, known.payoffs @ theirs, number, _EXACT_TOLERANCE)
    kindest = solve(-known.payoffs.T, known.payoffs[number]).rows
    assessment = _assessment(cards, known.payoffs @ kindest, number, _EXACT_TOLERANCE)
    if assessment.better is None and not _is_of_a_best_mix(known.payoffs, number):
        return None
    return assessment


def _assessment(
    cards: Sequence[int], worths: Floats, number: int, slight: float
) -> Assessment[Card]:
    cost = float(worths.max() - worths[number])
    if cost <= slight:
        return Assessment(better=None, cost=0.0)
    return Assessment(better=Card(cards[int(worths.argmax())]), cost=cost)


def _is_of_a_best_mix(payoffs: Floats, number: int) -> bool:
    mix = solve(payoffs, np.arange(len(payoffs)) == number).rows
    return bool(mix[number] > _EXACT_TOLERANCE)


def _alike(which: NDArray[np.bool_]) -> Floats:
    """Each of these cards as often as the others, all else never."""
    chosen = np.asarray(which, dtype=np.float64)
    mix: Floats = chosen / chosen.sum()
    return mix


def _careless(view: View, seat: Seat) -> Floats:
    """The two highest cards; the two lowest of three seats, where high ones seldom are too high."""
    number = len(view.hands[seat])
    places = np.arange(number)
    return _alike(places < 2 if len(playing(view)) == 3 else places >= number - 2)


def _greedy(view: View, seat: Seat) -> Floats:
    ahead = dots_ahead(view, seat)
    return _alike(ahead >= ahead.max() - _EXACT_TOLERANCE)


def _guessing(view: View, seat: Seat, turns: int) -> Floats:
    if len(playing(view)) == 3:
        return next_trick(view, turns).mixes[seat]
    return _mixes(view, chances(view))[playing(view).index(seat)]


def _mixes(view: View, guesses: Floats) -> tuple[Floats, Floats]:
    """The mixes of two seats that guess alike."""
    expected = _expecting_greed(view, guesses)
    return solve(expected[0]).rows, solve(expected[1].T).rows


def _expecting_greed(view: View, guesses: Floats) -> Floats:
    """What is guessed if each opponent now and then plays what gets furthest ahead."""
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
    if np.ptp(known.payoffs) <= _EXACT_TOLERANCE:  # already won or lost: then at least for the dots
        return _greedy(view, seat)
    return known.mix


def _guessed(view: View, seat: Seat) -> Floats:
    """What the strong level takes each card to be worth, in P(win) - P(loss)."""
    if len(playing(view)) == 3:
        return 2 * next_trick(view, STRONG.budget).worths[seat] - 1
    guesses, place = chances(view), playing(view).index(seat)
    theirs = _mixes(view, guesses)[1 - place]
    return np.tensordot(guesses[place], theirs, axes=(1 - place, 0))
