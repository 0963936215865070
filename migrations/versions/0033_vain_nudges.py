"""Which nudges reached nobody because of a block.

Revision: 0033
Follows: 0032
Why: that they count for six hours was in the memory of one process. After a restart, or in another
     process, somebody could nudge again at once, and tell from it that they were blocked.
"""

import sqlalchemy as sa
from alembic import op

from migrations.dialects import NUMBER

revision = "0033"
down_revision = "0032"


def upgrade() -> None:
    op.create_table(
        "vain_nudges",
        sa.Column("match", NUMBER, nullable=False),
        sa.Column("seat", NUMBER, nullable=False),
        sa.Column("target", NUMBER, nullable=False),
        sa.Column("nudged_at", NUMBER, nullable=False),
        sa.PrimaryKeyConstraint("match", "seat", "target", name="pk_vain_nudges"),
        sa.ForeignKeyConstraint(
            ["match"], ["matches.id"], name="fk_vain_nudges_match_matches", ondelete="CASCADE"
        ),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_vain_nudges_nudged_at", "vain_nudges", ["nudged_at"])
