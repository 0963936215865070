"""Usual desk: not to have chosen where the hand is becomes something of its own.

Revision: 0008
Follows: 0007
Why: the owner of a bot can set where the hands of people are who have not chosen. Everybody about
     whom anything was kept had "dm" by default, which nobody can tell from a choice.
"""

import sqlalchemy as sa
from alembic import op

from migrations.dialects import changed

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    with changed("people") as table:
        table.alter_column("desk", existing_type=sa.Text, nullable=True)
    op.execute("UPDATE people SET desk = NULL WHERE desk = 'dm'")
