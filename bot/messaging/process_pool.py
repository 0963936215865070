"""Worker processes for CPU-bound work, for which the event loop never waits."""

import asyncio
import multiprocessing
import os
import pickle
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import connection
from multiprocessing.process import BaseProcess
from typing import Any, Self, TypeVar

import structlog

log = structlog.get_logger()
T = TypeVar("T")

NICENESS = 5
_THREADS = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS")
"""Environment variables that limit the threads of linear algebra libraries: a worker uses one
core."""

_MAX_DEATHS = 3
"""How many processes in a row may die in second tries; after that, it isn't the work that kills
them."""


class ProcessPool:
    """A pool of worker processes, restarted when one of them dies.

    All pending work fails then, whatever it was, and is tried a second time in a separate process,
    one after another: work that always kills its process takes nothing else down with it.

    The start method is `spawn`: a fork would copy the event loop's threads half alive. With
    `renew_after`, the processes are replaced after that many pieces of work, because they waste
    memory over time. The first of the new ones has already done the latest work by then, so nobody
    waits for it to import what it needs. (`max_tasks_per_child` of Python's own pool can hang:
    https://github.com/python/cpython/issues/115634.) With `hung_after`, processes that have worked
    on one thing for that many seconds, or for twice as many at most, are killed and replaced like
    those that died, or all later work would wait.
    """

    def __init__(
        self,
        count: int,
        niceness: int = NICENESS,
        *,
        renew_after: int | None = None,
        hung_after: float | None = None,
    ) -> None:
        self._count = count
        self._niceness = niceness
        self._renew_after = renew_after
        self._hung_after = hung_after
        self._pool: ProcessPoolExecutor | None = None
        self._turn = asyncio.Lock()
        self._done = 0
        """Pieces of work begun since the present processes were started."""

        self._renewing: asyncio.Task[None] | None = None
        self._apart: ProcessPool | None = None
        """The separate pool for second tries, while there are any."""

        self._apart_turn = asyncio.Lock()
        self._second_tries = 0
        self._deaths = 0
        """Processes of the separate pool that have died since one finished its work."""

    async def __aenter__(self) -> Self:
        self._pool = self._start()
        return self

    async def __aexit__(self, *_of_error: object) -> None:
        if self._renewing is not None:
            self._renewing.cancel()
            await asyncio.gather(self._renewing, return_exceptions=True)
        pool, self._pool = self._pool, None
        if pool is not None:
            await asyncio.to_thread(pool.shutdown, wait=True, cancel_futures=True)

    async def run(self, work: Callable[..., T], *args: Any) -> T:  # noqa: ANN401 - passed on as they are
        """The result of a module-level function run in a worker; tried twice if a worker dies."""
        try:
            return await self._submit(work, *args)
        except BrokenProcessPool:
            return await self._try_apart(work, *args)

    async def run_within(
        self,
        seconds: float,
        work: Callable[..., T],
        *args: Any,  # noqa: ANN401 - passed on as they are
    ) -> T:
        """The result of a module-level function, tried once; TimeoutError after so many seconds.

        Calls run one after another, and the time of each begins with its turn. A process can't be
        told to stop computing, so a timeout ends all processes of the pool: use it for pools of one
        process.
        """
        async with self._turn:
            try:
                async with asyncio.timeout(seconds):
                    return await self._submit(work, *args)
            except TimeoutError:
                self.end_all()
                raise

    async def run_once(self, work: Callable[..., T], *args: Any) -> T:  # noqa: ANN401
        """The result of a module-level function; BrokenProcessPool if its worker dies."""
        return await self._submit(work, *args)

    def let_go(self) -> None:
        """Take no more work; the processes end by themselves after what they're doing."""
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=False, cancel_futures=True)

    def end_all(self) -> None:
        """Kill all processes, whatever they're doing; the next work starts new ones."""
        pool, self._pool = self._pool, None
        if pool is not None:
            processes = _processes(pool)  # a pool that is shut down forgets them
            self._pool = self._start()
            pool.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.kill()

    async def _try_apart(self, work: Callable[..., T], *args: Any) -> T:  # noqa: ANN401
        """The result of work whose first process died, run in one that does nothing else."""
        self._second_tries += 1
        try:
            async with self._apart_turn:
                if self._deaths >= _MAX_DEATHS:
                    raise BrokenProcessPool(f"{_MAX_DEATHS} processes in a row have died")
                if self._apart is None:
                    self._apart = ProcessPool(1, self._niceness, hung_after=self._hung_after)
                    await self._apart.__aenter__()
                try:
                    result = await self._apart.run_once(work, *args)
                except BrokenProcessPool:
                    self._deaths += 1
                    raise
                self._deaths = 0
                return result
        finally:
            self._second_tries -= 1
            if not self._second_tries:
                self._deaths = 0
                apart, self._apart = self._apart, None
                if apart is not None:
                    apart.let_go()

    async def _submit(self, work: Callable[..., T], *args: Any) -> T:  # noqa: ANN401
        pool = self._pool
        if pool is None:
            raise RuntimeError("The workers are not running.")
        # Python's pool would pickle it later, in a thread: by then the function's cog may be
        # unloaded, and a pool whose pickling fails while it's shut down never ends.
        packed = pickle.dumps((work, args))
        self._done += 1
        if self._renew_after is not None and self._done >= self._renew_after:
            self._done = 0
            if self._renewing is None:
                self._renewing = asyncio.create_task(self._renew(packed))
        try:
            running: Future[T] = pool.submit(_run_pickled, packed)
            result = asyncio.wrap_future(running)
            if self._hung_after is not None:
                await self._watch(pool, running, result, self._hung_after)
            return await result
        except BrokenProcessPool:
            if self._pool is pool:  # the first to notice starts the next one
                log.warning("worker died", work=work.__qualname__)
                self._pool = self._start()
                pool.shutdown(wait=False)
            raise

    async def _watch(
        self,
        pool: ProcessPoolExecutor,
        running: Future[T],
        result: asyncio.Future[T],
        seconds: float,
    ) -> None:
        """Wait for the result; kill the processes if they hang, which makes it an error."""
        begun = False
        try:
            while not (await asyncio.wait({result}, timeout=seconds))[0]:
                if begun:
                    log.warning("workers hang", seconds=seconds)
                    for process in _processes(pool):
                        process.kill()
                begun = running.running()
        except asyncio.CancelledError:
            result.cancel()
            raise

    async def _renew(self, packed: bytes) -> None:
        """Replace the processes with new ones; the old ones finish what they have begun."""
        spare = self._start()
        try:
            await asyncio.get_running_loop().run_in_executor(spare, _warm_up, packed)
            if self._pool is not None:
                spare, self._pool = self._pool, spare
        except Exception as error:  # noqa: BLE001 - the old processes go on
            log.warning("workers not renewed", why=type(error).__name__)
        finally:
            spare.shutdown(wait=False)
            self._renewing = None

    def _start(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            self._count,
            multiprocessing.get_context("spawn"),
            initializer=_start_worker,
            initargs=(self._niceness,),
        )


