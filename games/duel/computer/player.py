"""How the computer plays the tile duel: evenly, which is exact, or reading its opponent.

`perfect` draws any of its tiles, each equally likely. Every pair takes one tile from each side, so
this makes every matching of the tiles equally likely whatever the other does; both can do it, so
it is an equilibrium, and every deal is worth 0 (more in `matchings`). It cannot be beaten in the
long run; nor does it beat anybody, for against it every choice is as good.

`strong` foresees and answers, and may give up `RISK` to an adversary who knows all its mixes. This
is kept as an account through the match. A mix gives up d of the worth of the position to the tile
that the opponent did play, d being less than 0 where that was a mistake; the account loses d, and
no mix may give up more than a part of the account to any tile. So what the adversary can gain in
the rest of the match is never more than what is left in the account, by induction from the last
pair: against any tile, worth minus account is kept on average from each pair to the next. Less is
risked once choices come that were not foretold; the account holds whatever is risked.

The greedy player, the yardstick, is `easy`: it plays the tile that beats most of those against it.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import ClassVar, Final

import numpy as np

from games.chance import Chance
from games.computer import Assessment, Computer, Lesson, Level, Mixing
from games.core import Seat
from games.duel.computer.matchings import Position, choices, position
from games.duel.computer.opponent_model import OpponentModel, evenly, greedy, wary
from games.duel.computer.response import given_up, response
from games.duel.rules import Options, Tile, View
from games.equilibrium import Floats, draw, most_often, needs_mixing

RISK: Final = 0.25
"""What `strong` gives up at most in a match, of P(win) - P(loss), to a perfect adversary."""

_ACCOUNT_SHARE_PER_PAIR: Final = 0.6
"""The part of its account that it risks with one pair. By trial: with all of it, it is often lost
before the opponent is known; with a half, a first match against a greedy player brings .03 less."""

_MAX_LESSONS: Final = 200
"""The choices of finished matches that count; older ones have faded."""

_MIN_TOLD_GAIN: Final = 0.05
"""What foresight must promise for the coach to speak of it."""

_MAX_DOUBT: Final = 0.05
"""How likely the coach may think it that the opponent drew lots: against those, no choice costs."""

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
    """All levels answer in milliseconds, so none has a budget to be cut."""

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
        """How often a level plays each of its tiles, in ascending order."""
        match level.key:
            case "beginner":
                return _biggest(position(view, seat))
            case "easy":
                return greedy(position(view, seat))
            case "steady":
                return wary(position(view, seat))
            case "strong":
                return _reading(view, seat, lessons, risk)[0]
            case "perfect":
                return evenly(position(view, seat))
            case _:
                raise ValueError(f"The computer has no level {level.key!r} in the tile duel.")

    def assess(self, view: View, seat: Seat, move: Tile, chance: Chance) -> Assessment[Tile] | None:
        """Against what could be foreseen from this match; None where that promised little.

        Against best play no tile gives anything up.
        """
        del chance
        model, now = OpponentModel(), position(view, seat)
        for choice in choices(view, seat):
            model.learn(choice.position.turned(), choice.theirs)
        worths = now.payoffs @ model.foresee(now.turned())
        if worths.max() - now.worth < _MIN_TOLD_GAIN or model.doubt() > _MAX_DOUBT:
            return None
        cost = float(worths.max() - worths[now.mine.index(move.total)])
        if not cost:
            return Assessment(better=None, cost=0.0)
        return Assessment(better=Tile(now.mine[int(worths.argmax())]), cost=cost)

    def mixing(self, view: View, seat: Seat, move: Tile) -> Mixing | None:
        now = position(view, seat)
        if not needs_mixing(now.payoffs, now.worth, _MIN_TOLD_GAIN):
            return None
        obvious = greedy(now) > 0
        share = most_often(now.payoffs, obvious)
        return Mixing(share, bool(obvious[now.mine.index(move.total)]))

    def basis(self, seats: int) -> str:
        del seats
        return (
            "Against best play, no tile costs you anything. This compares your choices with what "
            "your opponent's play so far suggested."
        )

    def luck(self, view: View, seat: Seat) -> float | None:
        return position(view, seat).worth


def _biggest(position: Position) -> Floats:
    """The biggest of its tiles, whatever it meets."""
    mix = np.zeros(len(position.mine))
    mix[int(np.argmax(position.mine))] = 1.0
    return mix


def _reading(
    view: View, seat: Seat, lessons: Sequence[Lesson[View, Tile]], risk: float
) -> tuple[Floats, float]:
    """The mix of `strong`, and what is left in its account.

    Nothing is held between two choices, so the match is gone through again: what it thought at
    each pair, the mix it played, and what that gave up to the tile it met.
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


def _respond(model: OpponentModel, now: Position, account: float) -> Floats:
    foreseen = model.foresee(now.turned())
    allowed = _ACCOUNT_SHARE_PER_PAIR * model.trust() * max(account, 0.0)
    return _cached_response(now, tuple(foreseen.tolist()), allowed)


@lru_cache(maxsize=1024)
def _cached_response(now: Position, foreseen: tuple[float, ...], allowed: float) -> Floats:
    """Remembered, as each choice of a match asks for those before it again."""
    return response(now, np.array(foreseen), allowed)
