"""What was agreed upon: the variants, by what stands in the command."""

from typing import Final

from games.pico.decks import DeckName

VARIANTS: Final[dict[DeckName, str]] = {
    "standard": "13 cards",
    "pico1": "Pico I, 11 cards",
    "pico2": "Pico II, 11 cards",
    "pico1-three": "Pico I for three",
    "pico2-three": "Pico II for three",
}

USUAL: Final = {1: "standard", 2: "pico1-three"}
"""The variant for so many opponents, where none is named."""
