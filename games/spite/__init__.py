"""Spite and Malice: be the first to play all of your stock, and block your opponent's."""

from games.spite.cards import Face
from games.spite.moves import Discard, Draw, Move, Play
from games.spite.options import Options
from games.spite.rules import SPITE, Spite
from games.spite.state import GameResult, Side, State
from games.spite.view import SideView, View

__all__ = [
    "SPITE",
    "Discard",
    "Draw",
    "Face",
    "GameResult",
    "Move",
    "Options",
    "Play",
    "Side",
    "SideView",
    "Spite",
    "State",
    "View",
]
