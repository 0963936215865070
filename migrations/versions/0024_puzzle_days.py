"""On which days the bot was there for people to answer the daily puzzle.

Revision: 0024
Follows: 0023
Why: a day on which the bot was off ended everybody's streak, and nothing told it from a day on
     which nobody answered. Days before this have no row, and count as they did.
"""

import sqlalchemy as sa
from alembic import op

from migrations.dialects import NUMBER

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    op.create_table(
        "puzzle_days",
        sa.Column("day", NUMBER, nullable=False, autoincrement=False),
        sa.Column("hours", NUMBER, nullable=False),
        sa.Column("hour", NUMBER, nullable=False),
        sa.PrimaryKeyConstraint("day", name="pk_puzzle_days"),
        sqlite_with_rowid=False,
    )
