"""What may wait a minute, though a match or a notice may be due every second.

It looks at all servers, or deletes what is kept for a while only. Done at each of these moments, it
would cost a busy bot more than what is due.
"""

from collections.abc import Awaitable, Callable
from typing import Final

PAUSE_SECONDS: Final = 55.0
"""Less than the minute after which the clock looks again at the latest: a look comes to its upkeep
some milliseconds sooner or later than the one before, and must not be left out for that."""


class Seldom:
    """Says when something is to be done again: at the looks that are a minute apart."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._done_at = float("-inf")

    def is_due(self) -> bool:
        """Whether it is to be done now, from which on the next pause counts."""
        now = self._now()
        if 0 <= now - self._done_at < PAUSE_SECONDS:  # less than none: the clock was set back
            return False
        self._done_at = now
        return True

    def hurry(self) -> None:
        """Let it be due at once."""
        self._done_at = float("-inf")


def seldom(
    work: Callable[[], Awaitable[None]], now: Callable[[], float]
) -> Callable[[], Awaitable[None]]:
    """The same work, left out where it was begun within the pause before."""
    pause = Seldom(now)

    async def work_if_due() -> None:
        if pause.is_due():
            await work()

    return work_if_due
