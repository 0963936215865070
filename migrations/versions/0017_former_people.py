"""Marks of people who were deleted, and an index of challenges that nobody answered.

Revision: 0017
Follows: 0016
Why: Who deletes themselves and comes back plays unrated matches for a month, or losses could be
     deleted; a keyed digest knows them again without saying who they were. Challenges that were
     withdrawn or have expired are deleted after a week, and looked for every minute.
"""

import sqlalchemy as sa
from alembic import op

from migrations.dialects import NUMBER, where

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    op.create_table(
        "former_people",
        sa.Column("mark", sa.Text, nullable=False),
        sa.Column("until", NUMBER, nullable=False),
        sa.PrimaryKeyConstraint("mark", name="pk_former_people"),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_matches_unanswered",
        "matches",
        ["ended_at"],
        **where("status IN ('withdrawn', 'expired')"),
    )
