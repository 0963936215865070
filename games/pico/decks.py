"""The decks of Pico as data (R2, R3, R6)."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

DeckName = Literal["standard", "pico1", "pico2", "pico1-three", "pico2-three"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Deck:
    """The cards of a variant and how they are dealt."""

    cards: tuple[int, ...]
    """The faces in ascending order; a face occurs twice where two sets are mixed."""

    dots: Mapping[int, int]
    """The red dots of each face, which a won card scores."""

    seats: int
    hand: int
    """The number of cards in a hand; one card of the deck is left over, face up."""

    rounds: int


_DOTS_1: Final = MappingProxyType(
    {2: 1, 3: 1, 4: 2, 5: 2, 6: 2, 7: 2, 8: 3, 9: 3, 10: 3, 13: 3, 16: 4}
)
_DOTS_2: Final = MappingProxyType(
    {4: 1, 5: 2, 6: 2, 7: 2, 8: 3, 9: 3, 10: 3, 11: 3, 12: 3, 13: 3, 16: 4}
)
_DOTS_13: Final = MappingProxyType(
    {2: 1, 3: 1, 4: 2, 5: 2, 6: 2, 7: 2, 8: 3, 9: 3, 10: 3, 11: 3, 12: 3, 13: 3, 16: 4}
)

DECKS: Final[Mapping[DeckName, Deck]] = MappingProxyType(
    {
        "standard": Deck(cards=tuple(_DOTS_13), dots=_DOTS_13, seats=2, hand=6, rounds=2),
        "pico1": Deck(cards=tuple(_DOTS_1), dots=_DOTS_1, seats=2, hand=5, rounds=2),
        "pico2": Deck(cards=tuple(_DOTS_2), dots=_DOTS_2, seats=2, hand=5, rounds=2),
        "pico1-three": Deck(
            cards=(3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 13, 13, 16, 16),
            dots=_DOTS_1,
            seats=3,
            hand=6,
            rounds=3,
        ),
        "pico2-three": Deck(
            cards=(5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 16, 16),
            dots=_DOTS_2,
            seats=3,
            hand=6,
            rounds=3,
        ),
    }
)
