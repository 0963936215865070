"""The cards as data: two packs, the wild cards, the height of foundations (R29, R30, R35)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, get_args

Face = Literal["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "*"]
"""A card. Suits never matter, so it is given by its rank; `*` is a joker."""

Jokers = Literal["none", "with-kings", "instead"]

FACES: Final[tuple[Face, ...]] = get_args(Face)
RANKS: Final = FACES[:13]
"""The ranks in ascending order: the n-th card of a foundation counts as the n-th of them."""

JOKER: Final[Face] = "*"
ORDER: Final[Mapping[Face, int]] = MappingProxyType({face: i for i, face in enumerate(FACES)})
FACE_NAMED: Final[Mapping[str, Face]] = MappingProxyType({face: face for face in FACES})


@dataclass(frozen=True, slots=True, kw_only=True)
class Wildness:
    """What depends on the option `jokers`."""

    wild: tuple[Face, ...]
    height: int
    """The number of cards in a complete foundation."""

    second_pack: tuple[Face, ...]


FIRST_PACK: Final = RANKS * 4
"""The pack from which the stocks are dealt."""

WILDNESS: Final[Mapping[Jokers, Wildness]] = MappingProxyType(
    {
        "none": Wildness(wild=("K",), height=12, second_pack=RANKS * 4),
        "with-kings": Wildness(wild=("K", JOKER), height=12, second_pack=FACES * 4),
        "instead": Wildness(wild=(JOKER,), height=13, second_pack=FACES * 4),
    }
)


def arranged(cards: Sequence[Face]) -> tuple[Face, ...]:
    """The cards of a hand in ascending order, kings and jokers last."""
    return tuple(sorted(cards, key=ORDER.__getitem__))


def without(cards: tuple[Face, ...], face: Face, count: int = 1) -> tuple[Face, ...]:
    """An arranged hand without `count` cards of one face."""
    i = cards.index(face)
    return cards[:i] + cards[i + count :]
