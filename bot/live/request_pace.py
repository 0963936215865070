"""One pace for all requests of a kind that Discord counts: so many a second, in order of need."""

import asyncio
import heapq
from collections.abc import Callable
from itertools import count
from typing import Final

REQUESTS_PER_SECOND: Final = 38.0
"""Discord takes 50 a second of one bot; the rest is for commands, reminders and direct messages."""

BURST: Final = 20
"""Requests that may go out at once after a quiet time; with a second's share, below 60."""


class RequestPace:
    """Lets requests through at a steady pace; who has waited for longest is first."""

    def __init__(
        self,
        per_second: float = REQUESTS_PER_SECOND,
        burst: int = BURST,
        *,
        processes: Callable[[], int] = lambda: 1,
    ) -> None:
        self._interval = 1.0 / per_second
        self._lead = burst * self._interval
        self._processes = processes
        """How many processes share what Discord takes."""

        self._next = 0.0
        """When the next request would go out at the steady pace, in the time of the event loop."""

        self._line: list[tuple[float, int, asyncio.Future[None]]] = []
        self._numbers = count()
        self._timer: asyncio.TimerHandle | None = None

    async def turn(self, since: float) -> None:
        """Return when a request may go out; `since` is when the need for it arose."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._line, (since, next(self._numbers), turn))
        self._let_through()
        await turn

    def _let_through(self) -> None:
        loop = asyncio.get_running_loop()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        while self._line:
            now = loop.time()
            self._next = max(self._next, now - self._lead)
            if self._next > now:
                self._timer = loop.call_at(self._next, self._let_through)
                return
            turn = heapq.heappop(self._line)[-1]
            if not turn.done():  # whoever waited for it may be gone
                self._next += self._interval * self._processes()
                turn.set_result(None)
