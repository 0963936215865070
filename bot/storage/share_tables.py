"""The table of results that were shared."""

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Table

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
