"""How long things may take: a move at each pace, an answer to a challenge, silence."""

from collections.abc import Mapping
from datetime import timedelta
from types import MappingProxyType
from typing import Final

from bot.storage import TimeControl

MOVE: Mapping[TimeControl, timedelta | None] = MappingProxyType(
    {
        "live": timedelta(minutes=2),
        "today": timedelta(hours=1),
        "slow": timedelta(days=1),
        "relaxed": timedelta(days=3),
        "none": None,
    }
)
"""The time for a turn; None where there is no clock."""

ANSWER: Mapping[TimeControl, timedelta] = MappingProxyType(
    {
        "live": timedelta(minutes=30),
        "today": timedelta(hours=12),
        "slow": timedelta(days=3),
        "relaxed": timedelta(days=7),
        "none": timedelta(days=7),
    }
)
"""The time until a challenge that nobody answers expires."""

SILENCE: Final = timedelta(days=30)
"""After so long without a move, a match without a clock ends without a result."""


def due(time_control: TimeControl, now: int) -> int:
    """When the clock acts on a turn that begins now, in seconds since 1970."""
    return now + int((MOVE[time_control] or SILENCE).total_seconds())


def expiry(time_control: TimeControl, now: int) -> int:
    """When a challenge made now expires, in seconds since 1970."""
    return now + int(ANSWER[time_control].total_seconds())
