"""The moves of Prize Dominoes and their notation."""

import re
from dataclasses import dataclass
from typing import Final, Literal

from games.prize.tiles import End, Tile, spell


@dataclass(frozen=True, slots=True)
class Open:
    """Open the line with a tile of the hand; its higher number is at the left end."""

    tile: Tile
    kind: Literal["open"] = "open"

    def __str__(self) -> str:
        return spell(self.tile)


@dataclass(frozen=True, slots=True)
class Place:
    """Play a tile of the hand."""

    tile: Tile
    end: End
    kind: Literal["place"] = "place"

    def __str__(self) -> str:
        return f"{spell(self.tile)} {self.end}"


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw from the stock; a tile that fits in only one place is placed in the same step."""

    kind: Literal["draw"] = "draw"

    def __str__(self) -> str:
        return "draw"


@dataclass(frozen=True, slots=True)
class Choose:
    """Choose the end for a drawn tile that fits both."""

    end: End
    kind: Literal["choose"] = "choose"

    def __str__(self) -> str:
        return self.end


@dataclass(frozen=True, slots=True)
class Prize:
    """Play a tile of the seat's own prize row."""

    tile: Tile
    end: End
    kind: Literal["prize"] = "prize"

    def __str__(self) -> str:
        return f"prize {spell(self.tile)} {self.end}"


@dataclass(frozen=True, slots=True)
class Pass:
    kind: Literal["pass"] = "pass"

    def __str__(self) -> str:
        return "pass"


@dataclass(frozen=True, slots=True)
class Take:
    """Take a tile of the loser's hand as a prize."""

    tile: Tile
    kind: Literal["take"] = "take"

    def __str__(self) -> str:
        return f"take {spell(self.tile)}"


Move = Open | Place | Draw | Choose | Prize | Pass | Take

_WORDS: Final[dict[str, Move]] = {
    "draw": Draw(),
    "pass": Pass(),
    "left": Choose("left"),
    "right": Choose("right"),
}
_ENDS: Final[dict[str, End]] = {"left": "left", "right": "right"}
_TILE: Final = re.compile(r"(?:(prize|take)\s*)?([0-6])\s*-\s*([0-6])(?:\s*(left|right))?")


def read_move(text: str) -> Move:
    """The move that a text stands for; ValueError, with a sentence, if it isn't a move.

    The numbers of a tile may be in either order.
    """
    words = text.strip().lower()
    if words in _WORDS:
        return _WORDS[words]
    if match := _TILE.fullmatch(words):
        verb, one, two, end = match.groups()
        tile = (int(max(one, two)), int(min(one, two)))
        placed_at = _ENDS.get(end)
        if verb is None:
            return Open(tile) if placed_at is None else Place(tile, placed_at)
        if verb == "prize" and placed_at is not None:
            return Prize(tile, placed_at)
        if verb == "take" and placed_at is None:
            return Take(tile)
    raise ValueError(
        f"{text[:40]!r} isn't a move. Write for example 6-4 left, 6-4 (to open), draw, left, "
        "prize 6-4 right, pass or take 6-4, with numbers from 0 to 6."
    )
