"""The tables of what is posted by the clock in the channels that servers chose."""

from typing import Final

from sqlalchemy import BigInteger, Column, Table, Text, UniqueConstraint

from bot.storage.schema import NUMBER, metadata

NOTHING_TO_TELL: Final = 0
"""In place of a message: none was to be sent."""


def _posts(name: str) -> Table:
    """A table of posts, one a server and day."""
    return Table(
        name,
        metadata,
        Column("id", NUMBER, primary_key=True),
        Column("guild", BigInteger, nullable=False),
        Column("day", NUMBER, nullable=False),  # days since 1970, UTC
        Column("channel", BigInteger, nullable=False),
        Column("due_at", NUMBER, nullable=False),  # when it is sent, or tried again
        Column("message", BigInteger),  # null until it stands
        Column("failure", Text),  # why it never will; null while it may
        UniqueConstraint("guild", "day", name=f"uq_{name}_guild_day"),
        sqlite_autoincrement=True,
    )


puzzle_posts = _posts("puzzle_posts")
"""Of the daily puzzle."""

digest_posts = _posts("digest_posts")
"""Of the weekly digest; the day is the Monday after the week it tells of."""
