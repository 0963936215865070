"""The computer player of Divide & Conquer (board): by playouts of candidate moves."""

from games.conquest.computer.player import ConquestComputer

__all__ = ["ConquestComputer"]
