"""How the computer plays the tile duel: evenly, which is exact, or by a model of its opponent."""

from games.duel.computer.player import DuelComputer

__all__ = ["DuelComputer"]
