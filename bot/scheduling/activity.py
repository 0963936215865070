"""Who has clicked in which match recently, and so sees what happens there."""

from collections.abc import Callable
from typing import Final

from cachetools import TTLCache

from bot.storage import MatchId

REMEMBERED_SECONDS: Final = 120
MAX_REMEMBERED: Final = 16_384
"""Clicks that are remembered, one per match and person, the latest."""


class Activity:
    """Recent clicks, in memory only: moves are stored, and a lost click costs one extra message."""

    def __init__(self, *, now: Callable[[], float]) -> None:
        self._now = now
        self._clicks: TTLCache[tuple[MatchId, int], float] = TTLCache(
            MAX_REMEMBERED, REMEMBERED_SECONDS, timer=now
        )

    def note(self, match: MatchId, user: int) -> None:
        """Note a click in a match; 0 means none and is ignored."""
        if match:
            self._clicks[match, user] = self._now()

    def last(self, match: MatchId, user: int) -> float | None:
        """When this person last clicked in a match (Unix time); None if that isn't recent."""
        return self._clicks.get((match, user))

    @property
    def is_quiet(self) -> bool:
        """Whether nobody has clicked in any match recently."""
        return not self._clicks

    def forget(self, user: int) -> None:
        """Forget this person."""
        for key in [key for key in self._clicks if key[1] == user]:
            self._clicks.pop(key, None)
