"""Processes that think for computers and for the coach: one thing each at a time, in order.

What is urgent goes first; who asks can see how much of that waits, and ask for less.
"""

import asyncio
import heapq
import os
from collections.abc import Callable
from itertools import count
from typing import Any, Final, Protocol, Self, TypeVar

from bot.computers.jobs import wake
from bot.messaging.process_pool import ProcessPool

T = TypeVar("T")

NICENESS: Final = 10
"""Behind the bot and its drawing, which people wait for too.

With Linux's SCHED_IDLE it would cost clicks nothing, and a computer would never get to move on a
machine whose other programs keep all cores busy. Nor may a process without rights leave that again.
"""

MAX_PROCESSES: Final = 4
"""Processes at most: each holds what a game's computer has computed for its matches."""

MIN_SECONDS: Final = 1.0
"""Seconds that everything has which has waited for its process."""

HUNG_SECONDS: Final = 20.0
"""Seconds after which a process is ended. Where a machine is busy it may only be slow, and to begin
a new one takes longer than many a thought; so it is not ended as soon as nobody waits for it."""

WAKING_SECONDS: Final = 60.0
"""Seconds in which a process may load what it needs when the bot starts."""


class Pool(Protocol):
    """What thinks beside the event loop, or pretends to."""

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


class InPlace:
    """Computes at once, as a pool or a single process: where none are to be started."""

    crowd = 1

    async def run(
        self,
        seconds: float,
        work: Callable[..., T],
        *args: Any,  # noqa: ANN401 - passed on as they are
        urgent: bool = True,
    ) -> T:
        del seconds, urgent
        return work(*args)

    async def run_within(self, seconds: float, work: Callable[..., T], *args: Any) -> T:  # noqa: ANN401 - passed on
        del seconds
        return work(*args)

    async def wake(self) -> None:
        """There is nothing to wake."""


class ComputerPool:
    def __init__(self, slots: int | None = None) -> None:
        self._slots = [ProcessPool(1, NICENESS) for _ in range(slots or cores_to_spare())]
        self._free = list(self._slots)
        self._line: list[tuple[bool, int, asyncio.Future[ProcessPool]]] = []
        self._numbers = count()
        self._urgent = 0
        self._jobs: set[asyncio.Task[Any]] = set()

    async def __aenter__(self) -> Self:
        for slot in self._slots:
            await slot.__aenter__()
        return self

    async def __aexit__(self, *_of_error: object) -> None:
        jobs = list(self._jobs)
        for job in jobs:
            job.cancel()
        await asyncio.gather(*jobs, return_exceptions=True)
        for slot in self._slots:
            slot.end_all()  # what it still thinks about, nobody waits for
            await slot.__aexit__()

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
        except BaseException:
            self._urgent -= urgent
            raise
        rest = max(MIN_SECONDS, until - asyncio.get_running_loop().time())
        job = asyncio.create_task(
            self._occupy(slot, max(HUNG_SECONDS, rest), work, args, urgent=urgent)
        )
        self._jobs.add(job)
        job.add_done_callback(self._ended)
        async with asyncio.timeout(rest):
            result: T = await asyncio.shield(job)
        return result

    async def _occupy(
        self,
        slot: ProcessPool,
        seconds: float,
        work: Callable[..., T],
        args: tuple[Any, ...],
        *,
        urgent: bool,
    ) -> T:
        """Let a process do this, also when nobody waits for it any more."""
        try:
            return await slot.run_within(seconds, work, *args)
        finally:
            self._urgent -= urgent
            self._give_back(slot)

    def _ended(self, job: asyncio.Task[Any]) -> None:
        self._jobs.discard(job)
        if not job.cancelled():
            job.exception()  # noticed, also if nobody waits for it any more

    async def wake(self) -> None:
        await asyncio.gather(*(self.run(WAKING_SECONDS, wake, urgent=False) for _ in self._slots))

    async def _take(self, seconds: float, *, urgent: bool) -> ProcessPool:
        """A process that has nothing to do, in turn."""
        if self._free:
            return self._free.pop()
        waiting: asyncio.Future[ProcessPool] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._line, (not urgent, next(self._numbers), waiting))
        try:
            async with asyncio.timeout(seconds):
                return await waiting
        except BaseException:
            if waiting.done() and not waiting.cancelled():  # it came at the very moment
                self._give_back(waiting.result())
            raise

    def _give_back(self, slot: ProcessPool) -> None:
        while self._line:
            waiting = heapq.heappop(self._line)[-1]
            if not waiting.done():  # or nobody waits for it any more
                waiting.set_result(slot)
                return
        self._free.append(slot)


def cores_to_spare() -> int:
    """How many processes may think: one core is the bot's."""
    return max(1, min(MAX_PROCESSES, len(os.sched_getaffinity(0)) - 1))
