"""The baseline: a greedy player that considers nothing but its own tiles.

It opens with its heaviest tile and plays the heaviest one that fits, at the end that leaves more of
its tiles playable. If none fits, it plays a prize that it can spare, or else draws. From the hand
of a loser it takes the tile with the most new numbers; of equally good ones, the heaviest.
"""

from collections.abc import Sequence
from typing import assert_never

from games.chance import Chance
from games.prize.moves import Choose, Draw, Move, Open, Pass, Place, Prize, Take
from games.prize.state import missing
from games.prize.tiles import Line, Tile, extended, line_ends, numbers, pips, places, without
from games.prize.view import View


def greedy(view: View, moves: Sequence[Move]) -> Move:
    """The greedy player's choice of the legal moves; `view` must be that of the seat to move."""
    return max(moves, key=lambda move: _merit(view, move))


def careless(moves: Sequence[Move], chance: Chance) -> Move:
    """A random move, but never an unnecessary draw; as a prize, the heaviest tile."""
    if isinstance(moves[0], Take):
        return max((move for move in moves if isinstance(move, Take)), key=_weight)
    played = [move for move in moves if not isinstance(move, Draw | Pass)]
    return chance.pick(played or moves)


def _weight(move: Take) -> int:
    return pips((move.tile,))


def _merit(view: View, move: Move) -> tuple[int, int]:
    row, hand = view.prizes[view.turn], view.hands[view.turn] or ()
    match move:
        case Open():
            return pips((move.tile,)), 0
        case Place():
            rest = without(hand, move.tile)
            return pips((move.tile,)), _following(extended(view.line, move.tile, move.end), rest)
        case Choose():
            assert view.asked is not None  # `Choose` is legal only then
            return 0, _following(extended(view.line, view.asked, move.end), hand)
        case Prize():
            return (1 if missing(without(row, move.tile)) == missing(row) else -1), 0
        case Draw() | Pass():
            return 0, 0
        case Take():
            new = numbers((move.tile,)) - numbers(row)
            return len(new), pips((move.tile,))
        case _:
            assert_never(move)


def _following(line: Line, hand: tuple[Tile, ...]) -> int:
    """The number of tiles of a hand that fit a line."""
    ends = line_ends(line)
    return sum(ends is not None and bool(places(tile, ends)) for tile in hand)
