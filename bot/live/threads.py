"""A thread of its own for a match, where its server wants that, and which threads end soon."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Final

import discord
import structlog

from bot.matches import PublicSnapshot
from bot.messaging.delivery import Delivery
from bot.messaging.failures import PASSING_FAILURES, Failure, UndeliveredError
from bot.rendering.phrases import title
from bot.rendering.presentation import Presentations
from bot.settings.guilds import GuildSettings
from bot.storage import MatchId, MessageRef, Storage

log = structlog.get_logger()

_ARCHIVED_AFTER: Final = {"live": 60, "today": 1440, "today_reserve": 1440}
"""Minutes of silence after which Discord puts a thread away; the longest for the slower paces.
A message in it brings it back."""

_MAX_SILENCE_MINUTES: Final = 10080

_SHARE_USED: Final = 5 / 6
"""The part of the silence that a thread may have, after which its table is posted anew: the rest,
at least 10 minutes, is for times in which the bot is away."""


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
        """The thread that a match is played in from its start; None if it stays where it is.

        It is begun from the message of the challenge, and has its id; so one that was begun
        before we died is found again.
        """
        if snapshot.guild is None or not (await self._servers.of(snapshot.guild)).threads:
            return None
        if not await self._has_threads(challenge):
            return None
        # Rematches are played here too, and Discord takes two new names in ten minutes only. Names
        # of people would stay in it after /privacy delete.
        what = title(snapshot, self._presentations[snapshot.game])
        name = f"{what} · match {snapshot.match} and rematches"
        minutes = _ARCHIVED_AFTER.get(snapshot.time_control, _MAX_SILENCE_MINUTES)
        try:
            thread = await self._delivery.channels.begin_thread(
                challenge.channel, challenge.message, name[:100], minutes
            )
        except UndeliveredError as error:
            # What Discord has turned off may stay so for long; the match begins without.
            if error.failure in PASSING_FAILURES - {Failure.DISABLED}:
                raise
            log.warning("no thread", match=snapshot.match, why=error.failure.name)
            return None
        async with self._storage.transaction() as writing:
            await writing.pauses.move(snapshot.match, thread)
        return thread

    async def ending(self) -> Mapping[MatchId, int]:
        """Challenges and matches in play whose threads are put away before long, and their tables.

        An edit is no activity, so it counts from the table's own message, whose id tells when it
        was posted. What people write there meanwhile we do not hear.
        """
        threads = [
            thread
            for guild in self._client.guilds
            if not guild.unavailable
            for thread in guild.threads
        ]
        lasting = {thread.auto_archive_duration for thread in threads}
        silent = {minutes: self._silent_since(minutes) for minutes in lasting}
        # Whatever stands in a thread is younger than the thread itself.
        old = {t.id: limit for t in threads if t.id <= (limit := silent[t.auto_archive_duration])}
        if not old:
            return {}
        async with self._storage.reading() as reading:
            tables = await reading.messages.tables_in(old)
        return {
            match: table.message
            for match, table in tables.items()
            if table.message <= old[table.channel]
        }

    def _silent_since(self, minutes: int) -> int:
        """An id: a message with this one or a lower one is old in a thread that lasts so long."""
        moment = datetime.fromtimestamp(self._now(), UTC) - timedelta(minutes=minutes) * _SHARE_USED
        return discord.utils.time_snowflake(moment, high=True)

    def is_thread(self, channel: int) -> bool:
        """Whether this channel of a table is a thread; one that was put away is not known."""
        found = self._client.get_channel(channel)
        return found is None or isinstance(found, discord.Thread)

    async def _has_threads(self, challenge: MessageRef) -> bool:
        """Whether a message of this channel can have a thread that the bot can post in.

        Not those of threads themselves; and to begin one takes another permission than to write.
        Discord is asked of a channel that is not known here: another process has its server, and
        this one has taken back the click that it did not answer.
        """
        channel = self._client.get_channel(challenge.channel)
        if channel is None:
            return await self._delivery.channels.has_threads(challenge.channel)
        if not isinstance(channel, discord.TextChannel):
            return False
        me: discord.Member | None = channel.guild.me  # it may be missing, whatever the types say
        return me is None or channel.permissions_for(me).send_messages_in_threads
