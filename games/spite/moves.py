"""The moves and their notation: source `>` target."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from games.spite.cards import FACE_NAMED, Face

STOCK: Final = "stock"
NEW: Final = "new"
PILES: Final[Mapping[str, int]] = MappingProxyType({"d1": 0, "d2": 1, "d3": 2, "d4": 3})
"""The names of the discard piles, with their indexes in `Side.discards`."""


@dataclass(frozen=True, slots=True)
class Play:
    """Play one card onto a foundation."""

    source: str
    """`stock`, the name of a discard pile, or the face of a card in hand."""

    target: str
    """`f1` for the oldest foundation on the table, `f2` and so on, or `new`."""

    kind: Literal["play"] = "play"

    def __str__(self) -> str:
        return f"{self.source}>{self.target}"


@dataclass(frozen=True, slots=True)
class Discard:
    """Discard one or more cards of one face from the hand onto a pile, which ends the turn."""

    face: Face
    count: int
    pile: str
    kind: Literal["discard"] = "discard"

    def __str__(self) -> str:
        number = "" if self.count == 1 else f"x{self.count}"
        return f"{self.face}{number}>{self.pile}"


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw until the hand has five cards, at the start of a turn under strict draw (R32)."""

    kind: Literal["draw"] = "draw"

    def __str__(self) -> str:
        return "draw"


Move = Play | Discard | Draw

_NOTATION: Final = re.compile(
    r"""\s* (?P<source> stock | d \s* [1-4] | [2-9] | 10 | [ajqk*] ) \s*
        (?: x \s* (?P<count> [1-9]) \s* )? > \s*
        (?P<target> new | d \s* [1-4] | f \s* [1-9][0-9]? ) \s*""",
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)


def parse(text: str) -> Move:
    """The move that a text stands for; ValueError, with a sentence, for any other text."""
    plain = " ".join(text.split())  # spaces of any kind; the pattern knows ASCII alone
    if plain.lower() == "draw":
        return Draw()
    match = _NOTATION.fullmatch(plain)
    if match is None:
        raise ValueError(
            f"{text[:40]!r} isn't a move. Write a source and a target, for example stock>f1, "
            "7>new, d2>f3, or 7x2>d1 to discard."
        )
    source, target = ("".join(match[part].lower().split()) for part in ("source", "target"))
    face = FACE_NAMED.get(source.upper())
    if target in PILES:
        if face is None:
            raise ValueError("You can only discard cards from your hand, for example 7>d2.")
        return Discard(face, int(match["count"] or 1), target)
    if match["count"]:
        raise ValueError("Cards go onto a foundation one at a time. Only discards take a number.")
    return Play(face or source, target)
