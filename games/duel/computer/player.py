"""The computer player of the tile duel.

`perfect` plays one of its tiles uniformly at random. Each pair takes one tile from each side, so
this makes all matchings of the tiles equally likely, whatever its opponent does. Both can do that,
so it is an equilibrium, and every deal is worth 0 (see `matchings`). In the long run nobody beats
it, and it beats nobody, since all choices are equally good against it.

`strong` predicts the opponent's choice and plays a response to it. In doing so it may give up at
most `RISK` over a match to an adversary who knows all its mixes. That is kept as an account: a mix
gives up d of the worth of the position against the tile that the opponent really played (d is
negative if that was a mistake), the account decreases by d, and no mix may give up more than a
share of the account against any tile. By induction from the last pair, an adversary can't gain more
in the rest of the match than what is left in the account: against any tile, the worth minus the
account stays the same, on average, from one pair to the next. After bad predictions it risks less;
the bound holds for any risk within the account.

`easy` is the greedy player, the baseline: it plays the tile that beats most of the opponent's.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import ClassVar, Final

import numpy as np

from games.chance import Chance
from games.computer import Assessment, Computer, Lesson, Level, Mixing
from games.core import Seat
from games.duel.computer.matchings import Position, choices, position
from games.duel.computer.opponent_model import OpponentModel, counter_greedy, greedy, uniform
from games.duel.computer.response import given_up, response
from games.duel.rules import Options, Tile, View
from games.equilibrium import Floats, draw, max_probability, needs_mixing

RISK: Final = 0.25
"""The most that `strong` gives up in a match to a perfect adversary, in P(win) - P(loss)."""

_ACCOUNT_SHARE_PER_PAIR: Final = 0.6
"""The share of its account that `strong` risks with one pair. Found by experiment: with a share of
1, the account is often lost before the opponent is known; with 0.5, a first match against a greedy
player brings 0.03 less."""

_MAX_LESSONS: Final = 200
"""The number of choices of finished matches to learn from, the latest ones; the weight of older
ones would have faded anyway."""

_MIN_GAIN: Final = 0.05
"""The coach has an opinion only if predictions promised at least this gain in P(win) - P(loss);
for `mixing`, the loss below which a predictable choice doesn't count."""

_MAX_RANDOMNESS: Final = 0.05
"""The coach has an opinion only if the opponent is at most this likely to choose at random: against
that, no choice costs anything."""

BEGINNER: Final = Level(
    "beginner",
    0,
    "Plays its tiles from biggest to smallest: it forgets that smaller ones can divide them.",
)
EASY: Final = Level(
    "easy",
    0,
    "Plays the tile that beats most of yours, so you can see through it.",
)
STEADY: Final = Level(
    "steady",
    0,
    "Expects you to play the tile that beats most of its own, and counters it.",
)
STRONG: Final = Level(
    "strong",
    0,
    "Reads you: it predicts your choices from this match and past ones, and takes "
    "small risks to do so.",
    reads_people=True,
)
PERFECT: Final = Level(
    "perfect",
    0,
    "Any tile is equally likely: the exact solution. In the long run nobody beats "
    "it; it beats nobody.",
)


class DuelComputer(Computer[View, Tile, Options]):
    """All levels answer in milliseconds, so none has a budget."""

    levels: ClassVar[Sequence[Level]] = (BEGINNER, EASY, STEADY, STRONG, PERFECT)

    def choose(
        self,
        view: View,
        seat: Seat,
        level: Level,
        chance: Chance,
        lessons: Sequence[Lesson[View, Tile]] = (),
    ) -> Tile:
        return Tile(view.hands[seat][draw(self.mix(view, seat, level, lessons), chance)])

    def mix(
        self,
        view: View,
        seat: Seat,
        level: Level,
        lessons: Sequence[Lesson[View, Tile]] = (),
        risk: float = RISK,
    ) -> Floats:
        """The probability with which a level plays each tile of its hand, in ascending order.

        `risk` replaces `RISK`.
        """
        match level.key:
            case "beginner":
                return _biggest(position(view, seat))
            case "easy":
                return greedy(position(view, seat))
            case "steady":
                return counter_greedy(position(view, seat))
            case "strong":
                return _reading(view, seat, lessons, risk)[0]
            case "perfect":
                return uniform(position(view, seat))
            case _:
                raise ValueError(f"The computer has no level {level.key!r} in the tile duel.")

    def assess(self, view: View, seat: Seat, move: Tile, chance: Chance) -> Assessment[Tile] | None:
        """Compare with the best response to what this match so far suggested about the opponent.

        None if predictions promised little: against best play, no tile gives anything up.
        """
        del chance
        model, current = OpponentModel(), position(view, seat)
        for choice in choices(view, seat):
            model.learn(choice.position.turned(), choice.theirs)
        worths = current.payoffs @ model.predict(current.turned())
        if worths.max() - current.worth < _MIN_GAIN or model.randomness() > _MAX_RANDOMNESS:
            return None
        cost = float(worths.max() - worths[current.mine.index(move.total)])
        if not cost:
            return Assessment(better=None, cost=0.0)
        return Assessment(better=Tile(current.mine[int(worths.argmax())]), cost=cost)

    def mixing(self, view: View, seat: Seat, move: Tile) -> Mixing | None:
        current = position(view, seat)
        if not needs_mixing(current.payoffs, current.worth, _MIN_GAIN):
            return None
        obvious = greedy(current) > 0
        share = max_probability(current.payoffs, obvious)
        return Mixing(share, bool(obvious[current.mine.index(move.total)]))

    def basis(self, seats: int) -> str:
        del seats
        return (
            "Against best play, no tile costs you anything. This compares your choices with what "
            "your opponent's play so far suggested."
        )

    def luck(self, view: View, seat: Seat) -> float | None:
        return position(view, seat).worth


def _biggest(position: Position) -> Floats:
    """Plays the biggest tile, whatever the opponent has."""
    mix = np.zeros(len(position.mine))
    mix[int(np.argmax(position.mine))] = 1.0
    return mix


def _reading(
    view: View, seat: Seat, lessons: Sequence[Lesson[View, Tile]], risk: float
) -> tuple[Floats, float]:
    """The mix of `strong`, and what is left in its account.

    Nothing is stored between two choices, so the earlier pairs of the match are recomputed: the
    mix that was played, and what it gave up against the tile that the opponent played.
    """
    model, account = OpponentModel(), risk
    for lesson in lessons[-_MAX_LESSONS:]:
        model.learn(position(lesson.view, lesson.seat), lesson.move.total)
    for choice in choices(view, seat):
        mix = _respond(model, choice.position, account)
        met = choice.position.theirs.index(choice.theirs)
        account -= float(given_up(choice.position, mix)[met])
        model.learn(choice.position.turned(), choice.theirs)
    return _respond(model, position(view, seat), account), account


def _respond(model: OpponentModel, current: Position, account: float) -> Floats:
    predicted = model.predict(current.turned())
    allowed = _ACCOUNT_SHARE_PER_PAIR * model.trust() * max(account, 0.0)
    return _cached_response(current, tuple(predicted.tolist()), allowed)


@lru_cache(maxsize=1024)
def _cached_response(current: Position, predicted: tuple[float, ...], allowed: float) -> Floats:
    """`response`, cached because each choice of a match recomputes all earlier ones."""
    return response(current, np.array(predicted), allowed)
