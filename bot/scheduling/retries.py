"""When a message that Discord couldn't accept is tried again: soon, while its nonce is known."""

from collections.abc import Callable
from typing import Final

from cachetools import LRUCache

from bot.live.message_slot import NONCE_SECONDS
from bot.messaging.failures import Failure

SOON_SECONDS: Final = 20
"""Seconds until the next try while the nonce still brings back what may have arrived."""

TROUBLE_PAUSE_SECONDS: Final = 300
"""Seconds until the next try after that."""

MAX_REMEMBERED_MESSAGES: Final = 8192
"""Messages whose first try is remembered, the latest."""


class NamesUnknownError(Exception):
    """A message waits until Discord says who it may name. That is no try: nothing was sent."""


class Retries:
    """When to try a message again that Discord may have accepted though its response was lost.

    While Discord knows its nonce, a retry returns that message; later it may send a second one. So
    the first retries come early.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._begun: LRUCache[int, float] = LRUCache(MAX_REMEMBERED_MESSAGES)

    def will_retry_soon(self, number: int) -> bool:
        """Whether this message, should it fail now, is tried again while its nonce is known."""
        return self._is_soon(self._begun.get(number, self._now()))

    def after(self, number: int, begun: float, failure: Failure) -> int:
        """When to try this message again (Unix time); `begun` is when the last try began."""
        first = self._begun.setdefault(number, begun)
        is_lost = failure is Failure.TROUBLE  # any other means that nothing has arrived
        is_soon = is_lost and self._is_soon(first)
        return int(self._now()) + (SOON_SECONDS if is_soon else TROUBLE_PAUSE_SECONDS)

    def _is_soon(self, first: float) -> bool:
        # A time in the future is from before the clock was set back, and says nothing.
        return 0 <= self._now() - first < NONCE_SECONDS - SOON_SECONDS
