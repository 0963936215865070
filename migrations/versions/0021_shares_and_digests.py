"""Shared results, and a digest of the week in a channel of the server's choice.

Revision: 0021
Follows: 0020
Why: somebody shares a result once, so that a second press leads to the first post: that is a row
     before the post is sent. The digest of a week is a row before it is sent too, so that it comes
     once whenever the process dies.
"""

import sqlalchemy as sa
from alembic import op

from migrations.dialects import NUMBER, changed, where

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    op.create_table(
        "shares",
        sa.Column("match", NUMBER, primary_key=True),
        sa.Column("user", sa.BigInteger, primary_key=True),
        sa.Column("channel", sa.BigInteger, nullable=False),
        sa.Column("message", sa.BigInteger),
        sa.Column("shared_at", NUMBER, nullable=False),
        sa.PrimaryKeyConstraint("match", "user", name="pk_shares"),
        sa.ForeignKeyConstraint(
            ["match"], ["matches.id"], name="fk_shares_match_matches", ondelete="CASCADE"
        ),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_shares_user", "shares", ["user"])
    with changed("servers") as table:
        table.add_column(sa.Column("digest_channel", sa.BigInteger))
    op.create_index(
        "ix_servers_digest_channel",
        "servers",
        ["digest_channel"],
        **where("digest_channel IS NOT NULL"),
    )
    op.create_table(
        "digest_posts",
        sa.Column("id", NUMBER, primary_key=True),
        sa.Column("guild", sa.BigInteger, nullable=False),
        sa.Column("day", NUMBER, nullable=False),
        sa.Column("channel", sa.BigInteger, nullable=False),
        sa.Column("due_at", NUMBER, nullable=False),
        sa.Column("message", sa.BigInteger),
        sa.Column("failure", sa.Text),
        sa.PrimaryKeyConstraint("id", name="pk_digest_posts"),
        sa.UniqueConstraint("guild", "day", name="uq_digest_posts_guild_day"),
        sqlite_autoincrement=True,
    )
