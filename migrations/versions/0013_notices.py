"""Notices: what people are told of, as rows with the moment when they are due.

Revision: 0013
Follows: 0012
Why: Edits notify nobody, so whoever waited was never told that the opponent had resigned. What is
     to be told is written with the act that causes it. Reminders become one of these events; who
     had chosen how to be reminded is told of lack of time, and nudged, in that way.
"""

import sqlalchemy as sa
from alembic import op

from migrations.dialects import NUMBER, changed, where

revision = "0013"
down_revision = "0012"

HALF: dict[str, int] = {
    "today": 1800,
    "today_reserve": 1800,
    "slow": 43_200,
    "slow_reserve": 43_200,
    "relaxed": 129_600,
}
"""Half of the time of a turn, in seconds: the earliest moment of a reminder."""


def upgrade() -> None:
    _make_tables()
    for pace, seconds in HALF.items():  # of the turns that are being played
        op.execute(
            'INSERT INTO notices (match, "user", event, turn, due_at) '  # noqa: S608 - our own numbers
            f"SELECT matches.id, seats.user, 'time', matches.turn, matches.deadline - {seconds} "
            "FROM matches JOIN seats ON seats.match = matches.id "
            f"WHERE matches.status = 'running' AND matches.pace = '{pace}' "
            'AND matches.deadline IS NOT NULL AND seats."left" IS NULL AND seats.user > 0 '
            "AND coalesce(seats.reminded, 0) < matches.turn"
        )
    with changed("people") as table:
        table.add_column(sa.Column("notices", sa.Text, nullable=False, server_default=""))
    op.execute(
        "UPDATE people SET notices = 'nudged=' || remind || ' time=' || remind WHERE remind <> 'dm'"
    )
    with changed("people") as table:
        table.alter_column("notices", existing_type=sa.Text, server_default=None)
        table.drop_column("remind")
    with changed("seats") as table:
        table.add_column(sa.Column("invited", sa.Boolean, nullable=False, server_default="0"))
    op.execute("UPDATE seats SET invited = reminded IS NOT NULL")
    with changed("seats") as table:
        table.alter_column("invited", existing_type=sa.Boolean, server_default=None)
        table.drop_column("reminded")


def _make_tables() -> None:
    op.create_table(
        "notices",
        sa.Column("id", NUMBER, primary_key=True),
        sa.Column(
            "match",
            NUMBER,
            sa.ForeignKey("matches.id", name="fk_notices_match_matches", ondelete="CASCADE"),
            nullable=False,
        ),
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.Column("event", sa.Text, nullable=False),
        sa.Column("actor", sa.BigInteger),
        sa.Column("turn", NUMBER, nullable=False),
        sa.Column("due_at", NUMBER, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_notices"),
        sa.UniqueConstraint("match", "user", "event", name="uq_notices_match_user_event"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_notices_due_at", "notices", ["due_at"])
    op.create_index("ix_notices_user", "notices", ["user"])
    op.create_index("ix_notices_actor", "notices", ["actor"], **where("actor IS NOT NULL"))
    op.create_table(
        "sent_notices",
        sa.Column("match", NUMBER, nullable=False),
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.Column("message", sa.BigInteger, nullable=False),
        sa.Column("channel", sa.BigInteger, nullable=False),
        sa.Column("event", sa.Text, nullable=False),
        sa.Column("turn", NUMBER, nullable=False),
        sa.ForeignKeyConstraint(
            ["match"], ["matches.id"], name="fk_sent_notices_match_matches", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("match", "user", "message", name="pk_sent_notices"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_sent_notices_user", "sent_notices", ["user"])
