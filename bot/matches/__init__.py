"""The life of a match: open, accept, decline, withdraw, submit, change, resolve, concede."""

from bot.matches.challenge import Challenge
from bot.matches.effect import Effect
from bot.matches.loaded import ROUND_OVER
from bot.matches.service import Matches
from bot.matches.snapshots import MatchSnapshot, Place, PublicSnapshot, SeatSnapshot, Snapshot

__all__ = [
    "ROUND_OVER",
    "Challenge",
    "Effect",
    "MatchSnapshot",
    "Matches",
    "Place",
    "PublicSnapshot",
    "SeatSnapshot",
    "Snapshot",
]
