"""Puzzles of Pico: the cards that perfect play may use, by the exact solution of the match.

Often the opponent has several optimal mixes, and nobody knows which one they play. So a card is
right if it belongs to an optimal mix: no optimal mix of the opponent makes it worse than the best.
Each other card is judged by the opponent's optimal mix that is kindest to it. A position makes
a puzzle if at most half of the cards are right and every other one gives up at least `MIN_MARGIN`
even then.
"""

from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from games.chance import Chance
from games.core import Seat
from games.equilibrium import Floats, draw, is_in_optimal_mix, kindest_columns, solve
from games.pico.computer.solution import Advice, advice
from games.pico.rules import PICO, Card, State
from games.puzzle import Assessed, Puzzle, PuzzleMaker

AIM: Final = "match"

MIN_MARGIN: Final = 0.08
"""The least that a wrong card gives up to any perfect defense, in P(win) - P(loss)."""

_SAME: Final = 1e-7
"""Worths that differ by less count as equal: this is the precision of the solution."""

_OPEN: Final = 0.85
"""A position worth more than this, or less than its negative, is too close to decided to ask."""

_HIGHEST_PROBABILITY: Final = 0.4
"""How often the highest card is right in a puzzle that replaces another one.

It is right in four of five positions that pass the proof, so tapping it would need no thought.
"""

_PLAYS: Final = 12
"""How often the match of one deal is played for a replacement: its solution is cached by then."""

_PRESETS: Final = ("standard", "standard", "pico1", "pico2")
_MIN_CARDS: Final = 3
_DIGITS: Final = 3


class PicoPuzzles(PuzzleMaker[State]):
    proof: ClassVar[str] = (
        "The match is solved exactly. Each right card is part of perfect play, and each of the "
        f"others gives up at least {MIN_MARGIN / 2:.0%} of the wins to every perfect defense."
    )

    def attempt(self, chance: Chance) -> Puzzle[State] | None:
        """Choose one of the likely puzzles in a match that both seats play by the solution.

        If its proof fails, it is replaced by a puzzle of another match. So a stricter proof changes
        single puzzles of a calendar, and moves no other one to another day.
        """
        likely = _likely_puzzles(_deal(chance), chance)
        if not likely:
            return None
        return self.assess(*chance.pick(likely), AIM) or self._replacement(chance)

    def _replacement(self, chance: Chance) -> Puzzle[State]:
        """A puzzle of another match; chance decides first whether its highest card is right."""
        is_highest = chance.fraction() < _HIGHEST_PROBABILITY
        while True:
            deal = _deal(chance)
            likely = [each for _ in range(_PLAYS) for each in _likely_puzzles(deal, chance)]
            puzzles = [self.assess(*each, AIM) for each in dict.fromkeys(likely)]
            wanted = [
                puzzle
                for puzzle in puzzles
                if puzzle is not None and _is_highest_right(puzzle) == is_highest
            ]
            if wanted:
                return chance.pick(wanted)

    def assess(self, state: State, seat: Seat, aim: str) -> Puzzle[State] | None:
        if aim != AIM or not _is_likely(state, seat):
            return None
        known = advice(PICO.observe(state, seat), seat)
        right = _right_cards(known)
        worths = _worths(known, right)
        if 2 * right.sum() > len(right) or known.worth - worths[~right].max() < MIN_MARGIN:
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


def _deal(chance: Chance) -> State:
    return PICO.setup(PICO.presets[chance.pick(_PRESETS)], 2, chance)


def _likely_puzzles(state: State, chance: Chance) -> list[tuple[State, Seat]]:
    """The positions that `_is_likely`, and their seats, in a match by the solution from here."""
    likely = []
    while seats := PICO.awaiting(state):
        likely += [(state, seat) for seat in sorted(seats) if _is_likely(state, seat)]
        moves = {seat: _mixed(state, seat, chance) for seat in sorted(seats)}
        state = PICO.play(state, moves, chance)
    return likely


def _is_likely(state: State, seat: Seat) -> bool:
    """Whether a position makes a puzzle against a single optimal mix of the opponent.

    This is quicker than the proof, which needs a mix for each card, and true of every puzzle.
    """
    if seat not in PICO.awaiting(state) or len(state.hands[seat]) < _MIN_CARDS:
        return False
    known = advice(PICO.observe(state, seat), seat)
    worths: Floats = known.payoffs @ solve(known.payoffs).columns
    right = worths > worths.max() - _SAME
    if abs(known.worth) > _OPEN or 2 * right.sum() > len(worths):
        return False
    return bool(worths.max() - worths[~right].max() >= MIN_MARGIN)


def _is_highest_right(puzzle: Puzzle[State]) -> bool:
    return puzzle.choices[-1].move in puzzle.best


def _right_cards(known: Advice) -> NDArray[np.bool_]:
    """For each card, whether it is in an optimal mix."""
    return np.array([is_in_optimal_mix(known.payoffs, row) for row in range(len(known.payoffs))])


def _worths(known: Advice, right: NDArray[np.bool_]) -> Floats:
    """The worth of each card against perfect play; for a wrong one, the most that it can be."""
    return np.array(
        [
            known.worth if is_right else row @ kindest_columns(known.payoffs, number)
            for number, (is_right, row) in enumerate(zip(right, known.payoffs, strict=True))
        ]
    )


def _mixed(state: State, seat: Seat, chance: Chance) -> Card:
    """Draw a card from the mix of the solution."""
    return Card(state.hands[seat][draw(advice(PICO.observe(state, seat), seat).mix, chance)])
