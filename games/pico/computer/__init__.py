"""The computer player of Pico: by the exact solution for two, by estimates for three."""

from games.pico.computer.player import PicoComputer

__all__ = ["PicoComputer"]
