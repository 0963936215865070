"""One pace for all requests that Discord counts: so many a second, the longest needed first."""

import asyncio
import heapq
from collections.abc import Callable
from itertools import count
from typing import Final

REQUESTS_PER_SECOND: Final = 38.0
"""Discord allows a bot 50 a second. Sent this evenly, at most 39 fall into any second; the rest is
for requests that discord.py makes by itself, and for those that are delayed on the way."""


class RequestPace:
    """Lets requests through evenly; the one that has waited longest is first.

    Nothing is saved up in a quiet time: a burst after it would meet requests that are still on the
    way.
    """

    def __init__(
        self,
        per_second: float = REQUESTS_PER_SECOND,
        *,
        processes: Callable[[], int] = lambda: 1,
    ) -> None:
        self._interval = 1.0 / per_second
        self._processes = processes
        """How many processes share Discord's limit."""

        self._next = 0.0
        """When the next request may be sent, in event loop time."""

        self._line: list[tuple[float, int, asyncio.Future[bool]]] = []
        self._numbers = count()
        self._timer: asyncio.TimerHandle | None = None

    async def turn(self, since: float | None = None) -> None:
        """Return when a request may be sent.

        `since` is when the need for it arose, in event loop time; None: just now.
        """
        loop = asyncio.get_running_loop()
        turn: asyncio.Future[bool] = loop.create_future()
        self.join(turn, since or loop.time())
        await turn

    def join(self, turn: "asyncio.Future[bool]", since: float) -> None:
        """Set this future's result to True when a request may be sent.

        To stop waiting, set another result or cancel it.
        """
        heapq.heappush(self._line, (since, next(self._numbers), turn))
        self._let_through()

    def _let_through(self) -> None:
        loop = asyncio.get_running_loop()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        while self._line:
            now = loop.time()
            if self._next > now:
                self._timer = loop.call_at(self._next, self._let_through)
                return
            turn = heapq.heappop(self._line)[-1]
            if not turn.done():  # its caller has stopped waiting if it's done
                self._next = now + self._interval * self._processes()
                turn.set_result(True)
