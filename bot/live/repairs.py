"""Updates matches whose messages are behind though no change was noted."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import Final

import structlog

from bot.errors import StorageUnavailableError
from bot.live.live import Live
from bot.storage import MatchId, Storage

log = structlog.get_logger()

COMPARED_AT_ONCE: Final = 5
"""How many matches that are behind after a start are updated at the same time."""

REPAIR_SECONDS: Final = 10.0
"""Seconds after which the next match is begun, even if the one before isn't up to date yet."""

UNREAD_PAUSE: Final = 20.0
"""Seconds until a failed read is tried again."""

COMPARED_AT_LOOK: Final = 2
READ_AGAIN_AT_LOOK: Final = 4
"""How many looks in a row a match has to be behind to be compared, and to be read again. After that
nothing is done: it may be behind because Discord refuses it."""

Owned = Callable[[Collection[MatchId]], Awaitable[set[MatchId]]]
"""Returns which of these matches belong to this process."""


class Repairs:
    def __init__(self, storage: Storage, live: Live) -> None:
        self._storage = storage
        self._live = live
        self._looks: dict[MatchId, int] = {}
        """At how many looks in a row each match was behind."""

        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self, owned: Owned | None = None) -> None:
        """After a start, update all matches that may be behind, or those that `owned` returns."""
        task = asyncio.create_task(self._repair(owned))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def look(self, owned: Owned) -> None:
        """Compare matches that stay behind: it seems that nothing here is updating them.

        One that is behind even after that is read again: another process may have written what it
        shows. Not while its messages wait here for their turn, which may take hours.
        """
        async with self._storage.reading() as reading:
            behind = await owned(await reading.messages.behind())
        self._looks = {match: self._looks.get(match, 0) + 1 for match in behind}
        under_way = self._live.under_way()
        for match, looks in list(self._looks.items()):
            if looks == COMPARED_AT_LOOK:
                self._live.compare_soon(match)
            elif looks == READ_AGAIN_AT_LOOK and match in under_way:
                self._looks[match] -= 1
            elif looks == READ_AGAIN_AT_LOOK:
                await self._live.note_changed_elsewhere(match)

    async def close(self) -> None:
        """Stop the updates that `begin` has started."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _repair(self, owned: Owned | None) -> None:
        room = asyncio.Semaphore(COMPARED_AT_ONCE)

        async def compare(match: MatchId) -> None:
            async with room:
                try:
                    tasks = await self._live.bring_up_to_date(match)
                except StorageUnavailableError:
                    self._live.compare_soon(match)  # which retries until it succeeds
                    return
                if tasks:
                    await asyncio.wait(tasks, timeout=REPAIR_SECONDS)

        behind = await self._all_behind(owned)
        await asyncio.gather(*(compare(match) for match in behind))
        log.info("repaired", matches=len(behind))

    async def _all_behind(self, owned: Owned | None) -> Sequence[MatchId]:
        while True:
            try:
                async with self._storage.reading() as reading:
                    behind = await reading.messages.behind()
                if owned is None:
                    return behind
                ours = await owned(behind)
                return [match for match in behind if match in ours]
            except StorageUnavailableError:
                await asyncio.sleep(UNREAD_PAUSE)
