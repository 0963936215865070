"""The computer player of Spite and Malice: greedy, by rules of thumb, or by playouts."""

from games.spite.computer.player import SpiteComputer

__all__ = ["SpiteComputer"]
