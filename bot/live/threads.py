"""A thread of its own for a match, where its server wants that."""

from typing import Final

import discord
import structlog

from bot.matches import PublicSnapshot
from bot.messaging.delivery import Delivery
from bot.messaging.failures import PASSING_FAILURES, UndeliveredError
from bot.rendering.phrases import title
from bot.rendering.presentation import Presentations
from bot.settings.guilds import GuildSettings
from bot.storage import MessageRef, Storage

log = structlog.get_logger()

_ARCHIVED_AFTER: Final = {"live": 60, "today": 1440}
"""Minutes of silence after which Discord puts a thread away; the longest for the slower paces.
A message in it brings it back."""

_LONGEST: Final = 10080


class Threads:
    def __init__(
        self,
        client: discord.Client,
        storage: Storage,
        delivery: Delivery,
        servers: GuildSettings,
        presentations: Presentations,
    ) -> None:
        self._client = client
        self._storage = storage
        self._delivery = delivery
        self._servers = servers
        self._presentations = presentations

    async def begin(self, snapshot: PublicSnapshot, challenge: MessageRef) -> int | None:
        """The thread that a match is played in from its start; None if it stays where it is.

        It is begun from the message of the challenge, and has its id; so one that was begun
        before we died is found again.
        """
        if not (await self._servers.of(snapshot.guild)).threads or not self._has_threads(challenge):
            return None
        name = f"{title(snapshot, self._presentations[snapshot.game])} · match {snapshot.match}"
        minutes = _ARCHIVED_AFTER.get(snapshot.time_control, _LONGEST)
        try:
            thread = await self._delivery.begin_thread(
                challenge.channel, challenge.message, name[:100], minutes
            )
        except UndeliveredError as error:
            if error.failure in PASSING_FAILURES:
                raise
            log.warning("no thread", match=snapshot.match, why=error.failure.name)
            return None
        async with self._storage.transaction() as writing:
            await writing.pauses.move(snapshot.match, thread)
        return thread

    def is_thread(self, channel: int) -> bool:
        """Whether this channel of a table is a thread; one that was put away is not known."""
        found = self._client.get_channel(channel)
        return found is None or isinstance(found, discord.Thread)

    def _has_threads(self, challenge: MessageRef) -> bool:
        """Whether messages of this channel can have threads: not those of threads themselves."""
        return isinstance(self._client.get_channel(challenge.channel), discord.TextChannel)
