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
        "today_reserve": timedelta(hours=1),
        "slow": timedelta(days=1),
        "slow_reserve": timedelta(days=1),
        "relaxed": timedelta(days=3),
        "none": None,
    }
)
"""The time for a turn; None where there is no clock."""

ANSWER: Mapping[TimeControl, timedelta] = MappingProxyType(
    {
        "live": timedelta(minutes=30),
        "today": timedelta(hours=12),
        "today_reserve": timedelta(hours=12),
        "slow": timedelta(days=3),
        "slow_reserve": timedelta(days=3),
        "relaxed": timedelta(days=7),
        "none": timedelta(days=7),
    }
)
"""The time until a challenge that nobody answers expires."""

RESERVE: Mapping[TimeControl, timedelta] = MappingProxyType(
    {"today_reserve": timedelta(hours=6), "slow_reserve": timedelta(days=3)}
)
"""What a seat has in reserve for the whole match; it is used up by moves that take too long."""

WITHOUT_RESERVE: Mapping[TimeControl, TimeControl] = MappingProxyType(
    {"today_reserve": "today", "slow_reserve": "slow"}
)
"""The same times for a move, without a reserve."""

SLOW: Final[frozenset[TimeControl]] = frozenset({"slow", "slow_reserve", "relaxed"})
"""Where a move may take a day or more, so that a vacation lets the clock rest."""

MAX_PAUSE: Final = timedelta(days=14)
"""After so long, a match that was paused by agreement goes on by itself."""

SILENCE: Final = timedelta(days=30)
"""After so long without a move, a match without a clock ends without a result."""

SILENCE_WARNING: Final = timedelta(days=3)
"""So long before that, those whose turn it is are told."""

LAST_REMINDER: Final = timedelta(hours=1)
"""So long before a deadline those are reminded once more who want that."""

TURN_GRACE: Final = timedelta(minutes=1)
"""After so long people are told that their turn has begun, if they have not chosen by then."""


def remind_at(time_control: TimeControl, deadline: int, before: int | None) -> int | None:
    """When somebody is reminded of a deadline, so many seconds before or a quarter of the time.

    Never in the first half of the time; None at a time control without reminders.
    """
    whole = MOVE[time_control]
    if whole is None or time_control == "live":
        return None
    seconds = int(whole.total_seconds())
    return deadline - min(seconds // 4 if before is None else before, seconds // 2)


def last_reminder_at(time_control: TimeControl, deadline: int) -> int | None:
    """When somebody who wants that is reminded once more; None where moves are not slow."""
    return deadline - int(LAST_REMINDER.total_seconds()) if time_control in SLOW else None


def expiry(time_control: TimeControl, now: int) -> int:
    """When a challenge made now expires, in seconds since 1970."""
    return now + int(ANSWER[time_control].total_seconds())
