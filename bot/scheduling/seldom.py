"""What may wait a minute, though a match or a notice may be due every second.

It looks at all servers, or deletes what is kept for a while only. Done at each of these moments, it
would cost a busy bot more than what is due.
"""

from collections.abc import Awaitable, Callable
from typing import Final

MINUTE: Final = 60.0


class Seldom:
    """Says when something is to be done again, a minute after it was done."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._done_at = float("-inf")

    def is_due(self) -> bool:
        """Whether it is to be done now, from which on the next minute counts."""
        now = self._now()
        if 0 <= now - self._done_at < MINUTE:  # less than none: the clock was set back
            return False
        self._done_at = now
        return True

    def hurry(self) -> None:
        """Let it be due at once."""
        self._done_at = float("-inf")


def seldom(
    work: Callable[[], Awaitable[None]], now: Callable[[], float]
) -> Callable[[], Awaitable[None]]:
    """The same work, left out where it was begun within the minute before."""
    pause = Seldom(now)

    async def work_if_due() -> None:
        if pause.is_due():
            await work()

    return work_if_due
