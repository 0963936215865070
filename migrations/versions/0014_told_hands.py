"""Hands that tell: with which notice the hand of a seat last came by direct message.

Revision: 0014
Follows: 0013
Why: an inbox has one message of a match. Who has the hand there is told by the hand itself, which
     comes anew and says what happened until that holds no more; a start must know what it says,
     and that it has been told.
"""

import sqlalchemy as sa

from migrations.dialects import NUMBER, changed

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    with changed("seats") as table:
        table.add_column(sa.Column("told", NUMBER))
        table.add_column(sa.Column("told_event", sa.Text))
        table.add_column(sa.Column("told_turn", NUMBER))
        table.add_column(sa.Column("told_by", NUMBER))
