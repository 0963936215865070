"""How the computer plays Divide & Conquer (board): by playouts of its candidate moves."""

from games.conquest.computer.player import ConquestComputer

__all__ = ["ConquestComputer"]
