"""Divide and Conquer (tiles): the higher tile wins, unless the lower divides it or is one less."""

from games.duel.rules import DUEL, Duel, Options, Pair, State, Tile, View, beats, verdict
from games.duel.tiles import HALVES, SETS, TileSet

__all__ = [
    "DUEL",
    "HALVES",
    "SETS",
    "Duel",
    "Options",
    "Pair",
    "State",
    "Tile",
    "TileSet",
    "View",
    "beats",
    "verdict",
]
