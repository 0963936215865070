"""Scheduled posts in channels that servers chose: the daily puzzle and the weekly digest.

A post is a row before it's sent, and the id of that row is its nonce: so it's posted only once if
the process crashes and is back within minutes. After that, one that had just been sent is repeated.
What Discord refuses is stored, shown in `/settings`, and not tried again.
"""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from typing import Final, Protocol

import discord
import structlog

from bot.errors import StorageUnavailableError
from bot.messaging.channels import connected_server
from bot.messaging.content import MessageContent
from bot.messaging.delivery import Delivery
from bot.messaging.failures import PASSING_FAILURES, UndeliveredError
from bot.messaging.own_member import own_member
from bot.messaging.permissions import missing_in, timed_out_until
from bot.puzzles.answers import TOLD_DAYS, Puzzles
from bot.puzzles.calendar import begins_at, day_of, puzzle_of
from bot.rendering.digest import digest_content
from bot.rendering.presentation import Presentations
from bot.rendering.puzzles import post_content
from bot.scheduling.every_minute import EveryMinute
from bot.scheduling.retries import NamesUnknownError, Retries
from bot.stats.digests import Digests, monday_of
from bot.storage import Storage, Transaction
from bot.storage.posts import PostRecord, PostRepository
from bot.text import listed

log = structlog.get_logger()

DIGEST_PATIENCE: Final = timedelta(hours=6)
"""How long a digest waits on its Monday until Discord says who it may name."""

PUZZLE_PATIENCE: Final = timedelta(minutes=5)
"""How long after midnight a puzzle waits until Discord says whose streaks it may name."""


class Kind(Protocol):
    """A kind of post, and its schedule; days are counted since 1970, in UTC."""

    name: str
    """The prefix of its messages' nonces."""

    kept_days: int
    """Days for which it's remembered what was posted."""

    def day(self, now: float) -> int:
        """The day whose post should exist at this moment, in seconds since 1970."""

    def rows(self, transaction: Transaction) -> PostRepository:
        """The repository of its posts."""

    async def content(self, guild: int, day: int) -> MessageContent | None:
        """The post for a server; None if there is nothing to post.

        NamesUnknownError if it's to wait until more people can be named.
        """


class PuzzleKind:
    """The puzzle of each day, posted at midnight UTC with the answer to that of the day before."""

    name = "puzzle"
    kept_days = TOLD_DAYS

    def __init__(
        self, presentations: Presentations, puzzles: Puzzles, *, now: Callable[[], float]
    ) -> None:
        self._presentations = presentations
        self._puzzles = puzzles
        self._now = now

    def day(self, now: float) -> int:
        return day_of(now)

    def rows(self, transaction: Transaction) -> PostRepository:
        return transaction.puzzle_posts

    async def content(self, guild: int, day: int) -> MessageContent:
        reveal = await self._puzzles.reveal(guild, day)
        if reveal is not None and not reveal.complete:
            _must_have_waited(PUZZLE_PATIENCE, day, self._now())
        return post_content(self._presentations, day, puzzle_of(day), reveal)


class DigestKind:
    """The digest of the week before, posted on Monday, or later that week if that failed."""

    name = "digest"
    kept_days = 21

    def __init__(self, digests: Digests, *, now: Callable[[], float]) -> None:
        self._digests = digests
        self._now = now

    def day(self, now: float) -> int:
        return monday_of(day_of(now))

    def rows(self, transaction: Transaction) -> PostRepository:
        return transaction.digest_posts

    async def content(self, guild: int, day: int) -> MessageContent | None:
        digest = await self._digests.of(guild, day)
        if not digest.complete:
            _must_have_waited(DIGEST_PATIENCE, day, self._now())
        return None if digest.is_empty else digest_content(digest)


def _must_have_waited(patience: timedelta, day: int, now: float) -> None:
    """NamesUnknownError until this long after the day began (UTC)."""
    if now < begins_at(day) + patience.total_seconds():
        raise NamesUnknownError


