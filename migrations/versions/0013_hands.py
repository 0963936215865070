"""Hands: which seats choose at the table, and which message a new hand stands in place of.

Revision: 0013
Follows: 0009
Why: who plays with My hand or by one tap gets no hand by direct message, also after a restart; and
     an inbox keeps one message of a match, so the one that a new hand replaces is known until it
     is deleted.
"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0009"


def upgrade() -> None:
    op.add_column("seats", sa.Column("plays_here", sa.Boolean))
    op.execute("UPDATE seats SET plays_here = 0")
    with op.batch_alter_table("seats", recreate="always") as table:
        table.alter_column("plays_here", existing_type=sa.Boolean, nullable=False)
    with op.batch_alter_table(
        "places", recreate="always", table_kwargs={"sqlite_with_rowid": False}
    ) as table:
        table.add_column(sa.Column("leftover", sa.BigInteger))
