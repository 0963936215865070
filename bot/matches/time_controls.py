"""How long moves, reserves, answers to challenges, pauses and silence may last."""

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
"""The time for a turn; None without a clock."""

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
"""The time after which an unanswered challenge expires."""

RESERVE: Mapping[TimeControl, timedelta] = MappingProxyType(
    {"today_reserve": timedelta(hours=6), "slow_reserve": timedelta(days=3)}
)
"""Each seat's reserve for the whole match, used up by moves that take longer than a turn."""

WITHOUT_RESERVE: Mapping[TimeControl, TimeControl] = MappingProxyType(
    {"today_reserve": "today", "slow_reserve": "slow"}
)
"""The time control with the same time for a turn, but no reserve."""

SLOW: Final[frozenset[TimeControl]] = frozenset({"slow", "slow_reserve", "relaxed"})
"""The time controls with a day or more for a turn, whose clocks a vacation stops."""

MAX_PAUSE: Final = timedelta(days=14)
"""After this time, a match that was paused by agreement resumes by itself."""

SILENCE: Final = timedelta(days=30)
"""After this time without a move, a match without a clock ends without a result; so does one that
has lost its channel, after this time without being resumed."""

SILENCE_WARNING: Final = timedelta(days=3)
"""How long before the end by silence the players who owe a move are warned."""

LAST_REMINDER: Final = timedelta(hours=1)
"""How long before a deadline players are reminded a second time, if they want that."""

TURN_GRACE: Final = timedelta(minutes=1)
"""How long after its start players are notified of their turn, if they still owe a move."""


def remind_at(time_control: TimeControl, deadline: int, before: int | None) -> int | None:
    """When a player is reminded of a deadline: `before` seconds ahead, or a quarter of a turn.

    Never in the first half of a turn. None for time controls without reminders.
    """
    whole = MOVE[time_control]
    if whole is None or time_control == "live":
        return None
    seconds = int(whole.total_seconds())
    return deadline - min(seconds // 4 if before is None else before, seconds // 2)


def last_reminder_at(time_control: TimeControl, deadline: int) -> int | None:
    """When a player who wants that is reminded a second time; None unless turns are slow."""
    return deadline - int(LAST_REMINDER.total_seconds()) if time_control in SLOW else None


def expiry(time_control: TimeControl, now: int) -> int:
    """When a challenge made at `now` expires; both are Unix times, in seconds."""
    return now + int(ANSWER[time_control].total_seconds())
