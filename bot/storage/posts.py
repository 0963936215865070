"""What is posted by the clock in the channels that servers chose: one post a day and server.

A day is a number: days since 1970, UTC. All other moments are in seconds since 1970.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Column, Table, delete, exists, or_, select, update
from sqlalchemy.dialects.postgresql import insert as upsert

from bot.storage.columns import Columns
from bot.storage.connection import ShieldedConnection
from bot.storage.locks import Locks
from bot.storage.post_tables import NOTHING_TO_TELL
from bot.storage.repository import Changes, Repository
from bot.storage.schema import servers


@dataclass(frozen=True, slots=True, kw_only=True)
class PostRecord:
    """A message that a server gets on a day."""

    id: int
    """Never used again, so that it can be the nonce of the message."""

    guild: int
    day: int
    channel: int


class PostRepository(Repository):
    """The posts of one kind, for example the daily puzzle."""

    def __init__(
        self,
        connection: ShieldedConnection,
        changes: Changes,
        locks: Locks,
        *,
        posts: Table,
        wanted: Column[Any],
    ) -> None:
        """`wanted` is the setting of a server that says where it wants them."""
        super().__init__(connection, changes, locks)
        self._posts = posts
        self._wanted = wanted
        self._post = Columns(PostRecord, posts)

    async def unposted(self, day: int) -> Mapping[int, int]:
        """The servers that want these posts and have none of this day, each with its channel."""
        claimed = exists().where(self._posts.c.guild == servers.c.guild, self._posts.c.day == day)
        query = select(servers.c.guild, self._wanted.label("channel")).where(
            self._wanted.is_not(None), servers.c.left_at.is_(None), ~claimed
        )
        return {row.guild: row.channel for row in await self._connection.execute(query)}

    async def claim(self, day: int, channels: Mapping[int, int], now: int) -> None:
        """Write a post of this day for each of these servers that has none."""
        rows = [
            {"guild": guild, "day": day, "channel": channel, "due_at": now}
            for guild, channel in sorted(channels.items())
        ]
        if rows:
            statement = upsert(self._posts).on_conflict_do_nothing(index_elements=["guild", "day"])
            await self._connection.execute(statement, rows)

    async def due(self, day: int, now: int) -> Sequence[PostRecord]:
        """The posts of a day that are to be sent now, in the order they were written."""
        query = (
            select(*self._post.columns)
            .where(
                self._posts.c.day == day,
                self._posts.c.due_at <= now,
                self._posts.c.message.is_(None),
                self._posts.c.failure.is_(None),
            )
            .order_by(self._posts.c.id)
        )
        return [self._post.of(row) for row in await self._connection.execute(query)]

    async def note_posted(self, post: int, message: int) -> None:
        await self._change(post, message=message)

    async def note_nothing(self, post: int) -> None:
        """Note that there was nothing to tell, so that it is not looked for again."""
        await self._change(post, message=NOTHING_TO_TELL)

    async def skip(self, guild: int, day: int) -> None:
        """Let a server get no post of this day, unless it has one by now."""
        nothing = {"channel": 0, "due_at": 0, "message": NOTHING_TO_TELL}
        await self._connection.execute(
            upsert(self._posts)
            .values(guild=guild, day=day, **nothing)
            .on_conflict_do_nothing(index_elements=["guild", "day"])
        )

    async def note_failed(self, post: int, failure: str) -> None:
        """Note why a post never will be sent."""
        await self._change(post, failure=failure)

    async def put_off(self, post: int, due_at: int) -> None:
        """Let a post be due later."""
        self._changes.wake_at(due_at)
        await self._change(post, due_at=due_at)

    async def was_posted(self, guild: int, day: int) -> bool:
        """Whether a server got the post of a day."""
        query = select(self._posts.c.id).where(
            self._posts.c.guild == guild,
            self._posts.c.day == day,
            self._posts.c.message > NOTHING_TO_TELL,
        )
        return (await self._connection.execute(query)).first() is not None

    async def failure(self, guild: int) -> str | None:
        """Why the last post in a server was not sent; None if it was, or may still be."""
        query = (
            select(self._posts.c.failure)
            .where(self._posts.c.guild == guild)
            .order_by(self._posts.c.day.desc())
            .limit(1)
        )
        return (await self._connection.execute(query)).scalar_one_or_none()

    async def is_wanted(self, post: int) -> bool:
        """Whether a post is still to be sent, and its server still wants it in that channel."""
        query = (
            select(self._posts.c.id)
            .join(servers, servers.c.guild == self._posts.c.guild)
            .where(
                self._posts.c.id == post,
                self._posts.c.message.is_(None),
                self._wanted == self._posts.c.channel,
            )
        )
        return (await self._connection.execute(query)).first() is not None

    async def forget(self, post: int) -> None:
        """Let a server get another post in place of one that it does not want as it is."""
        await self._connection.execute(
            delete(self._posts).where(self._posts.c.id == post, self._posts.c.message.is_(None))
        )

    async def forget_unposted(self, guild: int, channel: int | None) -> None:
        """Let a server that has changed its mind get a post again that could not be sent.

        What waits for another channel than this one is not sent any more; what waits for this one
        may be on its way.
        """
        elsewhere = self._posts.c.channel != (channel or 0)
        await self._connection.execute(
            delete(self._posts).where(
                self._posts.c.guild == guild,
                self._posts.c.message.is_(None),
                or_(self._posts.c.failure.is_not(None), elsewhere),
            )
        )

    async def forget_before(self, day: int) -> None:
        """Delete what is known of posts of days before this one."""
        await self._connection.execute(delete(self._posts).where(self._posts.c.day < day))

    async def _change(self, post: int, **values: object) -> None:
        await self._connection.execute(
            update(self._posts).where(self._posts.c.id == post).values(**values)
        )
