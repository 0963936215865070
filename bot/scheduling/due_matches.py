"""Acts on the matches whose time is up, many in a transaction."""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

import structlog
from cachetools import TTLCache

from bot.errors import StorageUnavailableError
from bot.live.live import Live
from bot.matches.timeouts import MIN_BATCH_SIZE, act_on
from bot.storage import MatchId, Storage
from bot.time_units import DAY_SECONDS

log = structlog.get_logger()

MATCH_REST_SECONDS: Final = 300.0
"""Seconds until a match that has raised an error is tried again."""

LOGGED_AGAIN_SECONDS: Final = DAY_SECONDS
"""Seconds until the same error of a match is logged once more."""

MAX_LOGGED_ERRORS: Final = 8192
"""Errors that are remembered as logged, the latest."""

MAX_BATCH_SIZE: Final = 40
"""Most matches acted on in one transaction; fewer while a click waits for it."""


class DueMatches:
    def __init__(self, storage: Storage, live: Live, *, now: Callable[[], float]) -> None:
        self._storage = storage
        self._live = live
        self._now = now
        self._resting: dict[MatchId, float] = {}
        self._logged: TTLCache[tuple[MatchId, type[Exception]], None] = TTLCache(
            MAX_LOGGED_ERRORS, LOGGED_AGAIN_SECONDS, timer=now
        )
        """The errors logged recently, by match and type: most of them recur at each try."""

    async def act_on(self, due: Sequence[MatchId], is_running: Callable[[], bool]) -> None:
        """Act on these matches while `is_running()` says that their clocks are.

        Clicks are written between two batches. If several transactions can write at once, half of
        them are left to clicks.
        """
        now = asyncio.get_running_loop().time()
        self._resting = {match: until for match, until in self._resting.items() if until > now}
        line = deque(match for match in due if match not in self._resting)
        lanes = max(1, self._storage.writes_at_once // 2)
        ended = await asyncio.gather(
            *(self._take_from(line, is_running) for _ in range(lanes)), return_exceptions=True
        )
        for error in ended:
            if error is not None:
                raise error

    async def _take_from(self, line: deque[MatchId], is_running: Callable[[], bool]) -> None:
        """Act on the first matches in this line until it's empty or their clocks are stopped.

        In batches: a statement takes hardly longer for all of a batch than for one match. With
        SQLite, every click waits for the batch, so a batch ends when a click waits.
        """
        size = MIN_BATCH_SIZE
        while line and is_running():
            batch = [line.popleft() for _ in range(min(size, len(line)))]
            left = await self._act_on(batch)
            line.extendleft(reversed(left))
            size = min(2 * size, MAX_BATCH_SIZE) if not left else max(MIN_BATCH_SIZE, size // 2)

    async def _act_on(self, batch: Sequence[MatchId]) -> Sequence[MatchId]:
        """Act on these matches in one transaction, or on each by itself if one of them raises.

        Returns the matches that were left because somebody waits to write.
        """
        try:
            acted = await act_on(self._storage, batch, int(self._now()), is_wanted=self._is_wanted)
        except StorageUnavailableError:  # all others of this look would fail too
            raise
        except Exception as error:  # the other matches' clocks must run on
            if len(batch) == 1:
                if (batch[0], type(error)) not in self._logged:
                    self._logged[batch[0], type(error)] = None
                    log.exception("clock", match=batch[0])
                self._resting[batch[0]] = asyncio.get_running_loop().time() + MATCH_REST_SECONDS
                return ()
            for match in batch:
                await self._act_on([match])
            return ()
        for match, status in acted.done.items():
            log.info("time was up", match=match, status=status)
            self._live.note_changed(match)
        return acted.left

    def _is_wanted(self) -> bool:
        return self._storage.writes_waiting > 0
