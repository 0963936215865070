"""Work that waits while other work of its kind is under way, and is then done together."""

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
"""The batch: what waits when this is called. To be called once, as late as can be."""

Work = Callable[[Take[K, W]], Awaitable[Mapping[K, R | Exception]]]
"""Does a batch, and returns for each key its result, or why there is none."""


@dataclass(frozen=True, slots=True)
class _Waiting(Generic[K, W, R]):
    key: K
    piece: W
    done: asyncio.Future[R]


class BatchQueue(Generic[K, W, R]):
    """Begins a batch as soon as something waits, and it takes all that waits when its turn comes.

    So whoever adds something has a place in the line for the database at once, and shares it with
    those who come while that line is waited in. A batch has one piece of each key: of two the later
    waits for the next batch.

    One that fails as a whole fails for all in it. With `splits` each piece of it is then done by
    itself, so that one broken piece stops no other; not where the database is away.
    """

    def __init__(self, work: Work[K, W, R], most: int = MAX_BATCH, *, splits: bool = False) -> None:
        self._work = work
        self._most = most
        self._splits = splits
        self._waiting: list[_Waiting[K, W, R]] = []
        self._is_begun = False
        """Whether there is a batch that has not taken anything yet."""

        self._batches: set[asyncio.Task[None]] = set()

    async def add(self, key: K, piece: W) -> R:
        """The result of this piece, as soon as its batch is done."""
        done: asyncio.Future[R] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Waiting(key, piece, done))
        self._begin()
        return await done

    def _begin(self) -> None:
        if not self._waiting or self._is_begun:
            return
        self._is_begun = True
        task = asyncio.create_task(self._do())
        self._batches.add(task)
        task.add_done_callback(self._batches.discard)

    async def _do(self) -> None:
        batch: dict[K, _Waiting[K, W, R]] | None = None

        def take() -> Mapping[K, W]:
            nonlocal batch
            batch = self._next()
            self._is_begun = False
            self._begin()  # for what is left
            return {key: waiting.piece for key, waiting in batch.items()}

        led: Mapping[K, R | Exception] = {}
        try:
            led = await self._work(take)
        except Exception as error:  # noqa: BLE001 - it is for those who wait
            pieces = take() if batch is None else {key: w.piece for key, w in batch.items()}
            led = await self._failed(pieces, error)
        finally:  # also if it was cancelled: whoever waited must not wait for ever
            if batch is None:
                take()
            for key, waiting in (batch or {}).items():
                _end(waiting.done, led, key)

    async def _failed(self, pieces: Mapping[K, W], error: Exception) -> Mapping[K, R | Exception]:
        """What becomes of the pieces of a batch that has failed."""
        failed: dict[K, R | Exception] = dict.fromkeys(pieces, error)
        if not self._splits or len(pieces) == 1:
            return failed
        done: dict[K, R | Exception] = {}
        for key, piece in pieces.items():
            if isinstance(error, StorageUnavailableError):
                return {**failed, **done}
            try:
                done |= await self._work(partial(dict, {key: piece}))
            except Exception as alone:  # noqa: BLE001 - it is for whoever waits for this one
                done[key] = error = alone
        return done

    def _next(self) -> dict[K, _Waiting[K, W, R]]:
        """The pieces to be done now; who has given up wants nothing any more."""
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
        return batch


def _end(done: asyncio.Future[R], led: Mapping[K, R | Exception], key: K) -> None:
    """Let whoever waits for a piece go on, unless they are gone."""
    if done.done():
        return
    if key not in led:
        done.cancel()
        return
    result = led[key]
    if isinstance(result, Exception):
        done.set_exception(result)
    else:
        done.set_result(result)
