"""The time people get for what they could not do while the bot was away.

As long as it was away, up to all the time there is for a move or for an answer: so an absence
costs nobody their turn, and nobody a challenge. A short one gives a few minutes at least.
"""

from collections.abc import Mapping
from datetime import timedelta
from types import MappingProxyType
from typing import Final

from bot.matches.reopenings import WEEK
from bot.matches.time_controls import ANSWER, MOVE, SILENCE
from bot.storage import TimeControl
from bot.storage.deadlines import Grace

AWAY: Final = 30.0
"""Seconds without a connection from which on the bot was away: most are back in one or two."""

LEAST: Final[Mapping[TimeControl, timedelta]] = MappingProxyType(
    {
        "live": timedelta(minutes=2),
        "today": timedelta(minutes=10),
        "today_reserve": timedelta(minutes=10),
        "slow": timedelta(minutes=10),
        "slow_reserve": timedelta(minutes=10),
        "relaxed": timedelta(minutes=10),
        "none": timedelta(minutes=10),
    }
)
"""However short the absence was."""

LEAST_FOR_RESULTS: Final = timedelta(minutes=10)

QUIET: Final = timedelta(days=1)
"""For a match that 30 days of silence have ended meanwhile."""

LONG: Final = 600.0
"""Seconds of absence after which people are told once more that it's their turn, where it gave them
grace: whoever tried to move has given up by then, and was told long before."""


def grace_for(away: float) -> Grace:
    """What an absence of so many seconds gives.

    No challenge goes on whose time was up for as long as silence lasts: nobody waits for it.
    """
    return Grace(
        moves={
            time_control: _between(LEAST[time_control], away, whole)
            for time_control, whole in MOVE.items()
            if whole is not None
        },
        answers={
            time_control: _between(LEAST[time_control], away, whole)
            for time_control, whole in ANSWER.items()
        },
        answers_within=int(SILENCE.total_seconds()),
        quiet=int(QUIET.total_seconds()),
        results=_between(LEAST_FOR_RESULTS, away, WEEK),
    )


def _between(least: timedelta, away: float, most: timedelta) -> int:
    return int(max(least.total_seconds(), min(away, most.total_seconds())))
