"""Handles channels and servers that the bot has lost, and servers that it's in again."""

import asyncio
from collections.abc import Callable, Container, Coroutine, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final
from weakref import WeakValueDictionary

import structlog

from bot.live.live import Live
from bot.matches.pauses import Pauses
from bot.messaging.channels import Channels
from bot.storage import MatchId, Storage

log = structlog.get_logger()

REMEMBERED_FOR: Final = timedelta(days=30)
"""How long the data of a server that has removed the bot is kept."""

SHOWING_PATIENCE: Final = timedelta(days=1)
"""How much longer at most, while its players still have to be shown that their matches were closed.
"""

SETTLING_SECONDS: Final = 10.0
"""Seconds that a channel has to stay hidden until its matches are paused: its permissions may be
changed in two steps."""

ASKED_AT_ONCE: Final = 100
"""Servers whose matches' channels are read together: a shard may have 2,500, with many matches."""

DELETED_AT_ONCE: Final = 50
"""Matches deleted in one transaction: everybody else's click waits while it runs."""


class GuildLifecycle:
    """Pauses matches that can't be played anymore, and tells their players in their hands."""

    def __init__(
        self,
        storage: Storage,
        pauses: Pauses,
        live: Live,
        *,
        channels: Channels,
        now: Callable[[], float],
        settling: float = SETTLING_SECONDS,
    ) -> None:
        self._storage = storage
        self._pauses = pauses
        self._live = live
        self._channels = channels
        self._now = now
        self._settling = settling
        self._unseen: set[int] = set()
        """Servers that have been in an outage since their channels were last checked."""

        self._orders: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        """Locks for servers that are being stored as left or joined."""

        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False
        self._closing = asyncio.Event()

    async def channel_gone(self, channel: int) -> None:
        await self._run_tracked(self._channel_gone(channel))

    async def channel_with_threads_gone(self, channel: int, guild: int) -> None:
        """Handle a deleted channel of this server with its threads, which Discord won't report."""
        await self._run_tracked(self._channel_with_threads_gone(channel, guild))

    async def permissions_lost(self, guild: int) -> None:
        """Handle fewer permissions in this server: the bot may not see a channel anymore."""
        await self._run_tracked(self._permissions_lost(guild))

    async def server_left(self, guild: int) -> None:
        await self._run_tracked(self._in_order(guild, lambda: self._server_left(guild)))

    async def server_joined(self, guild: int, since: datetime | None) -> None:
        """Handle that the bot is in this server; `since` is None if Discord doesn't say when."""
        joined = self._in_order(guild, lambda: self._server_joined(guild, since))
        await self._run_tracked(joined)

    async def permissions_changed(self, guild: int) -> None:
        """Handle new permissions in this server: what Discord has refused is tried again."""
        await self._run_tracked(self._permissions_changed(guild))

    async def thread_seen(self, thread: int, guild: int) -> None:
        """Update messages of this server: the bot can see one of its threads again."""
        await self._run_tracked(self._thread_seen(thread, guild))

    async def compare(
        self, present: Mapping[int, datetime | None], among: Callable[[int], bool] | None = None
    ) -> None:
        """After a start or a long silence, store which servers were left or joined meanwhile.

        The same for deleted channels; for a server in an outage, once that is over. `present` has
        when the bot joined each server, or None; it includes unavailable servers, which Discord
        names. `among` tells of which servers it can be known that they were left; by default of
        all.
        """
        await self._run_tracked(self._compare(present, among or (lambda _: True)))

    async def forget_guilds(self, is_in: Callable[[int], bool | None]) -> None:
        """Delete the data of servers that removed the bot long ago.

        Not of a server that the bot is in, though its return isn't stored: `is_in` tells that, or
        None if this process can't know it. One that came back too late is deleted all the same.
        """
        before = self._now() - REMEMBERED_FOR.total_seconds()
        async with self._storage.reading() as reading:
            gone = await reading.guilds.left_before(
                int(before), int(before - SHOWING_PATIENCE.total_seconds())
            )
            left = await reading.guilds.left() if gone else {}
        for guild in filter(left.__contains__, gone):  # one of these may be back meanwhile
            present = is_in(guild)
            if present:
                await self._note_present(guild, left[guild])
                await self._show_where_seen(guild)
            elif present is not None:
                await self._forget(guild)

    def outage_begun(self, guild: int) -> None:
        """Note that what is deleted there from now on isn't told, but only seen once it's back."""
        self._unseen.add(guild)

    async def close(self) -> None:
        """Handle no more events, and wait for those under way."""
        self._closed = True
        self._closing.set()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _run_tracked(self, work: Coroutine[None, None, None]) -> None:
        """Run this as a task that `close` waits for, unless closed: events come at any time."""
        if self._closed:
            work.close()
            return
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        await task

    async def _in_order(self, guild: int, work: Callable[[], Coroutine[None, None, None]]) -> None:
        """Run this after earlier work for the same server.

        Otherwise a server that is back at once might be stored as left after that.
        """
        order = self._orders.setdefault(guild, asyncio.Lock())
        async with order:
            await work()

    async def _channel_gone(self, channel: int) -> None:
        self._tell(await self._pauses.pause_channel(channel))

    async def _channel_with_threads_gone(self, channel: int, guild: int) -> None:
        await self._channel_gone(channel)
        await self._pause_unseen(guild)

    async def _permissions_lost(self, guild: int) -> None:
        """Pause matches in hidden channels, after a wait: a pause ends only by `/resume`."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self._settling):
                await self._closing.wait()
        await self._pause_unseen(guild)

    async def _pause_unseen(self, guild: int) -> None:
        """Pause the matches of a server in channels that are gone, or closed to the bot."""
        if self._channels.is_in_outage(guild):
            self._unseen.add(guild)
            return
        async with self._storage.reading() as reading:
            running = await reading.match_lists.running_in(guild)
        await self._pause_gone({each.channel: guild for each in running if not each.lost})

    async def _pause_gone(self, channels: Mapping[int, int]) -> None:
        """Pause the matches in those of these channels that are gone, or closed to the bot.

        `channels` maps them to their servers: in an outage that began meanwhile, nothing is gone.
        Discord is asked about each that isn't known to be visible: discord.py caches no archived
        threads.
        """
        for channel, guild in sorted(channels.items()):
            if self._closed:
                return  # the next start looks again
            is_gone = not self._channels.sees(channel) and await self._channels.is_gone(channel)
            if is_gone and not self._channels.is_in_outage(guild):
                await self._channel_gone(channel)

    async def _server_left(self, guild: int) -> None:
        """Pause its matches, then store that it was left: from then on, a start ignores it."""
        paused = await self._pauses.pause_server(guild)
        self._tell(paused)
        async with self._storage.transaction() as writing:
            await writing.guilds.note_left(guild, int(self._now()))
        log.info("server left", server=guild, matches=len(paused))

    async def _server_joined(self, guild: int, since: datetime | None) -> None:
        async with self._storage.reading() as reading:
            left = await reading.guilds.left()
        if guild in left:
            await self._handle_return(guild, left[guild], since)
            # Not for each server that Discord names at a start: `compare` handles all of them
            # together.
            await self._show_ended(guild)
        await self._show_lost(guild)
        if guild in self._unseen:
            self._unseen.remove(guild)
            await self._pause_unseen(guild)

    async def _permissions_changed(self, guild: int) -> None:
        self._live.try_refused(guild)
        await self._show_where_seen(guild)

    async def _thread_seen(self, thread: int, guild: int) -> None:
        self._live.try_refused(guild, thread)  # it may have been locked
        await self._show_where_seen(guild)

    async def _show_where_seen(self, guild: int) -> None:
        await self._show_lost(guild)
        await self._show_ended(guild)

    async def _show_lost(self, guild: int | None = None, *, among: Container[int] = ()) -> None:
        """Update the tables of matches that are paused because their channel or server was lost.

        The bot may be able to reach them again. `guild` is their server, or `among` their servers.
        """
        async with self._storage.reading() as reading:
            lost = await reading.pauses.lost(guild)
        for match, its_guild in lost.items():
            if its_guild == guild or its_guild in among:
                self._live.retry_and_update(match)

    async def _show_ended(self, guild: int | None = None) -> None:
        """Update messages that couldn't show how their match ended; of one server, or of all."""
        async with self._storage.reading() as reading:
            unshown = await reading.messages.unshown(guild)
        for match, at in unshown:
            if self._channels.may_edit_in(at.channel):
                await self._live.show_end(match, at.message)

    async def _handle_return(self, guild: int, left: int, since: datetime | None) -> None:
        if self._was_away_too_long(left, since):
            await self._forget(guild)
        await self._note_back(guild)

    async def _note_present(self, guild: int, left: int) -> None:
        """Store that the bot is in a server again; delete its data first if it came back too late.

        If Discord doesn't say when it came back, that was in time.
        """
        since = self._channels.joined_at(guild)
        if since is not None and since.timestamp() - left >= REMEMBERED_FOR.total_seconds():
            await self._forget(guild)
        await self._note_back(guild)

    async def _note_back(self, guild: int) -> None:
        async with self._storage.transaction() as writing:
            await writing.guilds.note_joined([guild])
        log.info("server joined again", server=guild)

    def _was_away_too_long(self, left: int, since: datetime | None) -> bool:
        """Whether a server came back too late for its data to be kept.

        It may have been back in time while this bot didn't run; Discord says since when.
        """
        back = self._now()
        if since is not None and since.timestamp() > left:
            back = min(back, since.timestamp())
        return back - left >= REMEMBERED_FOR.total_seconds()

    async def _compare(
        self, present: Mapping[int, datetime | None], among: Callable[[int], bool]
    ) -> None:
        async with self._storage.reading() as reading:
            left = await reading.guilds.left()
            known = await reading.guilds.known()
            gone = {guild for guild in known - set(present) if among(guild)}
        for guild in sorted(left.keys() & present.keys()):
            await self._handle_return(guild, left[guild], present[guild])
        for guild in sorted(gone):
            await self._server_left(guild)
        await self._show_lost(among=present)
        await self._show_ended()
        self._unseen.difference_update(present)
        self._unseen.update(filter(self._channels.is_in_outage, present))
        seen = sorted(present.keys() - self._unseen)
        for first in range(0, len(seen), ASKED_AT_ONCE):
            async with self._storage.reading() as reading:
                channels = await reading.pauses.channels(seen[first : first + ASKED_AT_ONCE])
            await self._pause_gone(channels)

    async def _forget(self, guild: int) -> None:
        """Delete all data of a server in batches of matches, unless the bot joins it again."""
        forgotten = 0
        while True:
            async with self._storage.transaction() as writing:
                if guild not in await writing.guilds.left():
                    return
                numbers = await writing.guilds.forget_matches(guild, DELETED_AT_ONCE)
                if not numbers:
                    await writing.guilds.forget(guild)
            if not numbers:
                break
            forgotten += len(numbers)
            for match in numbers:
                self._live.slots.forget(match)
        log.info("server forgotten", server=guild, matches=forgotten)

    def _tell(self, paused: Sequence[MatchId]) -> None:
        for match in paused:
            log.info("match paused", match=match)
            self._live.retry_and_update(match)
