"""Messages that still show somebody who was deleted.

Revision: 0022
Follows: 0021
Why: which messages are to be edited or deleted after a deletion was known to the process alone that
     did it. Now it is written with the deletion, so that a death in between leaves none of them.
"""

import sqlalchemy as sa
from alembic import op

from migrations.dialects import NUMBER

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    op.create_table(
        "traces",
        sa.Column("channel", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("message", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("match", NUMBER, nullable=False),
        sa.Column("due_at", NUMBER, nullable=False),
        sa.Column("until", NUMBER, nullable=False),
        sa.PrimaryKeyConstraint("channel", "message", name="pk_traces"),
        sqlite_with_rowid=False,
    )
