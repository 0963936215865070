"""What was agreed upon: the variants of the tile duel, and one named in a few words."""

from typing import Final

from games.duel import Options

VARIANTS: Final = {"standard": "10 tiles, five each", "large": "14 tiles, seven each"}
"""The presets by what stands in the command."""


def named(options: Options) -> str:
    """The set that is played with, in a few words."""
    return f"{options.tiles} tiles"
