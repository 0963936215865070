"""How the computer plays Pico: by the exact solution for two, by heuristics for three."""

from games.pico.computer.player import PicoComputer

__all__ = ["PicoComputer"]
