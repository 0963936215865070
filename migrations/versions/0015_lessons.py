"""Lessons: how far somebody has come with which game.

Revision: 0015
Follows: 0014
Why: a lesson can be left and gone on with later, also after a restart; and a lesson that somebody
     has been through is not offered to them again with each challenge.
"""

import sqlalchemy as sa
from alembic import op

from migrations.dialects import NUMBER

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    op.create_table(
        "lessons",
        sa.Column("user", sa.BigInteger, primary_key=True),
        sa.Column("game", sa.Text, primary_key=True),
        sa.Column("exercise", sa.Text, nullable=False),
        sa.Column("number", NUMBER, nullable=False),
        sa.Column("done", sa.Boolean, nullable=False),
        sqlite_with_rowid=False,
    )
