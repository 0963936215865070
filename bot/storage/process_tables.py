"""The tables by which several processes of one bot share its work on PostgreSQL.

Empty on SQLite. See `bot/storage/cluster.py`.
"""

from sqlalchemy import BigInteger, Column, Float, Index, Integer, Table, Text

from bot.storage.schema import metadata

processes = Table(
    "processes",
    metadata,
    Column("name", Text, primary_key=True),
    Column("until", Float, nullable=False),  # of its lease
)

shards = Table(
    "shards",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("holder", Text),
    Column("until", Float, nullable=False),  # of the holder's lease; since when nobody holds it
    Column("away_since", Float),  # since when nobody is connected; null while its holder is
)

identifies = Table(
    "identifies",
    metadata,
    Column("bucket", Integer, primary_key=True, autoincrement=False),
    Column("next_at", Float, nullable=False),  # when a shard of this bucket may identify
)

handed = Table(
    "handed",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),  # of the interaction
    Column("process", Text, nullable=False),  # for whom it was left
    Column("payload", Text, nullable=False),  # as Discord sent it, with its token
    Column("at", Float, nullable=False),
)
Index("ix_handed_process", handed.c.process)
