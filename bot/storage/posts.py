"""Scheduled posts in the channels that servers chose: one per day and server.

A day is a number of days since 1970 in UTC. All other moments are Unix times in seconds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Column,
    Table,
    Text,
    UniqueConstraint,
    and_,
    bindparam,
    delete,
    exists,
    func,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import insert as upsert

from bot.storage.columns import Columns
from bot.storage.connection import ShieldedConnection
from bot.storage.locks import Locks
from bot.storage.repository import Changes, Repository
from bot.storage.schema import NUMBER, metadata, servers

NOTHING_TO_TELL: Final = 0
"""The `message` of a post that had nothing to say, so none was sent."""

NOWHERE: Final = "its channel was taken away"
"""The `failure` of posts that were waiting when their server chose to have none."""


def _posts(name: str) -> Table:
    """A table of posts, one per server and day."""
    return Table(
        name,
        metadata,
        Column("id", NUMBER, primary_key=True),
        Column("guild", BigInteger, nullable=False),
        Column("day", NUMBER, nullable=False),  # days since 1970, UTC
        Column("channel", BigInteger, nullable=False),
        Column("due_at", NUMBER, nullable=False),  # when to send it, or try again
        Column("message", BigInteger),  # null until it's sent
        Column("failure", Text),  # why it will never be sent; null while it may be
        UniqueConstraint("guild", "day", name=f"uq_{name}_guild_day"),
        sqlite_autoincrement=True,
    )


puzzle_posts = _posts("puzzle_posts")
"""Posts of the daily puzzle."""

digest_posts = _posts("digest_posts")
"""Posts of the weekly digest; `day` is the Monday after its week."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PostRecord:
    """A post that a server gets on a day."""

    id: int
    """Never reused, because it's the nonce of the message."""

    guild: int
    day: int
    channel: int


class PostStatements:
    """The statements for one kind of post, for example the daily puzzle.

    `wanted` is the column of `servers` with the channel that a server wants them in.
    """

    def __init__(self, posts: Table, wanted: Column[Any]) -> None:
        of_day = posts.c.day == bindparam("day")
        of_guild = posts.c.guild == bindparam("guild")
        one = posts.c.id == bindparam("sought")
        is_unposted = posts.c.message.is_(None)
        is_waiting = and_(is_unposted, posts.c.failure.is_(None))
        self.table = posts
        self.post = Columns(PostRecord, posts)
        self.unposted = select(servers.c.guild, wanted.label("channel")).where(
            wanted.is_not(None),
            servers.c.left_at.is_(None),
            ~exists().where(posts.c.guild == servers.c.guild, of_day),
        )
        self.claim = upsert(posts).on_conflict_do_nothing(index_elements=["guild", "day"])
        self.due = (
            select(*self.post.columns)
            .where(of_day, posts.c.due_at <= bindparam("now"), is_waiting)
            .order_by(posts.c.id)
        )
        self.last_posted = select(func.max(posts.c.day)).where(
            of_guild, posts.c.day < bindparam("until"), posts.c.message > NOTHING_TO_TELL
        )
        self.failure = select(posts.c.failure).where(of_guild).order_by(posts.c.day.desc()).limit(1)
        self.is_wanted = (
            select(posts.c.id)
            .join(servers, servers.c.guild == posts.c.guild)
            .where(one, is_unposted, wanted == posts.c.channel)
        )
        self.forget = delete(posts).where(one, is_waiting)
        in_guild = delete(posts).where(of_guild)
        self.forget_elsewhere = in_guild.where(is_waiting, posts.c.channel != bindparam("channel"))
        self.forget_failed = in_guild.where(is_unposted, posts.c.failure.is_not(None)).returning(
            posts.c.day
        )
        self.fail_waiting = (
            update(posts)
            .where(posts.c.guild == bindparam("server"), is_waiting)
            .values(failure=NOWHERE)
        )
        self.forget_before = delete(posts).where(posts.c.day < bindparam("first"))


