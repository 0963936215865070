"""Prize Dominoes: win hands of dominoes, and collect all numbers from 0 to 6 in prizes."""

from games.prize.moves import Choose, Draw, Move, Open, Pass, Place, Prize, Take
from games.prize.rules import PRIZE, PrizeDominoes
from games.prize.state import Event, HandResult, Options, State
from games.prize.tiles import DOMINOES, End, Tile
from games.prize.view import View

__all__ = [
    "DOMINOES",
    "PRIZE",
    "Choose",
    "Draw",
    "End",
    "Event",
    "HandResult",
    "Move",
    "Open",
    "Options",
    "Pass",
    "Place",
    "Prize",
    "PrizeDominoes",
    "State",
    "Take",
    "Tile",
    "View",
]
