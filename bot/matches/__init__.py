"""The life of a match: open, accept, decline, withdraw, submit, change, resolve, concede."""

from bot.matches.challenge import Challenge
from bot.matches.resolution import Turn
from bot.matches.service import Matches
from bot.matches.snapshots import Place, Snapshot

__all__ = ["Challenge", "Matches", "Place", "Snapshot", "Turn"]
