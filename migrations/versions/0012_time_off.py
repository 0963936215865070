"""Time off: pauses that were agreed to, vacations, reserves of time, results that wait.

Revision: 0012
Follows: 0011
Why: a weekend away is not to forfeit a match. A turn has a deadline of its own now, apart from the
     moment at which the clock looks next, for one seat's time may be up later than another's.
"""

import sqlalchemy as sa
from alembic import op

from migrations.dialects import NUMBER, changed

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    _matches()
    op.add_column("seats", sa.Column("rested", NUMBER))
    op.execute("UPDATE seats SET rested = 0")
    with changed("seats") as table:
        table.alter_column("rested", nullable=False)
        table.add_column(sa.Column("reserve", NUMBER))
        table.add_column(sa.Column("away_until", NUMBER))
    op.add_column("servers", sa.Column("time_off_barred", sa.Text))
    op.execute("UPDATE servers SET time_off_barred = ''")
    with changed("servers") as table:
        table.alter_column("time_off_barred", nullable=False)
    op.create_table(
        "vacations",
        sa.Column("user", sa.BigInteger, primary_key=True),
        sa.Column("guild", sa.BigInteger, primary_key=True),
        sa.Column("started_at", NUMBER, primary_key=True),
        sa.Column("until", NUMBER, nullable=False),
        sqlite_with_rowid=False,
    )


def _matches() -> None:
    """Every pause so far was of a match that had lost its channel."""
    for column in (
        sa.Column("deadline", NUMBER),
        sa.Column("paused_why", sa.Text),
        sa.Column("taken_back", sa.Boolean),
    ):
        op.add_column("matches", column)
    op.execute("UPDATE matches SET taken_back = false")
    op.execute("UPDATE matches SET deadline = due_at WHERE status = 'running' AND pace != 'none'")
    op.execute("UPDATE matches SET paused_why = 'lost' WHERE paused_at IS NOT NULL")
    with changed("matches", sqlite_autoincrement=True) as table:
        table.alter_column("taken_back", nullable=False)
        table.add_column(sa.Column("remark", sa.Text))
        table.add_column(sa.Column("counts_at", NUMBER))
        table.drop_constraint(op.f("ck_matches_pace"), type_="check")
        table.create_check_constraint(
            "pace",
            "pace IN ('live', 'today', 'today_reserve', 'slow', 'slow_reserve', 'relaxed', 'none')",
        )
