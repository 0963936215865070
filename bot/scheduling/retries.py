"""When what Discord could not take is tried again: soon, so long as its nonce holds."""

from collections.abc import Callable
from typing import Final

from cachetools import LRUCache

from bot.live.slots import NONCE_SECONDS
from bot.messaging.failures import Failure

SOON_SECONDS: Final = 20
"""Seconds until the next try, if the nonce then still brings what may have arrived before."""

TROUBLE_PAUSE_SECONDS: Final = 300
"""Seconds until what Discord could not take is tried again later on."""

MAX_REMEMBERED_MESSAGES: Final = 8192
"""Messages of which is kept when they were first tried, the latest."""


class Retries:
    """Discord may have taken a message whose answer was lost, and posts it once while it knows it.

    After that a try may be a second message, so those that bring the first come before.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._begun: LRUCache[int, float] = LRUCache(MAX_REMEMBERED_MESSAGES)

    def comes_once(self, number: int) -> bool:
        """Whether this message, should it fail now, is tried again while its nonce holds."""
        return self._is_soon(self._begun.get(number, self._now()))

    def after(self, number: int, begun: float, failure: Failure) -> int:
        """When the message with this number is tried again, that was tried from `begun` on."""
        first = self._begun.setdefault(number, begun)
        is_lost = failure is Failure.TROUBLE  # all others say that nothing has arrived
        is_soon = is_lost and self._is_soon(first)
        return int(self._now()) + (SOON_SECONDS if is_soon else TROUBLE_PAUSE_SECONDS)

    def _is_soon(self, first: float) -> bool:
        # A time to come is from before the clock was set back: it says nothing.
        return 0 <= self._now() - first < NONCE_SECONDS - SOON_SECONDS
