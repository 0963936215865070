"""Starts threads for matches, if servers want that, and finds those that will be archived soon."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Final

import discord
import structlog

from bot.matches import PublicSnapshot
from bot.messaging.delivery import Delivery
from bot.messaging.failures import PASSING_FAILURES, Failure, UndeliveredError
from bot.messaging.own_member import own_member
from bot.rendering.phrases import title
from bot.rendering.presentation import Presentations
from bot.settings.guilds import GuildSettings
from bot.storage import MatchId, MessageRef, Storage

log = structlog.get_logger()

_ARCHIVE_MINUTES: Final = {"live": 60, "today": 1440, "today_reserve": 1440}
"""Minutes of inactivity after which Discord archives a thread, by time control; the longest for the
slower ones. A message in it unarchives it."""

_LONGEST_ARCHIVE_MINUTES: Final = 10080

_REPOST_AT: Final = 5 / 6
"""The part of that time after which the table in a thread is reposted. The rest, at least 10
minutes, is for times when the bot is offline."""


class Threads:
    def __init__(
        self,
        client: discord.Client,
        storage: Storage,
        delivery: Delivery,
        servers: GuildSettings,
        presentations: Presentations,
        now: Callable[[], float],
    ) -> None:
        self._client = client
        self._storage = storage
        self._delivery = delivery
        self._servers = servers
        self._presentations = presentations
        self._now = now

    async def begin(self, snapshot: PublicSnapshot, challenge: MessageRef) -> int | None:
        """Start the thread of a match that begins; returns its id, None if it gets none.

        It's started from the challenge's message, and has its id, so one that was started before a
        crash is found again. UndeliveredError if Discord has trouble.
        """
        if snapshot.guild is None or not (await self._servers.of(snapshot.guild)).threads:
            return None
        if not await self._has_threads(challenge):
            return None
        # Rematches are played here too, and Discord accepts only two new names in ten minutes.
        # People's names would stay in it after /privacy delete.
        what = title(snapshot, self._presentations[snapshot.game])
        name = f"{what} · match {snapshot.match} and rematches"
        minutes = _ARCHIVE_MINUTES.get(snapshot.time_control, _LONGEST_ARCHIVE_MINUTES)
        try:
            thread = await self._delivery.channels.begin_thread(
                challenge.channel, challenge.message, name[:100], minutes
            )
        except UndeliveredError as error:
            # What Discord has turned off may stay so for long; the match begins without a thread.
            if error.failure in PASSING_FAILURES - {Failure.DISABLED}:
                raise
            log.warning("no thread", match=snapshot.match, why=error.failure.name)
            return None
        async with self._storage.transaction() as writing:
            await writing.pauses.move(snapshot.match, thread)
        return thread

    async def archived_soon(self) -> Mapping[MatchId, int]:
        """Open challenges and running matches whose threads will be archived soon.

        With the message ids of their tables.

        Edits don't count as activity, so time counts from the table's message, whose id tells when
        it was posted. What people write there isn't sent to the bot.
        """
        threads = [
            thread
            for guild in self._client.guilds
            if not guild.unavailable
            for thread in guild.threads
        ]
        durations = {thread.auto_archive_duration for thread in threads}
        newest_old = {minutes: self._newest_old_id(minutes) for minutes in durations}
        # Every message in a thread is younger than the thread itself.
        old = {
            t.id: limit for t in threads if t.id <= (limit := newest_old[t.auto_archive_duration])
        }
        if not old:
            return {}
        async with self._storage.reading() as reading:
            tables = await reading.messages.tables_in(old)
        return {
            match: table.message
            for match, table in tables.items()
            if table.message <= old[table.channel]
        }

    def _newest_old_id(self, minutes: int) -> int:
        """The id of the newest message that is old in a thread archived after this many minutes."""
        moment = datetime.fromtimestamp(self._now(), UTC) - timedelta(minutes=minutes) * _REPOST_AT
        return discord.utils.time_snowflake(moment, high=True)

    def is_thread(self, channel: int) -> bool:
        """Whether the table's channel is a thread, or not cached, as archived threads are."""
        cached = self._client.get_channel(channel)
        return cached is None or isinstance(cached, discord.Thread)

    async def _has_threads(self, challenge: MessageRef) -> bool:
        """Whether the challenge's message can have a thread that the bot can post in.

        Not if it's in a thread itself; and posting in threads needs a permission of its own.
        Discord is asked about a channel that isn't cached: another process has its server, and this
        one took back a click that the other one hadn't answered.
        """
        channel = self._client.get_channel(challenge.channel)
        if channel is None:
            return await self._delivery.channels.has_threads(challenge.channel)
        if not isinstance(channel, discord.TextChannel):
            return False
        me = own_member(channel.guild)
        return me is None or channel.permissions_for(me).send_messages_in_threads
