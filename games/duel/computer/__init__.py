"""The computer player of the tile duel: at random, which is exact, or by modeling its opponent."""

from games.duel.computer.player import DuelComputer

__all__ = ["DuelComputer"]