class ServerPosts:
    """One task posts for all servers, one after the other, at the pace of all requests."""

    def __init__(
        self,
        client: discord.Client,
        storage: Storage,
        delivery: Delivery,
        kind: Kind,
        *,
        now: Callable[[], float],
    ) -> None:
        self._client = client
        self._storage = storage
        self._delivery = delivery
        self._kind = kind
        self._now = now
        self._retries = Retries(now)
        self._put_off: dict[int, tuple[int, PostRecord]] = {}
        """The posts that this process tries again, by id, each with when (Unix time)."""

        self._posting: asyncio.Task[None] | None = None
        self._again = False
        self._once_a_minute = EveryMinute(now)
        self._looked_on: int | None = None
        """The day whose posts were last looked for."""

    async def look(self) -> int | None:
        """Start posting what is due; if a run is under way, it looks once more at its end.

        All servers are checked once a minute, when a day begins, and when something has to be tried
        again. Returns when that is next (Unix time), as far as it's known.
        """
        now = self._now()
        day, moments = self._kind.day(now), [due_at for due_at, _ in self._put_off.values()]
        is_new = day != self._looked_on or any(moment <= now for moment in moments)
        if self._once_a_minute.begin_if_due() or is_new:
            self._looked_on, self._again = day, True
            if self._posting is None or self._posting.done():
                self._posting = asyncio.create_task(self._post())
        return min((moment for moment in moments if moment > now), default=None)

    async def unposted(self, guild: int) -> str | None:
        """Why a server's last post couldn't be sent; None if it was, or still may be."""
        async with self._storage.reading() as reading:
            return await self._kind.rows(reading).failure(guild)

    def hurry(self) -> None:
        """Check all servers at the next look: one has changed where it wants its posts."""
        self._once_a_minute.hurry()

    async def close(self) -> None:
        """Stop posting; what was begun is stored."""
        if self._posting is not None:
            self._posting.cancel()
            await asyncio.gather(self._posting, return_exceptions=True)

    async def _post(self) -> None:
        try:
            while self._again:
                self._again = False
                self._take_due()  # their rows say that they are due
                for post in await self._claimed():
                    await self._attempt(post)
                    for again in self._take_due():  # retries can't wait for all others
                        await self._attempt(again)
        except StorageUnavailableError:
            self.hurry()  # the next look tries it again

    def _take_due(self) -> list[PostRecord]:
        """Remove and return the posts to be tried again now."""
        now = self._now()
        due = [post for due_at, post in self._put_off.values() if due_at <= now]
        for post in due:
            del self._put_off[post.id]
        return due

    async def _claimed(self) -> list[PostRecord]:
        """Claim the posts to be sent now, in servers that this process is connected to."""
        now = int(self._now())
        day = self._kind.day(now)
        async with self._storage.reading() as reading:
            wanted = await self._kind.rows(reading).unposted(day)
            due = await self._kind.rows(reading).due(day, now)
        here = {guild: wanted[guild] for guild in wanted if self._is_here(guild)}
        if here:
            async with self._storage.transaction() as writing:
                await self._kind.rows(writing).claim(day, here, now)
                await self._kind.rows(writing).forget_before(day - self._kind.kept_days)
                due = await self._kind.rows(writing).due(day, now)
        return [post for post in due if self._is_here(post.guild)]

    def _is_here(self, guild: int) -> bool:
        return connected_server(self._client, guild) is not None

    async def _attempt(self, post: PostRecord) -> None:
        """Send one post, postpone it, or store why it can't be sent; drop it if it's not wanted.

        It stays due while it waits for names, and if its server has become unavailable since it was
        read: others were sent first.
        """
        await self._storage.must_write()
        if not await self._keep_if_wanted(post) or not self._is_here(post.guild):
            return
        begun, failure = self._now(), None
        try:
            failure = self._obstacle(post)
            if failure is None:
                await self._send(post)
        except NamesUnknownError:
            log.info("post waits for names", what=self._kind.name, server=post.guild)
            return
        except UndeliveredError as error:
            log.warning(
                "not posted", what=self._kind.name, server=post.guild, why=error.failure.name
            )
            if error.failure in PASSING_FAILURES:
                due_at = self._retries.after(post.id, begun, error.failure)
                self._put_off[post.id] = due_at, post
                async with self._storage.transaction() as writing:
                    await self._kind.rows(writing).put_off(post.id, due_at)
                return
            failure = error.failure.value
        except StorageUnavailableError:
            raise
        except Exception:  # it would fail again, and other servers are to get theirs
            log.exception("not posted", what=self._kind.name, server=post.guild)
            failure = "something went wrong"
        if failure is not None:
            async with self._storage.transaction() as writing:
                await self._kind.rows(writing).note_failed(post.id, failure)

    async def _keep_if_wanted(self, post: PostRecord) -> bool:
        """Drop a post that isn't wanted there anymore, and look again; whether it stays."""
        async with self._storage.reading() as reading:
            if await self._kind.rows(reading).is_wanted(post.id):
                return True
        async with self._storage.transaction() as writing:
            await self._kind.rows(writing).forget(post.id)
        self._again = True
        return False

    def _obstacle(self, post: PostRecord) -> str | None:
        """Why Discord would refuse a post, as far as that is known without asking; else None.

        It isn't known while Discord hasn't told of the bot's own member in the server.
        """
        guild = connected_server(self._client, post.guild)
        channel = None if guild is None else guild.get_channel_or_thread(post.channel)
        if guild is None or channel is None:
            return "the channel is gone"
        if timed_out_until(guild) is not None:
            return "a moderator had timed me out"
        me = own_member(guild)
        lacking = () if me is None else missing_in(channel, me)
        return f"I need {listed(lacking)} there" if lacking else None

    async def _send(self, post: PostRecord) -> None:
        if self._kind.day(self._now()) != post.day:
            return  # the next one is due by now, and has a post of its own
        content = await self._kind.content(post.guild, post.day)
        if content is None:
            async with self._storage.transaction() as writing:
                await self._kind.rows(writing).note_nothing(post.id)
            return
        nonce = f"{self._kind.name}.{post.id}"
        arrived = await self._delivery.send(post.channel, content, nonce)
        async with self._storage.transaction() as writing:
            await self._kind.rows(writing).note_posted(post.id, arrived.message)
        await self._delivery.show_mentioned_names(arrived, content)
