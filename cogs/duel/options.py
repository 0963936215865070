"""What was agreed upon: the variants of the tile duel."""

from typing import Final

VARIANTS: Final = {"standard": "10 tiles, five each", "large": "14 tiles, seven each"}
"""The presets by what stands in the command."""
