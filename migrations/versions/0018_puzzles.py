"""The daily puzzle: who answered what, where it is posted, and which posts stand.

Revision: 0018
Follows: 0017
Why: one puzzle a day is the same for everybody, and the first answer of each person counts, so an
     answer is a row that there is once a day and person. A post is a row before it is sent, so that
     it comes once in each server whenever the process dies.
"""

import sqlalchemy as sa
from alembic import op

from migrations.dialects import NUMBER, changed, where

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    with changed("servers") as table:
        table.add_column(sa.Column("puzzle_channel", sa.BigInteger))
    op.create_index(
        "ix_servers_puzzle_channel",
        "servers",
        ["puzzle_channel"],
        **where("puzzle_channel IS NOT NULL"),
    )
    op.create_table(
        "puzzle_answers",
        sa.Column("day", NUMBER, primary_key=True),
        sa.Column("user", sa.BigInteger, primary_key=True),
        sa.Column("guild", sa.BigInteger),
        sa.Column("choice", sa.Text, nullable=False),
        sa.Column("solved", sa.Boolean, nullable=False),
        sa.Column("answered_at", NUMBER, nullable=False),
        sa.PrimaryKeyConstraint("day", "user", name="pk_puzzle_answers"),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_puzzle_answers_guild", "puzzle_answers", ["guild", "day", "user", "solved", "choice"]
    )
    op.create_index("ix_puzzle_answers_user", "puzzle_answers", ["user"])
    op.create_table(
        "puzzle_posts",
        sa.Column("id", NUMBER, primary_key=True),
        sa.Column("guild", sa.BigInteger, nullable=False),
        sa.Column("day", NUMBER, nullable=False),
        sa.Column("channel", sa.BigInteger, nullable=False),
        sa.Column("due_at", NUMBER, nullable=False),
        sa.Column("message", sa.BigInteger),
        sa.Column("failure", sa.Text),
        sa.PrimaryKeyConstraint("id", name="pk_puzzle_posts"),
        sa.UniqueConstraint("guild", "day", name="uq_puzzle_posts_guild_day"),
        sqlite_autoincrement=True,
    )
