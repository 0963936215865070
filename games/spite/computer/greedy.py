"""The baseline: a greedy player, which plays what fits and saves its wild cards.

It plays its stock card whenever that fits; else the top of a discard pile, then a card of its hand,
the highest first. It plays a wild card only as the last step before its stock card, or if it has
nothing else. If nothing fits, it discards: onto an equal card if it can, else onto the next higher
one, else onto an empty pile, else onto the pile nearest in rank. Of equally good discards it
chooses the highest card, and all its cards of that rank.
"""

from collections.abc import Sequence
from typing import Final, assert_never

from games.chance import Chance
from games.spite.cards import ORDER, RANKS, WILDNESS
from games.spite.moves import NEW, PILES, STOCK, Discard, Draw, Move, Play
from games.spite.refusals import place_of
from games.spite.view import View

SEEN_SHARE: Final = 0.3
"""The probability that a careless player notices that its stock card fits, if others do too."""


def greedy(view: View, moves: Sequence[Move]) -> Move:
    """The greedy player's choice of the legal moves; `view` must be that of the seat on turn."""
    return max(moves, key=lambda move: _merit(view, move))


def careless(moves: Sequence[Move], chance: Chance) -> Move:
    """A random play or discard; the stock card only if noticed, or if nothing else fits."""
    plays = [move for move in moves if isinstance(move, Play)]
    from_stock = [move for move in plays if move.source == STOCK]
    others = [move for move in plays if move.source != STOCK]
    if from_stock and (not others or chance.fraction() < SEEN_SHARE):
        return from_stock[0]
    return chance.pick(others or moves)


def _merit(view: View, move: Move) -> tuple[int, ...]:
    match move:
        case Draw():
            return (9,)
        case Play():
            return _merit_of_play(view, move)
        case Discard():
            return _merit_of_discard(view, move)
        case _:
            assert_never(move)


def _merit_of_play(view: View, move: Play) -> tuple[int, ...]:
    side = view.sides[view.on_turn]
    height = 0 if move.target == NEW else len(view.foundations[place_of(move.target)])
    if move.source == STOCK:
        return 8, height
    face = _face(view, move.source)
    if face not in WILDNESS[view.options.jokers].wild:
        return (7, 0) if move.source in PILES else (6, height)
    leads = height + 1 < len(RANKS) and RANKS[height + 1] == side.top
    return (5, height) if leads else (3, height)


def _merit_of_discard(view: View, move: Discard) -> tuple[int, ...]:
    pile = view.sides[view.on_turn].discards[PILES[move.pile]]
    if move.face in WILDNESS[view.options.jokers].wild:
        return 2, move.count
    card = ORDER[move.face]
    if not pile:
        return 4, 1, 0, card, move.count
    gap = ORDER[pile[-1]] - card
    if gap in (0, 1):
        return 4, 3 - gap, 0, card, move.count
    return 4, 0, -abs(gap), card, move.count


def _face(view: View, source: str) -> str:
    return view.sides[view.on_turn].discards[PILES[source]][-1] if source in PILES else source
