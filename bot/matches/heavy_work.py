"""What takes a process a while: one thing at a time for each person, and so many an hour."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

from bot.errors import HurriedError
from bot.rate_limit import RateLimit
from bot.text import minutes


class HeavyWork:
    """Keeps one person from taking all the time of a process that others wait for too.

    Whoever asks for much stands in a line of their own, so that everybody else's turn comes after
    one thing of theirs at most.
    """

    def __init__(self, what: str, most: int, *, now: Callable[[], float]) -> None:
        self._what = what
        self._limit = RateLimit(most, now=now)
        self._lines: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    def count(self, user: int) -> None:
        """Count one thing for this person; HurriedError if it is one too many for an hour."""
        wait = self._limit.take(user)
        if wait:
            raise HurriedError(
                f"You've asked for {self._limit.most} {self._what} within an hour. Try again in "
                f"{minutes(wait)}."
            )

    @asynccontextmanager
    async def turn(self, user: int) -> AsyncIterator[None]:
        """Count one thing, and wait until nothing else of this person is under way."""
        self.count(user)
        line = self._lines.get(user)
        if line is None:
            line = self._lines[user] = asyncio.Lock()
        async with line:
            yield

    def forget(self, user: int) -> None:
        """Remember nothing of this person."""
        self._limit.forget(user)
