"""Announcements of seasons that whoever started them could not be given at once.

Where a season has still to be announced is written with its start. So a death of the process in
between, or trouble at Discord, costs nobody the announcement: the clock posts it, with the same
nonce, so that it comes once if the bot is back within minutes.
"""

from contextlib import suppress
from datetime import timedelta
from typing import Final

import discord
import structlog

from bot.errors import StorageUnavailableError
from bot.live.tools import Tools
from bot.messaging.content import MessageContent
from bot.messaging.failures import PASSING_FAILURES, UndeliveredError
from bot.rendering.seasons import MAX_FIRSTS, started_content
from bot.scheduling.retries import Retries
from bot.stats.leaderboards import Leaderboards, Query
from bot.stats.seasons import Seasons, Started
from bot.storage.seasons import SeasonRecord, Unannounced

log = structlog.get_logger()

AT_ONCE: Final = timedelta(minutes=1)
"""For so long whoever started a season is left to announce it."""

NEWS: Final = timedelta(days=1)
"""For so long the start of a season is worth an announcement."""


def nonce_of(season: SeasonRecord) -> str:
    """By this, Discord knows an announcement again."""
    return f"season.{season.id}"


class SeasonAnnouncements:
    def __init__(
        self, client: discord.Client, tools: Tools, seasons: Seasons, leaderboards: Leaderboards
    ) -> None:
        self._client = client
        self._storage = tools.storage
        self._delivery = tools.delivery
        self._now = tools.now
        self._seasons = seasons
        self._leaderboards = leaderboards
        self._retries = Retries(tools.now)
        self._put_off: dict[int, int] = {}
        """The seasons whose announcement Discord could not take, and when it is tried again."""

    async def content(self, guild: int, started: Started) -> MessageContent:
        """What everybody is told; without standings rather than late, where none can be read."""
        standings = None
        if started.before is not None:  # no result changes it any more
            query = Query(period=f"s{started.before.id}")
            with suppress(StorageUnavailableError):
                standings = await self._leaderboards.overview(guild, query, 0, top=MAX_FIRSTS)
        return started_content(started.season, started.before, standings)

    async def look(self) -> None:
        """Announce what has still to be announced, in servers that this process is connected to."""
        waiting = await self._seasons.unannounced()
        self._put_off = {one.id: at for one in waiting if (at := self._put_off.get(one.id))}
        now = self._now()
        for one in waiting:
            due_at = max(one.started_at + AT_ONCE.total_seconds(), self._put_off.get(one.id, 0))
            guild = self._client.get_guild(one.guild)
            if due_at <= now and guild is not None and not guild.unavailable:
                await self._announce(one)

    async def _announce(self, waiting: Unannounced) -> None:
        """Post it; where Discord refuses it, and when it is no news any more, nothing more is done.

        Where Discord only has trouble, it is tried again.
        """
        await self._storage.must_write()
        started, begun = await self._seasons.started(waiting.guild, waiting.id), self._now()
        if started is None:
            return  # its server was forgotten
        if begun - waiting.started_at >= NEWS.total_seconds():
            await self._seasons.note_announced(started.season)
            return
        content, nonce = await self.content(waiting.guild, started), nonce_of(started.season)
        try:
            arrived = await self._delivery.send(waiting.announce_in, content, nonce)
        except UndeliveredError as error:
            log.warning("season not announced", server=waiting.guild, why=error.failure.name)
            if error.failure in PASSING_FAILURES:
                self._put_off[waiting.id] = self._retries.after(waiting.id, begun, error.failure)
            else:
                await self._seasons.note_announced(started.season)
            return
        await self._seasons.note_announced(started.season)
        await self._delivery.name_all(arrived, content)
