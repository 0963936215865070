"""The fast state: a hand of Prize Dominoes as whole numbers, to play thousands of them ahead.

Tiles are numbered by their pips, so that the heaviest of some is the highest bit of their set. The
two open ends are one number. That it plays by the rules is tested.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, assert_never

from games.prize.moves import Choose, Draw, Move, Open, Pass, Place, Prize, Take
from games.prize.state import State
from games.prize.tiles import DOMINOES, NUMBERS, End, Tile, numbers

Tiles = int
"""A set of tiles: bit i for tile i of `TILES`."""

Joint = int
"""The open ends: seven times the left one and the right one."""

Code = int
"""A move as a number: twice the place of a tile of the hand, plus 1 for the right end; the others
begin at `PRIZE`, `DRAW` and `CHOOSE`."""

TILES: Final[tuple[Tile, ...]] = tuple(sorted(DOMINOES, key=lambda tile: (sum(tile), tile)))
PLACE_OF: Final = {tile: i for i, tile in enumerate(TILES)}
BARE: Final[Joint] = 49
"""The ends of a line that is not begun."""

PRIZE: Final[Code] = 56
DRAW: Final[Code] = 112  # a pass where the stock is empty: there is never a choice of the two
CHOOSE: Final[Code] = 113

_ENDS: Final[tuple[End, End]] = ("left", "right")


def _laid(joint: Joint, tile: Tile) -> tuple[tuple[int, Joint], ...]:
    """The ends (0 left, 1 right) that a tile can be played at, each with the ends it leaves."""
    high, low = tile
    if joint == BARE:
        return ((0, 7 * high + low),)
    left, right = divmod(joint, 7)
    found = []
    if left in tile and left != right:
        found.append((0, 7 * (high + low - left) + right))
    if right in tile:
        found.append((1, 7 * left + high + low - right))
    return tuple(found)


LAID: Final = tuple(tuple(_laid(joint, tile) for tile in TILES) for joint in range(BARE + 1))
_AT_END: Final = tuple(tuple(dict(ways) for ways in rows) for rows in LAID)
"""The ends that each tile leaves at given ends, by the end that it is laid at."""

_CODES: Final = tuple(
    tuple(tuple(2 * i + end for end, _ in ways) for i, ways in enumerate(rows)) for rows in LAID
)
"""The moves that lay each tile at given ends."""

NEXT: Final = tuple(tuple(tuple(after for _, after in row) for row in rows) for rows in LAID)
"""The ends that each tile leaves at given ends, one for each way to lay it."""

FITS: Final[tuple[Tiles, ...]] = tuple(
    sum(1 << i for i, ways in enumerate(rows) if ways) for rows in LAID
)
"""The tiles that fit given ends."""

PIPS: Final = tuple(sum(tile) for tile in TILES)
COVERS: Final = tuple(sum(1 << number for number in numbers((tile,))) for tile in TILES)
"""The numbers on each tile, as a set of bits."""


def bits(tiles: Tiles) -> list[int]:
    """The places of the tiles of a set, the lightest first."""
    found = []
    while tiles:
        lowest = tiles & -tiles
        found.append(lowest.bit_length() - 1)
        tiles ^= lowest
    return found


def tiles_of(tiles: Iterable[Tile]) -> Tiles:
    return sum(1 << PLACE_OF[tile] for tile in tiles)


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
    """A hand that is being played, with everything known; it changes with every move."""

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
        """A hand as it was dealt, with no prizes yet; seat 0 leads."""
        self.hands = list(hands)
        self.prizes = [0, 0]
        self.stock = tuple(stock)
        self.drawn = 0
        self.asked = -1
        self.joint = BARE
        self.turn = 0
        self.passes = 0
        self.idle = 1
        self.winner = -1

    @classmethod
    def of(cls, state: State) -> "FastState":
        """The hand of a state in which no prize is to be taken."""
        fast = cls([tiles_of(hand) for hand in state.hands], [PLACE_OF[i] for i in state.stock])
        fast.prizes = [tiles_of(row) for row in state.prizes]
        fast.asked = -1 if state.asked is None else PLACE_OF[state.asked]
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
        """What the seat to move may do while the hand runs; no choice is offered for none."""
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
            # Of equally many pips the seat wins that passed first, and it would be to move next.
            mine, theirs = (weight(self.hands[i]) for i in (self.turn, self.turn ^ 1))
            self.winner = self.turn if mine <= theirs else self.turn ^ 1


def code_of(move: Move) -> Code:
    """The number of a move of a hand that runs."""
    match move:
        case Open():
            return 2 * PLACE_OF[move.tile]
        case Place():
            return 2 * PLACE_OF[move.tile] + _ENDS.index(move.end)
        case Prize():
            return PRIZE + 2 * PLACE_OF[move.tile] + _ENDS.index(move.end)
        case Choose():
            return CHOOSE + _ENDS.index(move.end)
        case Draw() | Pass():
            return DRAW
        case Take():
            raise ValueError("A hand that runs has no prize to take.")
        case _:
            assert_never(move)
