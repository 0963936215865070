"""What was agreed upon, from the options of the command, and named in a few words."""

from typing import Final

from games.pico import PICO, Options
from games.pico.decks import DeckName

VARIANTS: Final[dict[DeckName, str]] = {
    "standard": "13 cards",
    "pico1": "Pico I, 11 cards",
    "pico2": "Pico II, 11 cards",
    "pico1-three": "Pico I for three",
    "pico2-three": "Pico II for three",
}
"""The presets by what stands in the command."""


def agreed(variant: str | None, opponents: int) -> Options:
    """The variant that was wished for; where none is named, the usual one for those opponents."""
    usual = "standard" if opponents < 2 else "pico1-three"
    return PICO.presets[variant or usual]


def named(options: Options) -> str:
    """The cards that are played with, in a few words."""
    return VARIANTS[options.deck]
