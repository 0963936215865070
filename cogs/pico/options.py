"""The options of a match of Pico: read from `/pico play`, and described in a few words."""

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
"""The label of each preset in `/pico play`."""


def options_from(variant: str | None, opponents: int) -> Options:
    """The options of a variant; None means the default for this many opponents.

    `opponents` doesn't count the challenger. The default is 13 cards, with two opponents Pico I for
    three.
    """
    usual = "standard" if opponents < 2 else "pico1-three"
    return PICO.presets[variant or usual]


def named(options: Options) -> str:
    """What the deck is called."""
    return VARIANTS[options.deck]
