"""Which results people have shared, and where the posts stand."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

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
    Column("user", BigInteger, primary_key=True),  # who shared it; once each
    Column("channel", BigInteger, nullable=False),
    Column("message", BigInteger),  # null until it stands
    Column("shared_at", NUMBER, nullable=False),
    sqlite_with_rowid=False,
)
Index("ix_shares_user", shares.c.user)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareRecord:
    """A result that somebody shares, once a match."""

    match: MatchId
    user: int
    channel: int
    message: int | None
    """None until the post stands, and where the process died before that was known."""

    shared_at: int
    """In seconds since 1970."""


UNSURE_SECONDS: Final = 300
"""So long after a try that came to no end another one is made in the same channel, with the same
nonce: Discord may have taken the first, and knows a nonce for "the past few minutes"."""

_SHARE = Columns(ShareRecord, shares)


def is_old(tried_at: ColumnElement[int], now: int) -> ColumnElement[bool]:
    """Whether a try is so long ago that Discord no longer knows its nonce.

    One that lies as far ahead is from before the clock was set back, and says nothing; a second
    ahead may be the clock of another process.
    """
    return ~tried_at.between(now - UNSURE_SECONDS, now + UNSURE_SECONDS)


class ShareRepository(Repository):
    async def of(self, match: MatchId, user: int) -> ShareRecord | None:
        """The post of this person about a match."""
        query = select(*_SHARE.columns).where(shares.c.match == match, shares.c.user == user)
        row = (await self._connection.execute(query)).one_or_none()
        return None if row is None else _SHARE.of(row)

    async def claim(self, wanted: ShareRecord) -> ShareRecord:
        """Note what is about to be posted; what was noted before, if that stands or still may."""
        await self._connection.execute(
            upsert(shares)
            .values(**_SHARE.values(wanted))
            .on_conflict_do_update(
                index_elements=["match", "user"],
                set_={"channel": wanted.channel, "shared_at": wanted.shared_at},
                where=and_(
                    shares.c.message.is_(None),
                    is_old(shares.c.shared_at, wanted.shared_at),
                ),
            )
        )
        return await self.of(wanted.match, wanted.user) or wanted

    async def note_posted(self, share: ShareRecord, message: int) -> bool:
        """Note where a post stands; False where nothing is known of it any more."""
        noted = await self._connection.execute(
            update(shares)
            .where(
                shares.c.match == share.match,
                shares.c.user == share.user,
                shares.c.shared_at == share.shared_at,
            )
            .values(message=message)
        )
        return noted.rowcount == 1

    async def release(self, gone: ShareRecord) -> None:
        """Let a result be shared again whose post is gone, or never came, unless another has."""
        await self._connection.execute(
            delete(shares).where(
                shares.c.match == gone.match,
                shares.c.user == gone.user,
                shares.c.message == gone.message,
            )
        )

    async def latest(self, user: int, limit: int) -> Sequence[tuple[MatchId, Spot]]:
        """Where the last posts of this person stand, each with its match."""
        query = (
            select(shares.c.match, shares.c.channel, shares.c.message)
            .where(shares.c.user == user, shares.c.message.is_not(None))
            .order_by(shares.c.shared_at.desc())
            .limit(limit)
        )
        rows = await self._connection.execute(query)
        return [(MatchId(row.match), Spot(row.channel, row.message)) for row in rows]
