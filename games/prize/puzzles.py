"""Puzzles of Prize Dominoes: the one move that wins the hand, whatever the opponent does.

Once the stock is empty nothing is hidden: the opponent holds all tiles that a player doesn't see.
So the rest of the hand can be searched to its end, and each move is known to win it or to lose it.
"""

from contextlib import suppress
from dataclasses import replace
from typing import ClassVar, Final

from games.chance import Chance
from games.core import Seat
from games.prize.computer.fast_state import DRAW, TILES, Code, FastState, code_of, weight
from games.prize.computer.fast_state import PRIZE as PRIZE_CODE
from games.prize.computer.greedy import greedy
from games.prize.moves import Move, Pass, Place, Prize
from games.prize.rules import PRIZE
from games.prize.state import Options, State, hand_result
from games.prize.tiles import End
from games.puzzle import Assessed, Puzzle, PuzzleMaker

AIM: Final = "hand"

_MIN_CHOICES: Final = 3
_MIN_TILES: Final = 2
_MIN_POSITIONS: Final = 25
"""With fewer tiles in a hand, or fewer positions to search, there's too little to think about."""

_MAX_POSITIONS: Final = 60_000
"""A position that takes a larger search is skipped."""

_MAX_ENDS: Final = 500_000
"""If it takes a larger search to find how a wrong move loses, its line ends with the reply."""

_RANDOM_MOVE_PROBABILITY: Final = 0.3
"""The probability of a random move instead of a greedy one, on the way to a position."""

_MAX_STEPS: Final = 150


class PrizePuzzles(PuzzleMaker[State]):
    proof: ClassVar[str] = (
        "The stock is empty, so nothing is hidden, and everything that can follow was searched: "
        "the right move wins the hand against any defense, and every other one can be beaten."
    )

    def attempt(self, chance: Chance) -> Puzzle[State] | None:
        """Choose one of the puzzles in a match of greedy players who sometimes move at random."""
        # With this option more hands outlast the stock; from then on, the rules are the same.
        state = PRIZE.setup(Options(pass_only_when_stock_is_empty=True), 2, chance)
        puzzles = []
        for _ in range(_MAX_STEPS):
            if not PRIZE.awaiting(state):
                break
            seat = state.turn
            if hand_result(state) is None:
                # What happened before isn't part of a puzzle's position.
                puzzle = self.assess(replace(state, events=(), last=None), seat, AIM)
                puzzles += [] if puzzle is None else [puzzle]
            moves = PRIZE.legal_moves(state, seat)
            if chance.fraction() < _RANDOM_MOVE_PROBABILITY:
                move = chance.pick(moves)
            else:
                move = greedy(PRIZE.observe(state, seat), moves)
            state = PRIZE.play(state, {seat: move}, chance)
        return chance.pick(puzzles) if puzzles else None

    def assess(self, state: State, seat: Seat, aim: str) -> Puzzle[State] | None:
        if aim != AIM or not _is_open(state, seat):
            return None
        moves = PRIZE.legal_moves(state, seat)
        if len(moves) < _MIN_CHOICES or min(map(len, state.hands)) < _MIN_TILES:
            return None
        search = _Search()
        try:
            choices = tuple(_assessed(search, state, move) for move in moves)
        except _TooLongError:
            return None
        best = tuple(choice.move for choice in choices if choice.worth > 0)
        effort = search.positions
        if len(best) != 1 or effort < _MIN_POSITIONS:
            return None
        return Puzzle(state=state, seat=seat, aim=aim, choices=choices, best=best, effort=effort)


class _TooLongError(Exception):
    """Raised when a search takes too many positions."""


