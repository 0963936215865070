"""The table of messages that still show somebody who was deleted."""

from sqlalchemy import BigInteger, Column, Table, Text

from bot.storage.schema import NUMBER, metadata

traces = Table(
    "traces",
    metadata,
    Column("channel", BigInteger, primary_key=True, autoincrement=False),
    Column("message", BigInteger, primary_key=True, autoincrement=False),
    Column("kind", Text, nullable=False),  # hand, table, share, mention
    # No reference: a solo match is deleted with its player, and its hand still stands.
    Column("match", NUMBER, nullable=False),
    Column("due_at", NUMBER, nullable=False),  # when it is seen to, or tried again
    Column("until", NUMBER, nullable=False),  # when it is tried for the last time
    sqlite_with_rowid=False,
)