class PostRepository(Repository):
    """The posts of one kind."""

    def __init__(
        self,
        connection: ShieldedConnection,
        changes: Changes,
        locks: Locks,
        *,
        statements: PostStatements,
    ) -> None:
        super().__init__(connection, changes, locks)
        self._statements = statements

    async def unposted(self, day: int) -> Mapping[int, int]:
        """The servers that want these posts and have none of this day, with their channels."""
        rows = await self._connection.execute(self._statements.unposted, {"day": day})
        return {row.guild: row.channel for row in rows}

    async def claim(self, day: int, channels: Mapping[int, int], now: int) -> None:
        """Create a post of this day for each of these servers that has none."""
        rows = [
            {"guild": guild, "day": day, "channel": channel, "due_at": now}
            for guild, channel in sorted(channels.items())
        ]
        if rows:
            await self._connection.execute(self._statements.claim, rows)

    async def due(self, day: int, now: int) -> Sequence[PostRecord]:
        """The posts of a day that are due, in the order they were created."""
        rows = await self._connection.execute(self._statements.due, {"day": day, "now": now})
        return [self._statements.post.of(row) for row in rows]

    async def note_posted(self, post: int, message: int) -> None:
        await self._change(post, message=message, failure=None)

    async def note_nothing(self, post: int) -> None:
        """Record that there was nothing to post, so that it isn't tried again."""
        await self._change(post, message=NOTHING_TO_TELL)

    async def skip(self, guild: int, day: int) -> None:
        """Make a server get no post of this day, unless it has one already."""
        nothing = {"channel": 0, "due_at": 0, "message": NOTHING_TO_TELL}
        values = {"guild": guild, "day": day, **nothing}
        await self._connection.execute(self._statements.claim, values)

    async def note_failed(self, post: int, failure: str) -> None:
        """Record why a post will never be sent."""
        await self._change(post, failure=failure)

    async def put_off(self, post: int, due_at: int) -> None:
        """Make a post due later."""
        self._changes.wake_at(due_at)
        await self._change(post, due_at=due_at)

    async def last_posted(self, guild: int, until: int) -> int | None:
        """The last day before `until` whose post a server got; None if none is stored."""
        before = {"guild": guild, "until": until}
        found = await self._connection.execute(self._statements.last_posted, before)
        day: int | None = found.scalar_one_or_none()
        return day

    async def failure(self, guild: int) -> str | None:
        """Why the last post of a server was not sent; None if it was, or may still be."""
        found = await self._connection.execute(self._statements.failure, {"guild": guild})
        why: str | None = found.scalar_one_or_none()
        return why

    async def is_wanted(self, post: int) -> bool:
        """Whether a post is unsent and its server still wants it in that channel."""
        found = await self._connection.execute(self._statements.is_wanted, {"sought": post})
        return found.first() is not None

    async def forget(self, post: int) -> None:
        """Delete a waiting post that its server no longer wants, so that it can get another."""
        await self._connection.execute(self._statements.forget, {"sought": post})

    async def change_channel(self, guild: int, channel: int | None) -> frozenset[int]:
        """Apply a server's new channel to its unsent posts; returns the days of failed ones.

        Failed posts are deleted, so that they can be tried again. Posts that wait for another
        channel are deleted; those that wait for this one may be on their way. With None, failures
        are kept and what waits has failed too: to choose the same channel again, Discord's menu has
        to be cleared first.
        """
        if channel is None:
            await self._connection.execute(self._statements.fail_waiting, {"server": guild})
            return frozenset()
        elsewhere = {"guild": guild, "channel": channel}
        await self._connection.execute(self._statements.forget_elsewhere, elsewhere)
        failed = await self._connection.execute(self._statements.forget_failed, {"guild": guild})
        return frozenset(failed.scalars())

    async def forget_before(self, day: int) -> None:
        """Delete posts of days before this one."""
        await self._connection.execute(self._statements.forget_before, {"first": day})

    async def _change(self, post: int, **values: object) -> None:
        posts = self._statements.table
        await self._connection.execute(update(posts).where(posts.c.id == post).values(**values))
