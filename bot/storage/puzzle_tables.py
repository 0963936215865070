"""The tables of the daily puzzle, beside those of `schema`."""

from typing import Final

from sqlalchemy import BigInteger, Boolean, Column, Index, Table, Text

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

puzzle_days = Table(
    "puzzle_days",
    metadata,
    Column("day", NUMBER, primary_key=True, autoincrement=False),  # days since 1970, UTC
    Column("hours", NUMBER, nullable=False),  # of that day in which the bot could be reached
    Column("hour", NUMBER, nullable=False),  # the last one that is counted, hours since 1970
    sqlite_with_rowid=False,
)

OFFERED_HOURS: Final = 12
"""A day of fewer hours offered nobody a fair chance at its puzzle; one without a row did."""
