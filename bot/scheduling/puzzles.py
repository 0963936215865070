"""The daily puzzle on its way: each server that wants it gets one post a day, with the reveal.

A post is a row before it is sent, and carries the number of that row as its nonce: so it comes once
whenever the process dies. What Discord refuses is noted, told in `/settings`, and not tried again.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Final

import discord
import structlog

from bot.errors import StorageUnavailableError
from bot.live.slots import Tools
from bot.messaging.failures import PASSING_FAILURES, UndeliveredError
from bot.messaging.permissions import missing
from bot.puzzles.answers import Puzzles
from bot.puzzles.calendar import day_of, puzzle_of
from bot.rendering.puzzles import post_content
from bot.storage.puzzles import PuzzlePostRecord
from bot.text import listed

log = structlog.get_logger()

TROUBLE_PAUSE: Final = 300
"""Seconds until what Discord could not take is tried again."""

KEPT_DAYS: Final = 3
"""Days for which it is known what was posted: a reveal asks about the day before."""


class PuzzlePosts:
    """One task posts for all servers, one after the other, at the pace of all requests."""

    def __init__(
        self,
        client: discord.Client,
        tools: Tools,
        puzzles: Puzzles,
        *,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._client = client
        self._storage = tools.storage
        self._delivery = tools.delivery
        self._presentations = tools.presentations
        self._puzzles = puzzles
        self._now = now
        self._posting: asyncio.Task[None] | None = None

    async def look(self) -> None:
        """Begin to post what is to be posted, unless that is going on."""
        if self._posting is None or self._posting.done():
            self._posting = asyncio.create_task(self._post())

    async def close(self) -> None:
        """Post nothing any more; what was begun is a row."""
        if self._posting is not None:
            self._posting.cancel()
            await asyncio.gather(self._posting, return_exceptions=True)

    async def _post(self) -> None:
        try:
            for post in await self._claimed():
                await self._attempt(post)
        except StorageUnavailableError:
            return  # the next look tries it

    async def _claimed(self) -> list[PuzzlePostRecord]:
        """The posts that are to be sent now, in servers that this process is connected to."""
        now = int(self._now())
        day = day_of(now)
        async with self._storage.reading() as reading:
            wanted = await reading.puzzles.unposted(day)
        here = {guild: wanted[guild] for guild in wanted if self._guild(guild) is not None}
        if here:
            async with self._storage.transaction() as writing:
                await writing.puzzles.claim(day, here, now)
                await writing.puzzles.forget_before(day - KEPT_DAYS)
        async with self._storage.reading() as reading:
            due = await reading.puzzles.due(day, now)
        return [post for post in due if self._guild(post.guild) is not None]

    def _guild(self, number: int) -> discord.Guild | None:
        """A server that is connected; None for one that is gone, or away for a while."""
        guild = self._client.get_guild(number)
        return None if guild is None or guild.unavailable else guild

    async def _attempt(self, post: PuzzlePostRecord) -> None:
        """Send one post, put it off, or note why that cannot be."""
        failure = self._obstacle(post)
        try:
            if failure is None:
                await self._send(post)
        except UndeliveredError as error:
            log.warning("puzzle not posted", server=post.guild, why=error.failure.name)
            if error.failure in PASSING_FAILURES:
                async with self._storage.transaction() as writing:
                    await writing.puzzles.put_off(post.id, int(self._now()) + TROUBLE_PAUSE)
                return
            failure = error.failure.value
        except StorageUnavailableError:
            raise
        except Exception:  # it would fail again, and other servers are to get theirs
            log.exception("puzzle not posted", server=post.guild)
            failure = "something went wrong"
        if failure is not None:
            async with self._storage.transaction() as writing:
                await writing.puzzles.note_failed(post.id, failure)

    def _obstacle(self, post: PuzzlePostRecord) -> str | None:
        """Why Discord would refuse a post, as far as that can be known without asking."""
        guild = self._guild(post.guild)
        channel = None if guild is None else guild.get_channel_or_thread(post.channel)
        if guild is None or channel is None:
            return "the channel is gone"
        lacking = missing(channel.permissions_for(guild.me))
        return f"I need {listed(lacking)} there" if lacking else None

    async def _send(self, post: PuzzlePostRecord) -> None:
        if day_of(self._now()) != post.day:
            return  # the next day has begun meanwhile, and has a post of its own
        reveal = await self._puzzles.reveal(post.guild, post.day - 1)
        content = post_content(self._presentations, post.day, puzzle_of(post.day), reveal)
        arrived = await self._delivery.send(post.channel, content, f"puzzle.{post.id}")
        async with self._storage.transaction() as writing:
            await writing.puzzles.note_posted(post.id, arrived.message)
