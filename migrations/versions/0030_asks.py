"""Who asked whom to play within an hour, and who has asked for a rematch of a match.

Revision: 0030
Follows: 0029
Why: how often one person challenges another was counted by seats. A match that began without them
     and a refusal at a table with an open seat emptied theirs, and it could be done again at once.
     Wishes for a rematch were not counted, and one that had lapsed notified again when it was made
     again.
"""

import sqlalchemy as sa
from alembic import op

from migrations.dialects import NUMBER, changed

revision = "0030"
down_revision = "0029"


def upgrade() -> None:
    op.create_table(
        "asks",
        sa.Column("match", NUMBER, nullable=False),
        sa.Column("actor", sa.BigInteger, nullable=False),
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.Column("asked_at", NUMBER, nullable=False),
        sa.Column("declined", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("match", "actor", "user", name="pk_asks"),
        sa.ForeignKeyConstraint(
            ["match"], ["matches.id"], name="fk_asks_match_matches", ondelete="CASCADE"
        ),
        sqlite_with_rowid=False,
    )
    for column in ("actor", "user", "asked_at"):
        op.create_index(f"ix_asks_{column}", "asks", [column])
    with changed("seats") as seats:
        seats.add_column(sa.Column("wished", sa.Boolean))
