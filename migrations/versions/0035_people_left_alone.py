"""Who does not want to be challenged by name, by anybody.

Revision: 0035
Follows: 0034
Why: people could only block others one by one, and each only after a challenge.
"""

import sqlalchemy as sa

from migrations.dialects import changed

revision = "0035"
down_revision = "0034"


def upgrade() -> None:
    with changed("people") as people:
        people.add_column(
            sa.Column("left_alone", sa.Boolean(), nullable=False, server_default=sa.false())
        )
