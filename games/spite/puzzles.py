"""Puzzles of Spite and Malice: which card to play first to win this turn.

A right play wins for certain, whatever is drawn (`games/spite/computer/sure_wins.py`).

In most positions any play is right, since every card finds its place in the end. So the cards of
the player on turn are dealt again until habits don't find the solution.
"""

from dataclasses import replace
from itertools import islice
from typing import ClassVar, Final

from games.chance import Chance
from games.core import Seat
from games.puzzle import MAX_CHOICES, Assessed, Puzzle, PuzzleMaker
from games.spite.cards import WILDNESS, arranged
from games.spite.computer.fast_state import FastState, fast_play, play_of
from games.spite.computer.greedy import greedy
from games.spite.computer.sure_wins import Line, SureWins
from games.spite.moves import PILES, Play
from games.spite.options import Options
from games.spite.rules import SPITE
from games.spite.state import State

AIM: Final = "turn"

_STOCKS: Final = (3, 4, 5, 6)
"""The sizes of stocks in matches that are searched; small, since a puzzle needs the last card."""

_MIN_CHOICES: Final = 3
_MAX_RIGHT: Final = 2
_MIN_PLAYS: Final = 4
"""The least number of plays that winning takes, including that of the stock card."""

_MIN_ORDINARY_CARDS: Final = 2
"""The least number of different cards to choose from, without wild ones."""

_MAX_HABITS: Final = 1
"""The most habits that find a right play. With more, a puzzle would be too easy; with 0, it would
be a hint that no habit is ever right."""

_DEALS: Final = 60
"""How often the cards of a position are dealt again."""

_RANDOM_MOVE_PROBABILITY: Final = 0.25
"""The probability of a random move instead of a greedy one, on the way to a position."""


class SpitePuzzles(PuzzleMaker[State]):
    proof: ClassVar[str] = (
        "All sequences of plays with the cards that can be seen were searched: a right play wins "
        "this turn for certain, and no other one does."
    )

    def attempt(self, chance: Chance) -> Puzzle[State] | None:
        """Look for the first turn of a match that makes a puzzle when its cards are dealt again.

        The players of the match are greedy, but sometimes move at random.
        """
        state = SPITE.setup(Options(stock=chance.pick(_STOCKS)), 2, chance)
        turn = 0
        while SPITE.awaiting(state):
            seat = state.on_turn
            if turn != state.turn:
                turn = state.turn
                puzzle = self._first_puzzle(_position(state), seat, chance)
                if puzzle is not None:
                    return puzzle
            moves = SPITE.legal_moves(state, seat)
            if chance.fraction() < _RANDOM_MOVE_PROBABILITY:
                move = chance.pick(moves)
            else:
                move = greedy(SPITE.observe(state, seat), moves)
            state = SPITE.play(state, {seat: move}, chance)
        return None

    def _first_puzzle(self, state: State, seat: Seat, chance: Chance) -> Puzzle[State] | None:
        """The first puzzle found by dealing the cards of a position again; None if none is."""
        heights = {len(pile) for pile in state.foundations}
        if len(state.sides[seat].stock) != 1 or len(heights) < len(state.foundations):
            return None  # no deal changes these
        deals = (_dealt_again(state, seat, chance) for _ in range(_DEALS))
        puzzles = (self.assess(deal, seat, AIM) for deal in deals)
        return next((puzzle for puzzle in puzzles if puzzle is not None), None)

    def assess(self, state: State, seat: Seat, aim: str) -> Puzzle[State] | None:
        if aim != AIM or seat not in SPITE.awaiting(state) or len(state.sides[seat].stock) != 1:
            return None
        heights = [len(pile) for pile in state.foundations]
        plays = [move for move in SPITE.legal_moves(state, seat) if isinstance(move, Play)]
        if len(set(heights)) < len(heights) or not _MIN_CHOICES <= len(plays) <= MAX_CHOICES:
            return None  # with equal foundations, the same play would be two choices
        fast = FastState(state, 0)
        search = SureWins(fast)
        choices = []
        for play in plays:
            line = search.line(fast_play(play, len(heights)))
            choices.append(Assessed(str(play), 1.0 if line else -1.0, _notation(fast, line)))
        right = [choice for choice in choices if choice.worth > 0]
        # Often two plays can be made in either order, so there may be more than one right play.
        if not 0 < len(right) <= _MAX_RIGHT or 2 * len(right) > len(plays):
            return None
        if any(len(choice.line) < _MIN_PLAYS - 1 for choice in right):
            return None  # so the stock card doesn't fit yet
        if _is_too_easy(state, plays, {choice.move for choice in right}):
            return None
        return Puzzle(
            state=state,
            seat=seat,
            aim=aim,
            choices=tuple(choices),
            best=tuple(choice.move for choice in right),
            effort=search.positions,
        )


def _position(state: State) -> State:
    """The same position without its history, as if the source had just been shuffled."""
    first, second = (replace(side, carried=side.hand, trail=()) for side in state.sides)
    return replace(state, sides=(first, second), events=(), turn_start=0)


def _dealt_again(state: State, seat: Seat, chance: Chance) -> State:
    """The same position, with a seat's hand and discard piles shuffled together with the source."""
    side = state.sides[seat]
    lying = [card for pile in (side.hand, *side.discards) for card in pile]
    cards = iter(chance.shuffled((*lying, *state.source)))
    hand, *piles = (tuple(islice(cards, len(pile))) for pile in (side.hand, *side.discards))
    hand = arranged(hand)
    mine = replace(side, hand=hand, carried=hand, discards=tuple(piles))
    first, second = (mine if each is side else each for each in state.sides)
    return replace(state, sides=(first, second), source=tuple(cards))


def _is_too_easy(state: State, plays: list[Play], right: set[str]) -> bool:
    """Whether a puzzle is too easy: habits solve it, or it's only about where a wild card goes.

    The habits are to play the first card that isn't wild, to play the last one, both in the order
    in which they're offered, and to play like the greedy player.
    """
    wild = WILDNESS[state.series.options.jokers].wild
    ordinary = [play for play in plays if _face(state, play.source) not in wild]
    if len({play.source for play in ordinary}) < _MIN_ORDINARY_CARDS:
        return True
    habits = (ordinary[0], ordinary[-1], greedy(SPITE.observe(state, state.on_turn), plays))
    return sum(str(habit) in right for habit in habits) > _MAX_HABITS


def _face(state: State, source: str) -> str:
    """The card at a source other than the stock."""
    side = state.sides[state.on_turn]
    return side.discards[PILES[source]][-1] if source in PILES else source


def _notation(state: FastState, line: Line) -> tuple[str, ...]:
    """The plays of a line after the first one, in the game's notation."""
    ahead, moves = state.copy(), list[str]()
    for play in line:
        moves.append(str(play_of(ahead, play)))
        ahead.lay(*play)
    return tuple(moves[1:])
