"""The life of a match: open, accept, decline, withdraw, submit, change, resolve, concede."""

from bot.matches.challenge import Challenge
from bot.matches.resolution import Turn
from bot.matches.service import Matches
from bot.matches.snapshots import Look, Place

__all__ = ["Challenge", "Look", "Matches", "Place", "Turn"]
