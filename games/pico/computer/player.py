"""How the computer plays Pico: by the solution with two seats, by a guess with three."""

from collections.abc import Sequence
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from games.chance import Chance
from games.computer import Computer, Lesson, Level, Remark
from games.core import Seat
from games.equilibrium import Floats, draw, regret_matching, solve
from games.pico.computer.heuristics import chances, dots_ahead, playing
from games.pico.computer.solution import advice
from games.pico.rules import Card, Options, View

BEGINNER: Final = Level(
    "beginner",
    0,
    "Likes its big cards and plays one of its two highest: it forgets that a card more than twice "
    "as large loses.",
)
EASY: Final = Level("easy", 0, "Plays any of its cards, all equally often.")
STEADY: Final = Level(
    "steady",
    0,
    "Looks at one trick: it plays the card that wins the most dots on average against yours.",
)
STRONG: Final = Level(
    "strong",
    2,
    "Weighs the round and the score, expects you to be a bit greedy, and mixes its cards so you "
    "can't predict them.",
)
PERFECT: Final = Level(
    "perfect",
    0,
    "Knows the exact solution of the whole match: in the long run nobody can beat it.",
)
_GREED_PROBABILITY: Final = 0.25
"""How often `strong` expects an opponent to be greedy. It wins more from those who are, the more it
expects it, but can be foreseen the better."""

_REGRET_ROUNDS: Final = 100
"""Rounds of regret matching about the trick that is to be played."""

_EXACT_TOLERANCE: Final = 1e-9
"""What a choice may give up and still be called the best: the solution is as exact as that."""

_GUESS_TOLERANCE: Final = 0.02
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
                return _alike(np.arange(len(view.hands[seat])) >= len(view.hands[seat]) - 2)
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

    def assess(self, view: View, seat: Seat, move: Card, chance: Chance) -> Remark[Card] | None:
        """Against the best mix of the opponent; with three seats by the guess of `strong`."""
        del chance
        cards = view.hands[seat]
        if len(view.hands) == 2:
            known, theirs = advice(view, seat), advice(view, Seat(1 - seat))
            worths, slight = known.payoffs @ theirs.mix, _EXACT_TOLERANCE
        else:
            worths, slight = _guessed(view, seat), _GUESS_TOLERANCE
        cost = float(worths.max() - worths[cards.index(move.face)])
        if cost <= slight:
            return Remark(better=None, cost=0.0)
        return Remark(better=Card(cards[int(worths.argmax())]), cost=cost)

    def basis(self, seats: int) -> str:
        if seats > 2:
            return super().basis(seats)
        return "Compared with best play against the best opponent, from the exact solution."

    def luck(self, view: View, seat: Seat) -> float | None:
        return advice(view, seat).worth if len(view.hands) == 2 else None


def _alike(which: NDArray[np.bool_]) -> Floats:
    """Each of these cards as often as the others, all else never."""
    chosen = np.asarray(which, dtype=np.float64)
    mix: Floats = chosen / chosen.sum()
    return mix


def _greedy(view: View, seat: Seat) -> Floats:
    ahead = dots_ahead(view, seat)
    return _alike(ahead >= ahead.max() - _EXACT_TOLERANCE)


def _guessing(view: View, seat: Seat, turns: int) -> Floats:
    return _mixes(view, chances(view, turns))[playing(view).index(seat)]


def _mixes(view: View, guesses: Floats) -> tuple[Floats, ...]:
    """The mixes of all seats that guess alike."""
    expected = _expecting_greed(view, guesses)
    if len(guesses) == 2:
        return solve(expected[0]).rows, solve(expected[1].T).rows
    return regret_matching(expected, _REGRET_ROUNDS)[0]


def _expecting_greed(view: View, guesses: Floats) -> Floats:
    """What is guessed if each opponent now and then plays the card that wins most dots."""
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
    """What the strong level takes each card to be worth, the others playing as it would."""
    guesses, place = chances(view, STRONG.budget), playing(view).index(seat)
    worths: Floats = guesses[place]
    mixes = _mixes(view, guesses)
    for other in reversed(range(len(mixes))):
        if other != place:
            worths = np.tensordot(worths, mixes[other], axes=(other, 0))
    return worths
