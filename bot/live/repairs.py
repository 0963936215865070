"""Matches whose messages are behind though nobody has just said so."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence, Set
from typing import Final

import structlog

from bot.errors import StorageUnavailableError
from bot.live.work_queue import WorkQueue
from bot.storage import MatchId, Storage

log = structlog.get_logger()

COMPARED_AT_ONCE: Final = 5
"""After a start, so many matches that are behind are brought up to date side by side."""

REPAIR_SECONDS: Final = 10.0
"""A match that takes longer than this after a start goes on by itself, and the next is begun."""

UNREAD_PAUSE: Final = 20.0
"""Seconds until a database that could not be read is asked again."""

COMPARED_AT_LOOK: Final = 2
READ_ANEW_AT_LOOK: Final = 4
"""When something is done about a match that is behind at so many looks in a row; then no more, for
it may be behind because Discord refuses it."""

Owned = Callable[[Collection[MatchId]], Awaitable[set[MatchId]]]
"""Which of some matches are this process's."""


class Repairs:
    def __init__(
        self,
        storage: Storage,
        bring_up_to_date: Callable[[MatchId], Awaitable[Collection[asyncio.Task[None]]]],
        comparing: WorkQueue[MatchId],
        read_anew: Callable[[MatchId], Awaitable[None]],
        under_way: Callable[[], Set[MatchId]],
    ) -> None:
        self._storage = storage
        self._bring_up_to_date = bring_up_to_date
        self._comparing = comparing
        self._read_anew = read_anew
        self._under_way = under_way
        self._looks: dict[MatchId, int] = {}
        """At how many looks in a row a match was behind."""

        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self, owned: Owned | None = None) -> None:
        """After a start: compare all that may not show its last word yet, or what is owned."""
        task = asyncio.create_task(self._repair(owned))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def look(self, owned: Owned) -> None:
        """Compare what stays behind: nobody here sees to it, it seems.

        What still does after that is read anew: another process may have written what it shows.
        Not as long as messages of it wait here for their turn, which may take hours.
        """
        async with self._storage.reading() as reading:
            behind = await owned(await reading.messages.behind())
        self._looks = {match: self._looks.get(match, 0) + 1 for match in behind}
        under_way = self._under_way()
        for match, looks in list(self._looks.items()):
            if looks == COMPARED_AT_LOOK:
                self._comparing.mark(match)
            elif looks == READ_ANEW_AT_LOOK and match in under_way:
                self._looks[match] -= 1
            elif looks == READ_ANEW_AT_LOOK:
                await self._read_anew(match)

    async def close(self) -> None:
        """Compare nothing any more."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _repair(self, owned: Owned | None) -> None:
        room = asyncio.Semaphore(COMPARED_AT_ONCE)

        async def compare(match: MatchId) -> None:
            async with room:
                try:
                    tasks = await self._bring_up_to_date(match)
                except StorageUnavailableError:
                    self._comparing.mark(match)  # which tries it until it succeeds
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
