"""Signals: whom each player of a match publicly calls ahead.

Revision: 0003
Follows: 0002
Why: the board war can be played with signals, which belong to the match and not to its state.
"""

import sqlalchemy as sa

from migrations.dialects import NUMBER, changed

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    with changed("seats") as table:
        table.add_column(sa.Column("signal", NUMBER))
