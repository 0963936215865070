"""How the computer plays Pico: by the solution where two play, by a guess where three do."""

from collections.abc import Sequence
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from games.chance import Chance
from games.computer import Assessment, Computer, Lesson, Level, Mixing
from games.core import Seat
from games.equilibrium import Floats, draw, most_often, needs_mixing, solve
from games.pico.computer.heuristics import chances, dots_ahead, playing
from games.pico.computer.solution import advice, opponent
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
"""What a choice may seem to give up, and still be no worse, where its worth is but a guess."""


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
        """Against best play of one opponent; against two by the guess of `strong`."""
        del chance
        cards = view.hands[seat]
        number = cards.index(move.face)
        if len(playing(view)) == 2:
            return _judged(view, seat, number)
        worths = 2 * next_trick(view, STRONG.budget).worths[seat] - 1
        return _assessment(cards, worths, number, _GUESS_TOLERANCE)

    def mixing(self, view: View, seat: Seat, move: Card) -> Mixing | None:
        if len(playing(view)) > 2:
            return None
        known, obvious = advice(view, seat), _greedy(view, seat) > 0
        if not needs_mixing(known.payoffs, known.worth, _MIXING_TOLERANCE):
            return None
        was_obvious = bool(obvious[view.hands[seat].index(move.face)])
        return Mixing(most_often(known.payoffs, obvious), was_obvious)

    def basis(self, seats: int) -> str:
        if seats > 2:
            return (
                "With three playing, this is what the strong computer thinks from what you saw; it "
                "may be wrong. Once only two are left, it's from the exact solution."
            )
        return "Compared with best play against the best opponent, from the exact solution."

    def luck(self, view: View, seat: Seat) -> float | None:
        return advice(view, seat).worth if len(view.hands) == 2 else None


def _judged(view: View, seat: Seat, number: int) -> Assessment[Card] | None:
    """What the card of this number gave up at least; None where it may have been nothing.

    Often the opponent has several best mixes, and it is not known which of them they play: the card
    is judged by the one that is kindest to it.
    """
    known, cards = advice(view, seat), view.hands[seat]
    if known.worth > 1 - _EXACT_TOLERANCE:
        return _judged_in_a_won_match(view, seat, number)
    kindest = solve(-known.payoffs.T, known.payoffs[number]).rows
    assessment = _assessment(cards, known.payoffs @ kindest, number, _EXACT_TOLERANCE)
    if assessment.better is None and not _is_of_a_best_mix(known.payoffs, number):
        return None
    return assessment


def _judged_in_a_won_match(view: View, seat: Seat, number: int) -> Assessment[Card] | None:
    """Only a card that wins for certain gives up nothing; None where others may have been as good.

    All mixes are as good for an opponent who has lost at best play, so they are taken to play what
    gets most from one who errs. That is a guess.
    """
    payoffs, theirs = advice(view, seat).payoffs, advice(view, opponent(view, seat)).mix
    certain = payoffs.min(axis=1) > 1 - _EXACT_TOLERANCE
    if certain[number]:
        return Assessment(better=None, cost=0.0)
    cost = 1 - float(payoffs[number] @ theirs)
    if cost <= _GUESS_TOLERANCE:
        return None
    return Assessment(better=Card(view.hands[seat][int(certain.argmax())]), cost=cost)


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
    if advice(view, seat).worth > 1 - _EXACT_TOLERANCE:
        return _exact(view, seat)  # a certain win is not left to a guess
    expected = _expecting_greed(view, chances(view))
    return solve(expected[0]).rows if playing(view)[0] == seat else solve(expected[1].T).rows


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
