"""The life of a match: open, accept, decline, withdraw, submit, change, resolve, concede."""

from bot.matches.challenge import Challenge
from bot.matches.life import Matches
from bot.matches.looks import Look, Place
from bot.matches.resolution import Turn

__all__ = ["Challenge", "Look", "Matches", "Place", "Turn"]
