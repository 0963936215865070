"""Who had blocked somebody who was deleted.

Revision: 0027
Follows: 0026
Why: who was blocked could have everything about them deleted, come back, and challenge those people
     again. The blocks hold for as long as the mark by which a returning person is known.
"""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"


def upgrade() -> None:
    op.create_table(
        "former_blocks",
        sa.Column("mark", sa.Text, primary_key=True),
        sa.Column("user", sa.BigInteger, primary_key=True),
        sa.PrimaryKeyConstraint("mark", "user", name="pk_former_blocks"),
        sa.ForeignKeyConstraint(
            ["mark"],
            ["former_people.mark"],
            name="fk_former_blocks_mark_former_people",
            ondelete="CASCADE",
        ),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_former_blocks_user", "former_blocks", ["user"])
