"""Ends of silent matches, as their players were told of them.

Revision: 0026
Follows: 0025
Why: whether they had been told was read from when the clock looks next. In a match without a clock
     that was resumed, or that somebody left, this is no 30 days after its last choice, and so it
     was closed unwarned.
"""

import sqlalchemy as sa

from migrations.dialects import NUMBER, changed

revision = "0026"
down_revision = "0025"


def upgrade() -> None:
    with changed("matches", sqlite_autoincrement=True) as table:
        table.add_column(sa.Column("closes_at", NUMBER))
