"""Work that is due for a key: done soon or at once, never twice at a time, retried if it fails."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Set
from typing import Final, Generic, TypeVar

K = TypeVar("K", bound=Hashable)

RETRY: Final = (2.0, 5.0, 15.0, 60.0)
"""Seconds until failed work is tried again, by failures in a row; the last for all further ones."""


class WorkQueue(Generic[K]):
    """Calls `work(key)` when the key is due; `work` returns whether it succeeded and never raises.

    Marks made before the work begins count as one, marks made while it runs make the key due again,
    and marks made after `close` are ignored.
    """

    def __init__(self, work: Callable[[K], Awaitable[bool]]) -> None:
        self._work = work
        self._due: dict[K, float] = {}
        self._wake: dict[K, asyncio.Event] = {}
        self._tasks: dict[K, asyncio.Task[None]] = {}
        self._closed = False

    def schedule(self, key: K, delay: float = 0.0) -> asyncio.Task[None]:
        """Make a key due in `delay` seconds, unless it's due earlier; returns the key's task."""
        due = asyncio.get_running_loop().time() + delay
        self._due[key] = min(due, self._due.get(key, due))
        self._wake.setdefault(key, asyncio.Event()).set()
        if key not in self._tasks:
            self._tasks[key] = asyncio.create_task(self._keep(key))
        return self._tasks[key]

    @property
    def keys(self) -> Set[K]:
        """The keys that are due or worked on."""
        return self._tasks.keys()

    @property
    def busy(self) -> int:
        """How many keys are due or worked on."""
        return len(self._tasks)

    async def close(self) -> None:
        """Drop what is due, ignore later marks, cancel running work and wait for its end."""
        self._closed = True
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _keep(self, key: K) -> None:
        failed = 0
        try:
            while key in self._due and not self._closed:
                await self._until_due(key)
                del self._due[key]
                if await self._work(key):
                    failed = 0
                else:
                    self.schedule(key, RETRY[min(failed, len(RETRY) - 1)])
                    failed += 1
        finally:
            self._due.pop(key, None)
            del self._wake[key]
            del self._tasks[key]

    async def _until_due(self, key: K) -> None:
        clock = asyncio.get_running_loop().time
        while (wait := self._due[key] - clock()) > 0:
            self._wake[key].clear()
            try:
                # Not wait_for: Python 3.11's loses a cancellation that comes with the wake.
                async with asyncio.timeout(wait):
                    await self._wake[key].wait()
            except TimeoutError:
                return
