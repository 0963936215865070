"""Limits work to once a minute, though a match or a notice may be due every second.

The work looks at all servers, or deletes what is kept for a limited time. At every look it would
cost a busy bot more than what is due.
"""

from collections.abc import Awaitable, Callable
from typing import Final

PAUSE_SECONDS: Final = 55.0
"""Less than the minute after which the clock looks again at the latest: a look may get to its
upkeep some milliseconds sooner than the one before, and must not skip it for that."""


class EveryMinute:
    """Tells at which looks work has to be done: those that are a minute apart."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._done_at = float("-inf")

    def begin_if_due(self) -> bool:
        """Whether the work is due now; if so, it counts as begun, and the next pause starts."""
        now = self._now()
        if 0 <= now - self._done_at < PAUSE_SECONDS:  # negative: the clock was set back
            return False
        self._done_at = now
        return True

    def hurry(self) -> None:
        """Make the work due at once."""
        self._done_at = float("-inf")


def every_minute(
    work: Callable[[], Awaitable[None]], now: Callable[[], float]
) -> Callable[[], Awaitable[None]]:
    """The same work, skipped if it was begun less than PAUSE_SECONDS ago."""
    pause = EveryMinute(now)

    async def work_if_due() -> None:
        if pause.begin_if_due():
            await work()

    return work_if_due
