"""The first tables: matches, their seats, moves, places and results; people; synced commands.

Revision: 0001
Follows: nothing
Why: a match of Pico can be played, survives a restart and counts on the leaderboard.
"""

import sqlalchemy as sa
from alembic import op

from migrations.dialects import NUMBER, where

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "matches",
        sa.Column("id", NUMBER, primary_key=True),
        sa.Column("interaction", sa.BigInteger, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("guild", sa.BigInteger, nullable=False),
        sa.Column("channel", sa.BigInteger, nullable=False),
        sa.Column("opener", sa.BigInteger, nullable=False),
        sa.Column("seed", sa.Text),
        sa.Column("schema", NUMBER),
        sa.Column("state", sa.Text),
        sa.Column("step", NUMBER, nullable=False),
        sa.Column("opened_at", NUMBER, nullable=False),
        sa.Column("ended_at", NUMBER),
        sa.Column("settled", sa.Boolean, nullable=False),
        sa.UniqueConstraint("interaction", name="uq_matches_interaction"),
        sa.CheckConstraint(
            "status IN ('open', 'running', 'over', 'declined', 'withdrawn')",
            name=op.f("ck_matches_status"),  # as it is, not put through the naming convention
        ),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "ix_matches_unsettled",
        "matches",
        ["settled"],
        **where("settled = 0", on_postgresql="NOT settled"),
    )
    op.create_table(
        "seats",
        sa.Column("match", NUMBER, primary_key=True),
        sa.Column("seat", NUMBER, primary_key=True),
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.Column("accepted", sa.Boolean, nullable=False),
        sa.Column("left", NUMBER),
        sa.Column("left_step", NUMBER),
        sa.ForeignKeyConstraint(
            ["match"], ["matches.id"], name="fk_seats_match_matches", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_seats_user", "seats", ["user"])
    op.create_table(
        "moves",
        sa.Column("match", NUMBER, primary_key=True),
        sa.Column("step", NUMBER, primary_key=True),
        sa.Column("seat", NUMBER, primary_key=True),
        sa.Column("move", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(
            ["match", "seat"],
            ["seats.match", "seats.seat"],
            name="fk_moves_seats",
            ondelete="CASCADE",
        ),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "places",
        sa.Column("match", NUMBER, primary_key=True),
        sa.Column("place", NUMBER, primary_key=True),
        sa.Column("channel", sa.BigInteger, nullable=False),
        sa.Column("message", sa.BigInteger, nullable=False),
        sa.Column("shown", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(
            ["match"], ["matches.id"], name="fk_places_match_matches", ondelete="CASCADE"
        ),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "results",
        sa.Column("match", NUMBER, primary_key=True),
        sa.Column("seat", NUMBER, primary_key=True),
        sa.Column("guild", sa.BigInteger, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.Column("rank", NUMBER, nullable=False),
        sa.Column("score", NUMBER, nullable=False),
        sa.Column("won", NUMBER, nullable=False),
        sa.Column("drawn", NUMBER, nullable=False),
        sa.Column("lost", NUMBER, nullable=False),
        sa.Column("ended_at", NUMBER, nullable=False),
        sa.ForeignKeyConstraint(
            ["match"], ["matches.id"], name="fk_results_match_matches", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_results_guild_game_user", "results", ["guild", "game", "user"])
    op.create_index("ix_results_user", "results", ["user"])
    op.create_table(
        "people",
        sa.Column("user", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("dm_channel", sa.BigInteger),
        sa.Column("dm_closed_at", NUMBER),
    )
    op.create_table(
        "synced_commands",
        sa.Column("application", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("fingerprint", sa.Text, nullable=False),
    )
