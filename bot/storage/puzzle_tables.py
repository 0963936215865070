"""The tables of the daily puzzle, beside those of `schema`."""

from sqlalchemy import BigInteger, Boolean, Column, Index, Table, Text, UniqueConstraint

from bot.storage.schema import NUMBER, metadata

puzzle_answers = Table(
    "puzzle_answers",
    metadata,
    Column("day", NUMBER, primary_key=True),  # days since 1970, UTC
    Column("user", BigInteger, primary_key=True),
    Column("guild", BigInteger),  # where it counts; null: answered outside of servers
    Column("choice", Text, nullable=False),  # the move, in the game's notation
    Column("solved", Boolean, nullable=False),  # whether it was right
    Column("answered_at", NUMBER, nullable=False),
    sqlite_with_rowid=False,
)
Index(
    "ix_puzzle_answers_guild",
    *(puzzle_answers.c[name] for name in ("guild", "day", "user", "solved", "choice")),
)
Index("ix_puzzle_answers_user", puzzle_answers.c.user)

puzzle_posts = Table(
    "puzzle_posts",
    metadata,
    Column("id", NUMBER, primary_key=True),
    Column("guild", BigInteger, nullable=False),
    Column("day", NUMBER, nullable=False),  # days since 1970, UTC
    Column("channel", BigInteger, nullable=False),
    Column("due_at", NUMBER, nullable=False),  # when it is sent, or tried again
    Column("message", BigInteger),  # null until it stands
    Column("failure", Text),  # why it never will; null while it may
    UniqueConstraint("guild", "day", name="uq_puzzle_posts_guild_day"),
    sqlite_autoincrement=True,
)
