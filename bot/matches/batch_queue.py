"""Work that waits while other work of its kind is under way, and is then done together."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

K = TypeVar("K", bound=Hashable)
W = TypeVar("W")
R = TypeVar("R")

MOST: Final = 1_000

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
    waits for the next batch. One that fails as a whole fails for all in it.
    """

    def __init__(self, work: Work[K, W, R], most: int = MOST) -> None:
        self._work = work
        self._most = most
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

        led: Mapping[K, R | Exception]
        try:
            led = await self._work(take)
        except Exception as error:  # noqa: BLE001 - it is for those who wait
            led = dict.fromkeys(take() if batch is None else batch, error)
        for key, waiting in (batch or {}).items():
            result = led[key]
            if waiting.done.done():  # whoever waited is gone
                continue
            if isinstance(result, Exception):
                waiting.done.set_exception(result)
            else:
                waiting.done.set_result(result)

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
