"""Which results people have shared, and where the posts are."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Generic, TypeVar

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    ForeignKey,
    Index,
    Table,
    and_,
    delete,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import insert as upsert

from bot.storage.columns import Columns
from bot.storage.records import MatchId, Spot
from bot.storage.repository import Repository
from bot.storage.schema import NUMBER, metadata

shares = Table(
    "shares",
    metadata,
    Column("match", ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("user", BigInteger, primary_key=True),  # who shared it, once per match
    Column("channel", BigInteger, nullable=False),
    Column("message", BigInteger),  # null until it's sent
    Column("shared_at", NUMBER, nullable=False),
    sqlite_with_rowid=False,
)
Index("ix_shares_user", shares.c.user)


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedPostRecord:
    """A public post that a person asks for; subclasses add its key."""

    channel: int
    message: int | None
    """None until the post is sent, or if the process died before storing that."""

    shared_at: int
    """Unix time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareRecord(SharedPostRecord):
    """A result that a person shares, once per match."""

    match: MatchId
    user: int


UNSURE_SECONDS: Final = 300
"""For this long after an unfinished attempt, the next one goes to the same channel with the same
nonce: Discord may have accepted the first, and knows a nonce for "the past few minutes"."""

R = TypeVar("R", bound=SharedPostRecord)


def _is_old(tried_at: ColumnElement[int], now: int) -> ColumnElement[bool]:
    """Whether an attempt is so old that Discord no longer knows its nonce.

    A time that far in the future was written before the clock was set back, so it counts as old; a
    second ahead may be another process's clock.
    """
    return ~tried_at.between(now - UNSURE_SECONDS, now + UNSURE_SECONDS)


class SharedPostRepository(Repository, Generic[R]):
    """Posts of one kind, each stored before it's sent; found by the primary key of their table."""

    table: ClassVar[Table]
    columns: ClassVar[Columns[Any]]

    async def of(self, *key: int) -> R | None:
        """The post with this key, whose parts are in the order of the table's columns; or None."""
        query = select(*self.columns.columns).where(self._is(key))
        row = (await self._connection.execute(query)).one_or_none()
        return None if row is None else self.columns.of(row)

    async def claim(self, wanted: R) -> R | None:
        """Store a post before it's sent; returns it, or the stored one that was or may yet be sent.

        None if it may no longer be shared.
        """
        posts = self.table.c
        await self._connection.execute(
            upsert(self.table)
            .values(**self.columns.values(wanted))
            .on_conflict_do_update(
                index_elements=list(self.table.primary_key),
                set_={"channel": wanted.channel, "shared_at": wanted.shared_at},
                where=and_(posts.message.is_(None), _is_old(posts.shared_at, wanted.shared_at)),
            )
        )
        return await self.of(*self._key(wanted))

    async def note_posted(self, post: R, message: int) -> bool:
        """Store the message of a post; returns False if its row is gone."""
        noted = await self._connection.execute(
            update(self.table)
            .where(self._is(self._key(post)), self.table.c.shared_at == post.shared_at)
            .values(message=message)
        )
        return noted.rowcount == 1

    async def release(self, gone: R) -> None:
        """Delete the row of a post that is gone or was never sent, so that it can be repeated.

        A newer post stays.
        """
        await self._connection.execute(
            delete(self.table).where(
                self._is(self._key(gone)), self.table.c.message == gone.message
            )
        )

    def _key(self, post: R) -> list[int]:
        return [getattr(post, column.name) for column in self.table.primary_key]

    def _is(self, key: Sequence[int]) -> ColumnElement[bool]:
        columns = self.table.primary_key
        return and_(*(column == part for column, part in zip(columns, key, strict=True)))


class ShareRepository(SharedPostRepository[ShareRecord]):
    table = shares
    columns = Columns(ShareRecord, shares)

    async def latest(self, user: int, limit: int) -> Sequence[tuple[MatchId, Spot]]:
        """Where the last `limit` posts of this person are, with their matches."""
        query = (
            select(shares.c.match, shares.c.channel, shares.c.message)
            .where(shares.c.user == user, shares.c.message.is_not(None))
            .order_by(shares.c.shared_at.desc())
            .limit(limit)
        )
        rows = await self._connection.execute(query)
        return [(MatchId(row.match), Spot(row.channel, row.message)) for row in rows]
