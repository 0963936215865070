"""Puzzles of Pico: the cards that give up nothing, by the exact solution of the match.

The solution gives each card a worth against the opponent's best mix. Often several cards are worth
the same, since an optimal mix plays them all. A position makes a puzzle if at most half of the
cards are right and every other one gives up at least `MIN_MARGIN`.
"""

from typing import ClassVar, Final

import numpy as np

from games.chance import Chance
from games.core import Seat
from games.equilibrium import Floats, draw, solve
from games.pico.computer.solution import advice
from games.pico.rules import PICO, Card, State
from games.puzzle import Assessed, Puzzle, PuzzleMaker

AIM: Final = "match"

MIN_MARGIN: Final = 0.08
"""The least that a wrong card gives up, in P(win) - P(loss)."""

_SAME: Final = 1e-7
"""Worths that differ by less count as equal: this is the precision of the solution."""

_OPEN: Final = 0.85
"""A position worth more than this, or less than its negative, is too close to decided to ask."""

_PRESETS: Final = ("standard", "standard", "pico1", "pico2")
_MIN_CARDS: Final = 3
_DIGITS: Final = 3


class PicoPuzzles(PuzzleMaker[State]):
    proof: ClassVar[str] = (
        "The match is solved exactly. The right cards give up nothing against the best defense, "
        f"and each of the others gives up at least {MIN_MARGIN / 2:.0%} of the wins."
    )

    def attempt(self, chance: Chance) -> Puzzle[State] | None:
        """Choose one of the puzzles in a match that both seats play by the solution."""
        state = PICO.setup(PICO.presets[chance.pick(_PRESETS)], 2, chance)
        usable = []
        while seats := PICO.awaiting(state):
            usable += [
                puzzle for seat in sorted(seats) if (puzzle := self.assess(state, seat, AIM))
            ]
            moves = {seat: _mixed(state, seat, chance) for seat in sorted(seats)}
            state = PICO.play(state, moves, chance)
        return chance.pick(usable) if usable else None

    def assess(self, state: State, seat: Seat, aim: str) -> Puzzle[State] | None:
        if aim != AIM or seat not in PICO.awaiting(state) or len(state.hands[seat]) < _MIN_CARDS:
            return None
        known = advice(PICO.observe(state, seat), seat)
        worths: Floats = known.payoffs @ solve(known.payoffs).columns
        right = worths > worths.max() - _SAME
        if abs(known.worth) > _OPEN or 2 * right.sum() > len(worths):
            return None
        if worths.max() - worths[~right].max() < MIN_MARGIN:
            return None
        hand, theirs = state.hands[seat], state.hands[1 - seat]
        return Puzzle(
            state=state,
            seat=seat,
            aim=aim,
            choices=tuple(
                # A card is refuted by the opponent's card that it does worst against.
                Assessed(str(face), round(float(worth), _DIGITS), (str(theirs[row.argmin()]),))
                for face, worth, row in zip(hand, worths, known.payoffs, strict=True)
            ),
            best=tuple(str(hand[i]) for i in np.flatnonzero(right)),
            effort=known.payoffs.size,
        )


def _mixed(state: State, seat: Seat, chance: Chance) -> Card:
    """Draw a card from the mix of the solution."""
    return Card(state.hands[seat][draw(advice(PICO.observe(state, seat), seat).mix, chance)])