def _processes(pool: ProcessPoolExecutor) -> list[BaseProcess]:
    """The processes of a pool, which Python has no public way to get before 3.14."""
    return list((pool._processes or {}).values())  # noqa: SLF001 - see above


def _run_pickled(packed: bytes) -> Any:  # noqa: ANN401 - whatever the work gives
    """In a worker: the result of a pickled function and its arguments."""
    work, args = pickle.loads(packed)  # noqa: S301 - from the process that started this one
    return work(*args)


def _warm_up(packed: bytes) -> None:
    """In a worker: run work for what it imports.

    Errors of the work itself are raised where it was asked for; only others say that this process
    can't work.
    """
    work, args = pickle.loads(packed)  # noqa: S301 - from the process that started this one
    try:
        work(*args)
    except (ImportError, MemoryError, OSError):
        raise
    except Exception:  # noqa: BLE001, S110 - see above
        pass


def _start_worker(niceness: int) -> None:
    """In a worker: run at a lower priority, and end when the bot does, even if it's killed."""
    os.nice(niceness)
    for name in _THREADS:  # numpy reads them when it is imported, which is after this
        os.environ.setdefault(name, "1")
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches workers too; the bot ends them
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_exit_after, args=(parent.sentinel,), daemon=True).start()


def _exit_after(sentinel: int) -> None:
    connection.wait([sentinel])
    os._exit(0)
