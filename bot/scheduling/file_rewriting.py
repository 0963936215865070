"""Has the database's file rewritten after people were deleted, so that nothing of them is left."""

from collections.abc import Callable
from typing import Final

import structlog

from bot.errors import StorageUnavailableError
from bot.scheduling.activity import Activity
from bot.storage import Storage
from bot.time_units import DAY_SECONDS, HOUR_SECONDS

log = structlog.get_logger()

MAX_WAIT_SECONDS: Final = DAY_SECONDS
"""How long the file may wait for a quiet moment, and the least time between two rewrites: everybody
who wants to write has to wait for one."""

RETRY_SECONDS: Final = HOUR_SECONDS
"""After a failure or a lack of room."""


class FileRewriting:
    def __init__(self, storage: Storage, activity: Activity, *, now: Callable[[], float]) -> None:
        self._storage = storage
        self._activity = activity
        self._now = now
        self._not_before = float("-inf")

    async def look(self) -> None:
        """Rewrite the file if somebody was deleted since, and if nobody has clicked lately.

        It waits for a quiet moment for a day at most.
        """
        now = self._now()
        if now < self._not_before <= now + MAX_WAIT_SECONDS:  # later: the clock was set back
            return
        async with self._storage.reading() as reading:
            since = await reading.erasure.deleted_since()
        if since is None or (not self._activity.is_quiet and 0 <= now - since < MAX_WAIT_SECONDS):
            return
        self._not_before = now + RETRY_SECONDS
        why = self._storage.shortage_for_rewriting()
        if why is not None:
            log.warning("file not rewritten", why=f"it {why}")
            return
        try:
            await self._storage.rewrite()
        except StorageUnavailableError as error:
            log.warning("file not rewritten", why=str(error))
            raise
        self._not_before = now + MAX_WAIT_SECONDS
        log.info("file rewritten", seconds=round(self._now() - now, 1))
