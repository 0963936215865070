"""The tables of people who had everything about them deleted and may come back."""

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Table, Text

from bot.storage.schema import NUMBER, metadata

former_people = Table(
    "former_people",
    metadata,
    Column("mark", Text, primary_key=True),  # a keyed digest; the key is not in the database
    Column("until", NUMBER, nullable=False),  # when it is deleted
    sqlite_with_rowid=False,
)

former_blocks = Table(
    "former_blocks",
    metadata,
    Column("mark", ForeignKey("former_people.mark", ondelete="CASCADE"), primary_key=True),
    Column("user", BigInteger, primary_key=True),  # who had blocked the one with the mark
    sqlite_with_rowid=False,
)
Index("ix_former_blocks_user", former_blocks.c.user)
