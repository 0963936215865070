"""The life of a match: open, accept, decline, withdraw, submit, change, resolve, concede."""

from bot.matches.challenge import Challenge
from bot.matches.loaded import ROUND_OVER
from bot.matches.service import Matches
from bot.matches.snapshots import MatchSnapshot, Place, PublicSnapshot, SeatSnapshot, Snapshot
from bot.matches.turn import Turn

__all__ = [
    "ROUND_OVER",
    "Challenge",
    "MatchSnapshot",
    "Matches",
    "Place",
    "PublicSnapshot",
    "SeatSnapshot",
    "Snapshot",
    "Turn",
]
