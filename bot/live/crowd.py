"""Who is served first where very much happens at once: who clicks, then all who see the tables."""

import asyncio
from collections.abc import Callable
from typing import Final

from bot.storage import MatchId

CROWDED: Final = 3
"""While more than this has to happen first, hands and pictures wait."""

PATIENCE_SECONDS: Final = 3.0
"""For so long at most; a table that is behind for longer holds up nobody."""

LOOK_SECONDS: Final = 0.05
"""How often it is looked whether it is still so crowded."""


class Crowd:
    """Which tables have to say what happened, and what lets them and clicks go first.

    `clicks` says how many clicks wait to be written just now.
    """

    def __init__(self, clicks: Callable[[], int]) -> None:
        self._clicks = clicks
        self._behind: dict[MatchId, float] = {}
        """The matches whose table may have something to say; since when, in the loop's time."""

        self._waiting: dict[asyncio.Future[None], MatchId | None] = {}
        """What waits; a picture of a table by the match of it."""

        self._looking: asyncio.TimerHandle | None = None

    def changed(self, match: MatchId) -> None:
        """Something has happened that the table of this match is to say."""
        now = asyncio.get_running_loop().time()
        while self._behind:  # the first is the oldest
            oldest = next(iter(self._behind))
            if self._behind[oldest] + PATIENCE_SECONDS > now:
                break
            del self._behind[oldest]
        self._behind.setdefault(match, now)
        self._let_through(match)

    def said(self, match: MatchId) -> None:
        """The table of this match says it, or can't now."""
        self._behind.pop(match, None)

    async def others_first(self, table: MatchId | None = None) -> None:
        """Wait while there is a crowd of clicks and tables, but not for long.

        For the picture of a table: until that is to say something else.
        """
        if not self._is_crowded or table in self._behind:
            return
        waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting[waiting] = table
        self._look_later()
        try:
            await asyncio.wait({waiting}, timeout=PATIENCE_SECONDS)
        finally:
            del self._waiting[waiting]

    @property
    def _is_crowded(self) -> bool:
        return len(self._behind) + self._clicks() > CROWDED

    def _look_later(self) -> None:
        if self._looking is None:
            loop = asyncio.get_running_loop()
            self._looking = loop.call_later(LOOK_SECONDS, self._look)

    def _look(self) -> None:
        self._looking = None
        if not self._is_crowded:
            self._let_through(*self._waiting.values())
        elif self._waiting:
            self._look_later()

    def _let_through(self, *tables: MatchId | None) -> None:
        for waiting, table in self._waiting.items():
            if table in tables and not waiting.done():
                waiting.set_result(None)
