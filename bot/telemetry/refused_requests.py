"""Counts the requests that Discord refuses, and stops requests before that leads to a ban.

Discord bans an IP address that gets 10,000 refusals (401, 403 and 429) within 10 minutes.
"""

import time
from collections import deque
from collections.abc import Callable
from typing import Final

import aiohttp
import structlog

from bot.telemetry.metrics import REFUSED

log = structlog.get_logger()

WINDOW_SECONDS: Final = 600.0

MAX_REFUSED: Final = 5_000
"""Refusals within the window after which requests by the bot's own token stop."""

MAX_REFUSED_ANSWERS: Final = 9_000
"""The same for answers to interactions. Somebody waits for each, and those that Discord accepts
don't count; but they must not use up the rest before the ban."""

CALM: Final = 2_500
"""Requests resume when no more refusals than this are within the window, so that the next refusal
doesn't stop them again."""


class RequestsStoppedError(aiohttp.ClientError):
    """A request that wasn't made, because Discord has refused too many."""


class RefusedRequests:
    """The refusals of all requests of this process in the last 10 minutes."""

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, processes: Callable[[], int] = lambda: 1
    ) -> None:
        self._clock = clock
        self._processes = processes
        """How many processes share the IP address, as far as it's known."""

        self._refused: deque[float] = deque()
        self._stopped = False

    def note(self, status: int, scope: str | None) -> None:
        """Note the status of a response; `scope` is whose rate limit a 429 was about."""
        if status not in {401, 403, 429} or scope == "shared":  # a shared limit doesn't count
            return
        REFUSED.labels(status).inc()
        self._refused.append(self._clock())
        if not self._stopped and self._count() >= MAX_REFUSED:
            self._stopped = True
            log.warning("requests stopped", refused=len(self._refused))

    def check(self, *, is_answer: bool) -> None:
        """Raise RequestsStoppedError if this request must not be made now."""
        if self.stopped and (not is_answer or self._weight >= MAX_REFUSED_ANSWERS):
            raise RequestsStoppedError("too many requests were refused")

    @property
    def stopped(self) -> bool:
        """Whether only answers to interactions are made now."""
        if self._stopped and self._count() <= CALM:
            self._stopped = False
            log.info("requests go on")
        return self._stopped

    def _count(self) -> int:
        oldest = self._clock() - WINDOW_SECONDS
        while self._refused and self._refused[0] <= oldest:
            self._refused.popleft()
        return self._weight

    @property
    def _weight(self) -> int:
        """Refusals of the IP address, as if each process had as many as this one."""
        return len(self._refused) * self._processes()