class _Search:
    """Searches a hand of which everything is known, each position once."""

    def __init__(self) -> None:
        self._wins: dict[tuple[int, ...], bool] = {}

    @property
    def positions(self) -> int:
        return len(self._wins)

    def wins(self, state: FastState) -> bool:
        """Whether the seat to move wins the hand, if it plays best; may raise _TooLongError."""
        key = _key(state)
        if key not in self._wins:
            if len(self._wins) >= _MAX_POSITIONS:
                raise _TooLongError
            self._wins[key] = any(self.achieves(state, move) for move in state.moves())
        return self._wins[key]

    def achieves(self, state: FastState, move: Code) -> bool:
        """Whether a move wins the hand for the seat that makes it, if it plays best afterward."""
        after = _after(state, move)
        if after.winner >= 0:
            return after.winner == state.turn
        return not self.wins(after)

    def line(self, state: FastState) -> tuple[str, ...]:
        """The moves to the end of the hand, each the first winning one, else the first legal."""
        line: list[str] = []
        while state.winner < 0:
            moves = state.moves()
            move = next((move for move in moves if self.achieves(state, move)), moves[0])
            line.append(_notation(move))
            state.play(move)
        return tuple(line)

    def refutation(self, state: FastState) -> tuple[str, ...]:
        """The moves by which the seat to move wins after a wrong move of its opponent.

        They lead to the end of the hand if the seat can force a win by going out, or else one by
        fewer pips. If the opponent can decide between the two, there is only the first move.
        """
        if state.winner >= 0:
            return ()
        for out in (True, False):
            ends = _Ends(state.turn, out=out)
            with suppress(_TooLongError):
                if ends.lead(state) >= 0:
                    return ends.line(state)
        return (_notation(next(move for move in state.moves() if self.achieves(state, move))),)


class _Ends:
    """Searches a hand for one kind of win of a seat: by going out, or by fewer pips."""

    def __init__(self, winner: int, *, out: bool) -> None:
        self._winner = winner
        self._out = out
        self._leads: dict[tuple[int, ...], int] = {}

    def lead(self, state: FastState) -> int:
        """The least lead in pips by which the seat can force such a win; -1 if it can't."""
        if state.winner >= 0:
            pips = [weight(hand) for hand in state.hands]
            is_so = state.winner == self._winner and (not state.hands[self._winner]) == self._out
            return pips[1 - self._winner] - pips[self._winner] if is_so else -1
        key = _key(state)
        if key not in self._leads:
            if len(self._leads) >= _MAX_ENDS:
                raise _TooLongError
            leads = [self.lead(_after(state, move)) for move in state.moves()]
            self._leads[key] = max(leads) if state.turn == self._winner else min(leads)
        return self._leads[key]

    def line(self, state: FastState) -> tuple[str, ...]:
        """The moves to the end of the hand, if both seats play for the best lead."""
        line: list[str] = []
        while state.winner < 0:
            after = {move: _after(state, move) for move in state.moves()}
            move = next(move for move in after if self.lead(after[move]) == self.lead(state))
            line.append(_notation(move))
            state = after[move]
        return tuple(line)


def _key(state: FastState) -> tuple[int, ...]:
    """Identifies a position whose stock is empty."""
    return (*state.hands, *state.prizes, state.joint, state.turn, state.passes)


def _after(state: FastState, move: Code) -> FastState:
    after = state.copy()
    after.play(move)
    return after


def _is_open(state: State, seat: Seat) -> bool:
    """Whether this seat is to move in a hand of which it can know everything."""
    runs = seat in PRIZE.awaiting(state) and hand_result(state) is None
    return runs and bool(state.line) and not state.stock and state.asked is None


def _assessed(search: _Search, state: State, move: Move) -> Assessed:
    fast = FastState.of(state)
    wins = search.achieves(fast, code_of(move))
    fast.play(code_of(move))
    if wins:
        return Assessed(str(move), 1.0, search.line(fast))
    return Assessed(str(move), -1.0, search.refutation(fast))


def _notation(move: Code) -> str:
    """A move in the game's notation; the stock must be empty."""
    if move == DRAW:
        return str(Pass())
    end: End = "right" if move & 1 else "left"
    if move >= PRIZE_CODE:
        return str(Prize(TILES[(move - PRIZE_CODE) >> 1], end))
    return str(Place(TILES[move >> 1], end))
