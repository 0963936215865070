"""Cards in words: what a face is called on a button, in a sentence, and what it counts as."""

from collections.abc import Sequence
from typing import Final

from games.spite import Face, View
from games.spite.cards import RANKS, WILDNESS

STAR = "\N{BLACK STAR}"


def shown(face: Face) -> str:
    """How a card says its face: the rank, or a star for a joker."""
    return STAR if face == "*" else face


def said(source: str) -> str:
    """How a card, or another source of a play, is called in a sentence."""
    return "joker" if source == "*" else source


def counted_as(face: Face, rank: Face) -> str:
    """A card and, where it is wild, the rank it counts as."""
    return said(face) if face == rank else f"{said(face)} as {rank}"


_NUMBERS: Final = ("no", "one", "two", "three", "four", "five")


def together(face: Face, count: int) -> str:
    """Equal cards together, as one would say it: `9`, or `two 9s`."""
    return said(face) if count == 1 else f"{_NUMBERS[count]} {said(face)}s"


def group(face: Face, count: int) -> str:
    """Equal cards together, on a button."""
    return said(face) if count == 1 else f"{said(face)} \N{MULTIPLICATION SIGN}{count}"


def is_wild(view: View, face: Face) -> bool:
    return face in WILDNESS[view.options.jokers].wild


def needed(pile: Sequence[Face]) -> Face:
    """The rank that a foundation takes next."""
    return RANKS[len(pile)]
