"""Channels and servers that are lost, and servers that are found again."""

import asyncio
import time
from collections.abc import Callable, Collection, Coroutine, Sequence

import structlog

from bot.matches.interruptions import Interruptions
from bot.storage import MatchId, Storage
from bot.storage.settings import is_left, known_servers, note_joined, note_left
from bot.updates import Updates

log = structlog.get_logger()


class Losses:
    """Pauses what can't be played any more, and tells its players at their desks."""

    def __init__(
        self,
        storage: Storage,
        interruptions: Interruptions,
        updates: Updates,
        *,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._storage = storage
        self._interruptions = interruptions
        self._updates = updates
        self._now = now
        self._noting: set[asyncio.Task[None]] = set()
        self._closed = False
        updates.table_lost = self.table_lost

    async def table_lost(self, match: MatchId) -> None:
        """The table of a match can't be reached any more."""
        self._tell(await self._interruptions.pause(match))

    async def channel_gone(self, channel: int) -> None:
        await self._attended(self._channel_gone(channel))

    async def server_left(self, guild: int) -> None:
        await self._attended(self._server_left(guild))

    async def server_joined(self, guild: int) -> None:
        """The bot is in this server, perhaps again."""
        await self._attended(self._server_joined(guild))

    async def compare(self, present: Collection[int]) -> None:
        """After a start or a long silence: note which servers were left or joined meanwhile.

        A server that is only unavailable is present: Discord names it, and says so.
        """
        await self._attended(self._compare(present))

    async def close(self) -> None:
        """Note nothing more, and wait for what is being noted."""
        self._closed = True
        await asyncio.gather(*self._noting, return_exceptions=True)

    async def _attended(self, work: Coroutine[None, None, None]) -> None:
        """Do this, and let `close` wait for it: events come whenever Discord sends them."""
        if self._closed:
            work.close()
            return
        task = asyncio.create_task(work)
        self._noting.add(task)
        task.add_done_callback(self._noting.discard)
        await task

    async def _channel_gone(self, channel: int) -> None:
        self._tell(await self._interruptions.pause_channel(channel))

    async def _server_left(self, guild: int) -> None:
        async with self._storage.transaction() as writing:
            await note_left(writing.connection, guild, int(self._now()))
        paused = await self._interruptions.pause_server(guild)
        log.info("server left", server=guild, matches=len(paused))
        self._tell(paused)

    async def _server_joined(self, guild: int) -> None:
        async with self._storage.reading() as connection:
            if not await is_left(connection, guild):
                return
        async with self._storage.transaction() as writing:
            await note_joined(writing.connection, [guild])
        log.info("server joined again", server=guild)

    async def _compare(self, present: Collection[int]) -> None:
        async with self._storage.transaction() as writing:
            await note_joined(writing.connection, present)
            gone = await known_servers(writing.connection) - set(present)
        for guild in sorted(gone):
            await self._server_left(guild)

    def _tell(self, paused: Sequence[MatchId]) -> None:
        for match in paused:
            log.info("match paused", match=match)
            self._updates.redraw(match)
