"""Hands: which seats choose beside the table, and which message a new hand replaces.

Revision: 0011
Follows: 0010
Why: who plays with My hand or by one tap gets no hand by direct message, also after a restart; and
     an inbox keeps one message of a match, so the one that a new hand replaces is known until it
     is deleted.
"""

import sqlalchemy as sa
from alembic import op

from migrations.dialects import changed

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    with changed("seats") as table:
        table.add_column(sa.Column("plays_here", sa.Boolean))
    op.add_column("places", sa.Column("leftover", sa.BigInteger))
    op.add_column("places", sa.Column("coming", sa.Boolean))
    op.execute("UPDATE places SET coming = false")
    with changed("places", sqlite_with_rowid=False) as table:
        table.alter_column("coming", existing_type=sa.Boolean, nullable=False)
