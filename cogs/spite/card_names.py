"""What cards are called: on a card, on a button, in a sentence."""

from collections.abc import Sequence
from typing import Final

from games.spite import Face, View
from games.spite.cards import RANKS, WILDNESS

STAR = "\N{BLACK STAR}"


def printed_face(face: Face) -> str:
    """What's printed on a card: its rank, or a star for a joker."""
    return STAR if face == "*" else face


def spoken_name(source: str) -> str:
    """What a card, or another source of a play, is called in a sentence."""
    return "joker" if source == "*" else source


def counted_as(face: Face, rank: Face) -> str:
    """A card, and the rank it counts as if that's another one: `K as 5`."""
    return spoken_name(face) if face == rank else f"{spoken_name(face)} as {rank}"


_NUMBERS: Final = ("no", "one", "two", "three", "four", "five")


def cards_in_sentence(face: Face, count: int) -> str:
    """One to five equal cards in a sentence: `9`, `two 9s`."""
    return spoken_name(face) if count == 1 else f"{_NUMBERS[count]} {spoken_name(face)}s"


def cards_on_button(face: Face, count: int) -> str:
    """Equal cards on a button, with their number if there are several."""
    return (
        spoken_name(face) if count == 1 else f"{spoken_name(face)} \N{MULTIPLICATION SIGN}{count}"
    )


def is_wild(view: View, face: Face) -> bool:
    return face in WILDNESS[view.options.jokers].wild


def needed(pile: Sequence[Face]) -> Face:
    """The rank that a foundation takes next."""
    return RANKS[len(pile)]
