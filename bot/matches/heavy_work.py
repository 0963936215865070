"""Limits on slow requests: one at a time for each user, and so many an hour."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

from bot.errors import HurriedError
from bot.rate_limit import RateLimit
from bot.text import minutes


class HeavyWork:
    """Keeps one user from taking all the time of a process that others wait for too.

    Each user's requests wait for each other, so that everyone else waits for one of them at most.
    """

    def __init__(self, what: str, most: int, *, now: Callable[[], float]) -> None:
        self._what = what
        self._limit = RateLimit(most, now=now)
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    def count(self, user: int) -> None:
        """Count a request of this user; raises HurriedError beyond the limit per hour."""
        wait = self._limit.take(user)
        if wait:
            raise HurriedError(
                f"You've asked for {self._limit.most} {self._what} within an hour. Try again in "
                f"{minutes(wait)}."
            )

    @asynccontextmanager
    async def turn(self, user: int) -> AsyncIterator[None]:
        """Count a request, as `count`, and wait until no other one of this user is under way."""
        self.count(user)
        lock = self._locks.get(user)
        if lock is None:
            lock = self._locks[user] = asyncio.Lock()
        async with lock:
            yield
