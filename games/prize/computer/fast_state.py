"""The fast state: a hand of Prize Dominoes in whole numbers, for playouts by the thousand.

Tiles are numbered by their pips, so that the heaviest tile of a set is its highest bit. The two
open ends are one number. A test compares this with the rules.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, assert_never

from games.prize.moves import Choose, Draw, Move, Open, Pass, Place, Prize, Take
from games.prize.state import State
from games.prize.tiles import DOMINOES, NUMBERS, End, Tile, numbers

Tiles = int
"""A set of tiles: bit i stands for tile i of `TILES`."""

Joint = int
"""The open ends: 7 * left + right, or `BARE`."""

Code = int
"""A move as a number. To play a tile of the hand: twice its index in `TILES`, plus 1 for the right
end; to play a prize: the same, plus `PRIZE`. `DRAW` is to draw or pass; `CHOOSE`, plus 1 for the
right end, is to choose an end."""

TILES: Final[tuple[Tile, ...]] = tuple(sorted(DOMINOES, key=lambda tile: (sum(tile), tile)))
INDEX_OF: Final = {tile: i for i, tile in enumerate(TILES)}
BARE: Final[Joint] = 49
"""The open ends before the opening."""

PRIZE: Final[Code] = 56
DRAW: Final[Code] = 112  # a pass if the stock is empty: the two are never legal together
CHOOSE: Final[Code] = 113

_ENDS: Final[tuple[End, End]] = ("left", "right")


def _laid(joint: Joint, tile: Tile) -> tuple[tuple[int, Joint], ...]:
    """The ends (0 left, 1 right) at which a tile fits, each with the open ends after that."""
    high, low = tile
    if joint == BARE:
        return ((0, 7 * high + low),)
    left, right = divmod(joint, 7)
    ways = []
    if left in tile and left != right:
        ways.append((0, 7 * (high + low - left) + right))
    if right in tile:
        ways.append((1, 7 * left + high + low - right))
    return tuple(ways)


LAID: Final = tuple(tuple(_laid(joint, tile) for tile in TILES) for joint in range(BARE + 1))
_AT_END: Final = tuple(tuple(dict(ways) for ways in rows) for rows in LAID)
"""The open ends after a tile is placed: [open ends][tile][end]."""

_CODES: Final = tuple(
    tuple(tuple(2 * i + end for end, _ in ways) for i, ways in enumerate(rows)) for rows in LAID
)
"""The moves that place a tile of the hand: [open ends][tile]."""

NEXT: Final = tuple(tuple(tuple(after for _, after in row) for row in rows) for rows in LAID)
"""The open ends after a tile is placed, for each end that it fits: [open ends][tile]."""

FITS: Final[tuple[Tiles, ...]] = tuple(
    sum(1 << i for i, ways in enumerate(rows) if ways) for rows in LAID
)
"""The tiles that fit: [open ends]."""

PIPS: Final = tuple(sum(tile) for tile in TILES)
COVERS: Final = tuple(sum(1 << number for number in numbers((tile,))) for tile in TILES)
"""The numbers on each tile, as a set of bits."""


def bits(tiles: Tiles) -> list[int]:
    """The indexes of the tiles of a set, lightest first."""
    indexes = []
    while tiles:
        lowest = tiles & -tiles
        indexes.append(lowest.bit_length() - 1)
        tiles ^= lowest
    return indexes


def tiles_of(tiles: Iterable[Tile]) -> Tiles:
    return sum(1 << INDEX_OF[tile] for tile in tiles)


@lru_cache(maxsize=4096)
def lacking(prizes: Tiles) -> int:
    """The numbers that a prize row lacks, as a set of bits."""
    lack = (1 << len(NUMBERS)) - 1
    for i in bits(prizes):
        lack &= ~COVERS[i]
    return lack


def weight(tiles: Tiles) -> int:
    return sum(PIPS[i] for i in bits(tiles))


class FastState:
    """A hand in progress of which everything is known; moves change it in place."""

    __slots__ = (
        "asked",
        "drawn",
        "hands",
        "idle",
        "joint",
        "passes",
        "prizes",
        "stock",
        "turn",
        "winner",
    )

    def __init__(self, hands: Sequence[Tiles], stock: Sequence[int]) -> None:
        """A hand as it was dealt, without prizes; seat 0 leads. `stock` has indexes of tiles."""
        self.hands = list(hands)
        self.prizes = [0, 0]
        self.stock = tuple(stock)
        self.drawn = 0
        """The number of tiles drawn from `stock`, which itself doesn't change."""

        self.asked = -1
        """The drawn tile whose end is to be chosen; -1 if there is none."""

        self.joint = BARE
        self.turn = 0
        self.passes = 0
        self.idle = 1
        """The number of passes that a kept tile counts as, 0 or 1 (R27)."""

        self.winner = -1
        """The winner of the hand; -1 while it's being played."""

    @classmethod
    def of(cls, state: State) -> "FastState":
        """Convert a state in which no prize is to be taken."""
        fast = cls([tiles_of(hand) for hand in state.hands], [INDEX_OF[i] for i in state.stock])
        fast.prizes = [tiles_of(row) for row in state.prizes]
        fast.asked = -1 if state.asked is None else INDEX_OF[state.asked]
        fast.joint = 7 * state.line[0][0] + state.line[-1][1] if state.line else BARE
        fast.turn = int(state.turn)
        fast.passes = state.passes
        fast.idle = 0 if state.options.pass_only_when_stock_is_empty else 1
        return fast

    def copy(self) -> "FastState":
        other = FastState.__new__(FastState)
        other.hands = self.hands[:]
        other.prizes = self.prizes[:]
        other.stock = self.stock
        other.drawn = self.drawn
        other.asked = self.asked
        other.joint = self.joint
        other.turn = self.turn
        other.passes = self.passes
        other.idle = self.idle
        other.winner = self.winner
        return other

    def moves(self) -> list[Code]:
        """The legal moves of the seat to move; the hand must not be over."""
        if self.asked >= 0:
            return [CHOOSE, CHOOSE + 1]
        codes = _CODES[self.joint]
        hand = self.hands[self.turn] & FITS[self.joint]
        if hand:
            return [code for i in bits(hand) for code in codes[i]]
        prizes = self.prizes[self.turn] & FITS[self.joint]
        if not prizes:
            return [DRAW]
        return [DRAW, *(PRIZE + code for i in bits(prizes) for code in codes[i])]

    def play(self, move: Code) -> None:
        """Make a legal move of the seat to move."""
        turn = self.turn
        if move < PRIZE:
            self.hands[turn] ^= 1 << (move >> 1)
            self._lay(move >> 1, move & 1)
            if not self.hands[turn]:
                self.winner = turn
        elif move < DRAW:
            tile = (move - PRIZE) >> 1
            self.prizes[turn] ^= 1 << tile
            self._lay(tile, move & 1)
        elif move == DRAW:
            self._draw()
        else:
            tile, self.asked = self.asked, -1
            self._lay(tile, move - CHOOSE)

    def _draw(self) -> None:
        if self.drawn == len(self.stock):
            self._pass(1)
            return
        tile = self.stock[self.drawn]
        self.drawn += 1
        ways = LAID[self.joint][tile]
        if len(ways) == 2:
            self.asked = tile
        elif ways:
            self._lay(tile, ways[0][0])
        else:
            self.hands[self.turn] |= 1 << tile
            self._pass(self.idle)

    def _lay(self, tile: int, end: int) -> None:
        self.joint = _AT_END[self.joint][tile][end]
        self.passes = 0
        self.turn ^= 1

    def _pass(self, count: int) -> None:
        self.passes += count
        self.turn ^= 1
        if self.passes == 2:
            # With equal pips, the winner is the seat that passed first: the one to move now.
            mine, theirs = (weight(self.hands[i]) for i in (self.turn, self.turn ^ 1))
            self.winner = self.turn if mine <= theirs else self.turn ^ 1


def code_of(move: Move) -> Code:
    """The code of a move; ValueError for `Take`, which is made between hands."""
    match move:
        case Open():
            return 2 * INDEX_OF[move.tile]
        case Place():
            return 2 * INDEX_OF[move.tile] + _ENDS.index(move.end)
        case Prize():
            return PRIZE + 2 * INDEX_OF[move.tile] + _ENDS.index(move.end)
        case Choose():
            return CHOOSE + _ENDS.index(move.end)
        case Draw() | Pass():
            return DRAW
        case Take():
            raise ValueError("A hand that runs has no prize to take.")
        case _:
            assert_never(move)
