"""The variants of the tile duel: in `/duel play`, and described in a few words."""

from typing import Final

from games.duel import Options

VARIANTS: Final = {"standard": "10 tiles, five each", "large": "14 tiles, seven each"}
"""The label of each preset in `/duel play`."""


def named(options: Options) -> str:
    """What the set of tiles is called."""
    return f"{options.tiles} tiles"
