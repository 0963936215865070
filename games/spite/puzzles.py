"""Puzzles of Spite and Malice: which card to play first, to win in this very turn.

A right play wins for certain, whatever is drawn (`games/spite/computer/sure_wins.py`).

In most positions whatever fits is right, as every card has its place in the end. So from a position
of a match the cards of the player on turn are dealt again, until habit does not find the way.
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
from games.spite.moves import PILES, STOCK, Play
from games.spite.options import Options
from games.spite.rules import SPITE
from games.spite.state import State

AIM: Final = "turn"

_STOCKS: Final = (3, 4, 5, 6)
"""Cards of a stock in the matches that positions are of; few, since its last card matters."""

_MIN_CHOICES: Final = 3
_MAX_RIGHT: Final = 2
_MIN_PLAYS: Final = 4
"""Plays that winning takes at least, the stock card's too."""

_MIN_TAME: Final = 2
"""Different cards, without the wild ones, that there are to choose from."""

_MAX_HABITS: Final = 1
"""Habits that find a right play: more would make it plain, and none at all would tell as well."""

_DEALS: Final = 60
"""How often the cards of a position are dealt again."""

_WHIMS: Final = 0.25
"""How often a move on the way to a position is any, not the greedy player's."""


class SpitePuzzles(PuzzleMaker[State]):
    proof: ClassVar[str] = (
        "Every order of plays with the cards that can be seen was gone through: a right one wins "
        "this turn for certain, after any other that is impossible."
    )

    def attempt(self, chance: Chance) -> Puzzle[State] | None:
        """From the first turn of a match that makes a puzzle, if its cards are dealt again.

        The players of the match are greedy and whimsical.
        """
        state = SPITE.setup(Options(stock=chance.pick(_STOCKS)), 2, chance)
        turn = 0
        while SPITE.awaiting(state):
            seat = state.on_turn
            if turn != state.turn:
                turn = state.turn
                found = self._dealt(_position(state), seat, chance)
                if found is not None:
                    return found
            moves = SPITE.legal_moves(state, seat)
            if chance.fraction() < _WHIMS:
                move = chance.pick(moves)
            else:
                move = greedy(SPITE.observe(state, seat), moves)
            state = SPITE.play(state, {seat: move}, chance)
        return None

    def _dealt(self, state: State, seat: Seat, chance: Chance) -> Puzzle[State] | None:
        """The first puzzle that comes of a position when its cards are dealt again."""
        heights = {len(pile) for pile in state.foundations}
        if len(state.sides[seat].stock) != 1 or len(heights) < len(state.foundations):
            return None  # no deal would change that
        deals = (_dealt_again(state, seat, chance) for _ in range(_DEALS))
        puzzles = (self.assess(deal, seat, AIM) for deal in deals)
        return next((puzzle for puzzle in puzzles if puzzle is not None), None)

    def assess(self, state: State, seat: Seat, aim: str) -> Puzzle[State] | None:
        if aim != AIM or seat not in SPITE.awaiting(state) or len(state.sides[seat].stock) != 1:
            return None
        heights = [len(pile) for pile in state.foundations]
        plays = [move for move in SPITE.legal_moves(state, seat) if isinstance(move, Play)]
        if len(set(heights)) < len(heights) or not _MIN_CHOICES <= len(plays) <= MAX_CHOICES:
            return None  # onto equal foundations the same play would be a choice twice
        begun = FastState(state, 0)
        search = SureWins(begun)
        choices = []
        for play in plays:
            line = search.line(fast_play(play, len(heights)))
            choices.append(Assessed(str(play), 1.0 if line else -1.0, _told(begun, line)))
        right = [choice for choice in choices if choice.worth > 0]
        # Often two plays can be made in either order.
        if not 0 < len(right) <= _MAX_RIGHT or 2 * len(right) > len(plays):
            return None
        if _is_plain(state, plays, {choice.move for choice in right}):
            return None
        if any(len(choice.line) < _MIN_PLAYS - 1 for choice in right):
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
    """A state without what has happened, and what each seat can tell of it."""
    first, second = (replace(side, carried=side.hand, trail=()) for side in state.sides)
    return replace(state, sides=(first, second), events=(), turn_start=0)


def _dealt_again(state: State, seat: Seat, chance: Chance) -> State:
    """A position with other cards in hand and in the discard piles of a seat, as many as before."""
    side = state.sides[seat]
    lying = [card for pile in (side.hand, *side.discards) for card in pile]
    cards = iter(chance.shuffled((*lying, *state.source)))
    hand, *piles = (tuple(islice(cards, len(pile))) for pile in (side.hand, *side.discards))
    hand = arranged(hand)
    mine = replace(side, hand=hand, carried=hand, discards=tuple(piles))
    first, second = (mine if each is side else each for each in state.sides)
    return replace(state, sides=(first, second), source=tuple(cards))


def _is_plain(state: State, plays: list[Play], right: set[str]) -> bool:
    """Whether the question is only where a wild card goes, or whether habit answers it.

    Habits are to play the first card that is not wild, or the last one, in the order in which they
    are offered, and to play as the greedy player does.
    """
    wild = WILDNESS[state.series.options.jokers].wild
    tame = [play for play in plays if _face(state, play.source) not in wild]
    if len({play.source for play in tame}) < _MIN_TAME:
        return True
    habits = (tame[0], tame[-1], greedy(SPITE.observe(state, state.on_turn), plays))
    return sum(str(habit) in right for habit in habits) > _MAX_HABITS


def _face(state: State, source: str) -> str:
    """The card that a source gives."""
    side = state.sides[state.on_turn]
    if source == STOCK:
        return side.stock[-1]
    return side.discards[PILES[source]][-1] if source in PILES else source


def _told(state: FastState, line: Line) -> tuple[str, ...]:
    """The plays of a line after its first, as the rules write them."""
    ahead, told = state.copy(), list[str]()
    for play in line:
        told.append(str(play_of(ahead, play)))
        ahead.lay(*play)
    return tuple(told[1:])
