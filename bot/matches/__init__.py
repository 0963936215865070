"""The life of a match, from the challenge to the result; only snapshots leave this package."""

from bot.matches.challenge import Challenge
from bot.matches.effect import Effect
from bot.matches.loaded import ROUND_OVER
from bot.matches.service import Matches
from bot.matches.snapshots import MatchSnapshot, PublicSnapshot, SeatInfo, SeatSnapshot, Snapshot

__all__ = [
    "ROUND_OVER",
    "Challenge",
    "Effect",
    "MatchSnapshot",
    "Matches",
    "PublicSnapshot",
    "SeatInfo",
    "SeatSnapshot",
    "Snapshot",
]
