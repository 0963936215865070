"""How the computer plays Spite and Malice: greedily, by habit, or by games played ahead."""

from games.spite.computer.player import SpiteComputer

__all__ = ["SpiteComputer"]
