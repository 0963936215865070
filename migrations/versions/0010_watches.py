"""Watches: who follows which match without playing in it; and the ids of commands.

Revision: 0010
Follows: 0009
Why: whoever follows a match is told when it is over, also by a bot that was restarted meanwhile.
     The list of a server's matches reads those that are open or running and no others, hence the
     index. Discord gives commands their ids when it takes them, and a text leads to a command by
     its id, so they are kept from one start to the next; until the next sync none is known.
"""

import sqlalchemy as sa
from alembic import op

from migrations.dialects import NUMBER, changed, where

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.create_table(
        "watches",
        sa.Column(
            "match",
            NUMBER,
            sa.ForeignKey("matches.id", name="fk_watches_match_matches", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("user", sa.BigInteger, primary_key=True),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_watches_user", "watches", ["user"])
    op.create_index(
        "ix_matches_live", "matches", ["guild"], **where("settled = 0", on_postgresql="NOT settled")
    )
    with changed("synced_commands") as table:
        table.add_column(sa.Column("ids", sa.Text))
