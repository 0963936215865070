"""A queue whose batches take all the work that has arrived by the time their turn comes."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final, Generic, TypeVar

from bot.errors import StorageUnavailableError

K = TypeVar("K", bound=Hashable)
W = TypeVar("W")
R = TypeVar("R")

MAX_BATCH: Final = 1_000

Take = Callable[[], Mapping[K, W]]
"""Returns the batch, by key: all pieces of work waiting now. Call it once, as late as possible."""

Work = Callable[[Take[K, W]], Awaitable[Mapping[K, R | Exception]]]
"""Does a batch, and returns for each key its result or the exception that prevented it."""


@dataclass(frozen=True, slots=True)
class _Waiting(Generic[K, W, R]):
    key: K
    piece: W
    done: asyncio.Future[R]


class BatchQueue(Generic[K, W, R]):
    """Starts a batch as soon as a piece of work waits; the batch takes its pieces when it can run.

    So the first piece gets a place in the queue for the database at once, and the pieces that
    arrive while it waits there share that place. A batch has one piece per key: a second piece
    with the same key waits for the next batch.

    If a batch raises, all its pieces fail with that exception. With `splits`, each piece is tried
    again alone, so that a broken piece fails only itself; not while the database is unavailable.
    """

    def __init__(self, work: Work[K, W, R], most: int = MAX_BATCH, *, splits: bool = False) -> None:
        self._work = work
        self._most = most
        self._splits = splits
        self._waiting: list[_Waiting[K, W, R]] = []
        """While it isn't empty, a batch has been started that will take the first of them."""

        self._batches: set[asyncio.Task[None]] = set()

    async def add(self, key: K, piece: W) -> R:
        """Queue a piece of work; returns its result, or raises the exception that prevented it."""
        done: asyncio.Future[R] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Waiting(key, piece, done))
        if len(self._waiting) == 1:
            self._start_batch()
        return await done

    def _start_batch(self) -> None:
        task = asyncio.create_task(self._run_batch())
        self._batches.add(task)
        task.add_done_callback(self._batches.discard)

    async def _run_batch(self) -> None:
        batch: dict[K, _Waiting[K, W, R]] | None = None

        def take() -> Mapping[K, W]:
            nonlocal batch
            batch = self._take_next()
            return {key: waiting.piece for key, waiting in batch.items()}

        results: Mapping[K, R | Exception] = {}
        try:
            results = await self._work(take)
        except Exception as error:  # noqa: BLE001 - raised to the callers of `add`
            pieces = take() if batch is None else {key: w.piece for key, w in batch.items()}
            results = await self._retry_or_fail(pieces, error)
        finally:  # also if this task was cancelled, or the callers of `add` would wait forever
            if batch is None:
                take()
            for key, waiting in (batch or {}).items():
                _resolve_future(waiting.done, results, key)

    async def _retry_or_fail(
        self, pieces: Mapping[K, W], error: Exception
    ) -> Mapping[K, R | Exception]:
        """The result or exception of each piece of a failed batch, after retries with `splits`."""
        failed: dict[K, R | Exception] = dict.fromkeys(pieces, error)
        if not self._splits or len(pieces) == 1:
            return failed
        done: dict[K, R | Exception] = {}
        for key, piece in pieces.items():
            if isinstance(error, StorageUnavailableError):
                return {**failed, **done}
            try:
                done |= await self._work(partial(dict, {key: piece}))
            except Exception as alone:  # noqa: BLE001 - raised to the caller of `add`
                done[key] = error = alone
        return done

    def _take_next(self) -> dict[K, _Waiting[K, W, R]]:
        """Remove and return the pieces of the next batch; drop those whose callers gave up.

        If others must wait for the batch after it, that is started.
        """
        batch: dict[K, _Waiting[K, W, R]] = {}
        later = []
        for waiting in self._waiting:
            if waiting.done.done():
                continue
            if waiting.key in batch or len(batch) == self._most:
                later.append(waiting)
            else:
                batch[waiting.key] = waiting
        self._waiting = later
        if later:
            self._start_batch()
        return batch


def _resolve_future(done: asyncio.Future[R], results: Mapping[K, R | Exception], key: K) -> None:
    """Resolve a caller's future, unless it was cancelled; cancel it if there is no result."""
    if done.done():
        return
    if key not in results:
        done.cancel()
        return
    result = results[key]
    if isinstance(result, Exception):
        done.set_exception(result)
    else:
        done.set_result(result)
