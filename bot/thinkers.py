"""Processes that think for computers and for the coach: one thing each at a time, in order.

What is urgent goes first; whoever asks can see how much of that waits, and ask for less.
"""

import asyncio
import heapq
import os
from collections.abc import Callable
from itertools import count
from types import TracebackType
from typing import Any, Final, Protocol, Self, TypeVar

from bot.thoughts import wake
from bot.workers import Workers

T = TypeVar("T")

NICENESS: Final = 10
"""Behind the bot and its drawing, which people wait for too."""

MOST: Final = 4
"""Processes at most: each holds what a game's computer has computed for its matches."""

LEAST: Final = 1.0
"""Seconds that everything has which has waited for its process: ending one that has only just begun
would let all who wait behind it wait for a new one."""

WAKING: Final = 60.0
"""Seconds in which a process may load what it needs when the bot starts."""


class Thinking(Protocol):
    """Whoever thinks beside the event loop, or pretends to."""

    @property
    def crowd(self) -> int:
        """How many urgent thoughts a process has to think in all, with one that comes now."""

    async def run(
        self,
        seconds: float,
        work: Callable[..., T],
        *args: Any,  # noqa: ANN401 - passed on as they are
        urgent: bool = True,
    ) -> T:
        """The result of a module's function; TimeoutError if it is not there in so many seconds.

        What gets its turn only then has a second more.
        """

    async def wake(self) -> None:
        """Be ready, so that the first who needs it does not wait for a process to start."""


class Thinkers:
    def __init__(self, slots: int | None = None) -> None:
        self._slots = [Workers(1, NICENESS) for _ in range(slots or cores_to_spare())]
        self._free = list(self._slots)
        self._line: list[tuple[bool, int, asyncio.Future[Workers]]] = []
        self._numbers = count()
        self._urgent = 0

    async def __aenter__(self) -> Self:
        for slot in self._slots:
            await slot.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for slot in self._slots:
            slot.end_all()  # what it still thinks about, nobody waits for
            await slot.__aexit__(kind, error, trace)

    @property
    def crowd(self) -> int:
        return self._urgent // len(self._slots) + 1

    async def run(
        self,
        seconds: float,
        work: Callable[..., T],
        *args: Any,  # noqa: ANN401 - passed on as they are
        urgent: bool = True,
    ) -> T:
        until = asyncio.get_running_loop().time() + seconds
        self._urgent += urgent
        try:
            slot = await self._take(seconds, urgent=urgent)
            try:
                rest = max(LEAST, until - asyncio.get_running_loop().time())
                return await slot.run_within(rest, work, *args)
            finally:
                self._give_back(slot)
        finally:
            self._urgent -= urgent

    async def wake(self) -> None:
        await asyncio.gather(*(self.run(WAKING, wake, urgent=False) for _ in self._slots))

    async def _take(self, seconds: float, *, urgent: bool) -> Workers:
        """A process that has nothing to do, in turn."""
        if self._free:
            return self._free.pop()
        waiting: asyncio.Future[Workers] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._line, (not urgent, next(self._numbers), waiting))
        try:
            async with asyncio.timeout(seconds):
                return await waiting
        except BaseException:
            if waiting.done() and not waiting.cancelled():  # it came at the very moment
                self._give_back(waiting.result())
            raise

    def _give_back(self, slot: Workers) -> None:
        while self._line:
            waiting = heapq.heappop(self._line)[-1]
            if not waiting.done():  # or whoever waited is gone
                waiting.set_result(slot)
                return
        self._free.append(slot)


def cores_to_spare() -> int:
    """How many processes may think: one core is the bot's."""
    return max(1, min(MOST, len(os.sched_getaffinity(0)) - 1))
