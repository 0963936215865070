"""Solved puzzles that people share.

Revision: 0036
Follows: 0035
Why: somebody shares a puzzle once a server, so that a second press leads to the first post: that is
     a row before the post is sent, and by it the post is deleted with all about its person.
"""

import sqlalchemy as sa
from alembic import op

from migrations.dialects import NUMBER

revision = "0036"
down_revision = "0035"


def upgrade() -> None:
    op.create_table(
        "puzzle_shares",
        sa.Column("day", NUMBER, primary_key=True),
        sa.Column("user", sa.BigInteger, primary_key=True),
        sa.Column("guild", sa.BigInteger, primary_key=True),
        sa.Column("channel", sa.BigInteger, nullable=False),
        sa.Column("message", sa.BigInteger),
        sa.Column("shared_at", NUMBER, nullable=False),
        sa.PrimaryKeyConstraint("day", "user", "guild", name="pk_puzzle_shares"),
        sa.ForeignKeyConstraint(
            ["day", "user"],
            ["puzzle_answers.day", "puzzle_answers.user"],
            name="fk_puzzle_shares_puzzle_answers",
            ondelete="CASCADE",
        ),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_puzzle_shares_user", "puzzle_shares", ["user"])
    op.create_index("ix_puzzle_shares_guild", "puzzle_shares", ["guild"])
