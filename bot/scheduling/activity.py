"""Who has clicked in which match of late: they see what happens there."""

from collections.abc import Callable
from typing import Final

from cachetools import TTLCache

from bot.storage import MatchId

REMEMBERED_SECONDS: Final = 120
MAX_REMEMBERED: Final = 16_384
"""People in matches, those who clicked last."""


class Activity:
    """In memory only: choices of moves are rows, and a lost click costs one message too many."""

    def __init__(self, *, now: Callable[[], float]) -> None:
        self._now = now
        self._clicks: TTLCache[tuple[MatchId, int], float] = TTLCache(
            MAX_REMEMBERED, REMEMBERED_SECONDS, timer=now
        )

    def note(self, match: MatchId, user: int) -> None:
        """Somebody clicks in a match; 0 is none."""
        if match:
            self._clicks[match, user] = self._now()

    def last(self, match: MatchId, user: int) -> float | None:
        """When this person last clicked in a match; None if that is long ago."""
        return self._clicks.get((match, user))

    def forget(self, user: int) -> None:
        """Remember nothing of this person."""
        for key in [key for key in self._clicks if key[1] == user]:
            self._clicks.pop(key, None)
