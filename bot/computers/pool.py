"""Processes that think for computers and for the coach: each does one job at a time, in order.

Urgent jobs go first; callers can see how many of them are waiting, and ask for less work.
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
"""Lower priority than the bot and its drawing, which people wait for too.

With Linux's SCHED_IDLE, clicks would lose no time at all, but computers would never move on a
machine whose other programs keep all cores busy; and an unprivileged process can't leave it again.
"""

MAX_PROCESSES: Final = 4
"""Most processes: each takes memory for what the games' computers cache in it."""

MIN_SECONDS: Final = 1.0
"""Seconds that a job gets at least, however long it waited for a process."""

HUNG_SECONDS: Final = 20.0
"""Seconds after which a process is killed. On a busy machine it may only be slow, and starting a
new one takes longer than many jobs, so it isn't killed as soon as nobody waits for it."""

WAKING_SECONDS: Final = 60.0
"""Seconds that a process may take to load what it needs when the bot starts."""


class Pool(Protocol):
    """Runs jobs outside the event loop, or pretends to."""

    @property
    def crowd(self) -> int:
        """How many urgent jobs there are for each process, with one that is submitted now."""

    async def run(
        self,
        seconds: float,
        work: Callable[..., T],
        *args: Any,  # noqa: ANN401 - passed on as they are
        urgent: bool = True,
    ) -> T:
        """The result of a module-level function; TimeoutError if it takes longer than `seconds`.

        This includes the wait for a process, but after it a job has at least `MIN_SECONDS`.
        """

    async def wake(self) -> None:
        """Start the processes, so that the first job doesn't have to wait for that."""


class SynchronousPool:
    """Runs jobs at once in this process, instead of a pool or a single process."""

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
        """Do nothing: there is no process to start."""


class ComputerPool:
    def __init__(self, slots: int | None = None) -> None:
        self._slots = [ProcessPool(1, NICENESS) for _ in range(slots or cores_to_spare())]
        self._free = list(self._slots)
        self._queue: list[tuple[bool, int, asyncio.Future[ProcessPool]]] = []
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
            slot.end_all()  # nobody waits for its job any longer
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
            self._run_in(slot, max(HUNG_SECONDS, rest), work, args, urgent=urgent)
        )
        self._jobs.add(job)
        job.add_done_callback(self._on_done)
        async with asyncio.timeout(rest):
            result: T = await asyncio.shield(job)
        return result

    async def _run_in(
        self,
        slot: ProcessPool,
        seconds: float,
        work: Callable[..., T],
        args: tuple[Any, ...],
        *,
        urgent: bool,
    ) -> T:
        """Run a job in a process until it ends, even if nobody waits for it any longer."""
        try:
            return await slot.run_within(seconds, work, *args)
        finally:
            self._urgent -= urgent
            self._give_back(slot)

    def _on_done(self, job: asyncio.Task[Any]) -> None:
        self._jobs.discard(job)
        if not job.cancelled():
            job.exception()  # retrieved, so that asyncio doesn't log it if nobody waits

    async def wake(self) -> None:
        await asyncio.gather(*(self.run(WAKING_SECONDS, wake, urgent=False) for _ in self._slots))

    async def _take(self, seconds: float, *, urgent: bool) -> ProcessPool:
        """A free process, in turn; TimeoutError if none is free in so many seconds."""
        if self._free:
            return self._free.pop()
        waiting: asyncio.Future[ProcessPool] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._queue, (not urgent, next(self._numbers), waiting))
        try:
            async with asyncio.timeout(seconds):
                return await waiting
        except BaseException:
            if waiting.done() and not waiting.cancelled():  # it got a process at the same moment
                self._give_back(waiting.result())
            raise

    def _give_back(self, slot: ProcessPool) -> None:
        while self._queue:
            waiting = heapq.heappop(self._queue)[-1]
            if not waiting.done():  # if it's done, its caller has stopped waiting
                waiting.set_result(slot)
                return
        self._free.append(slot)


def cores_to_spare() -> int:
    """How many processes to start: all cores but one, which is the bot's; at least one."""
    return max(1, min(MAX_PROCESSES, len(os.sched_getaffinity(0)) - 1))
