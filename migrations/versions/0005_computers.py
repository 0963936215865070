"""Computer players: at which seat one sits and how well it plays, and results with them apart.

Revision: 0005
Follows: 0004
Why: matches with a computer have a ladder of their own and touch nobody's rating. Their results
     name the levels that played, so that whoever counts people's matches can leave them out.
"""

import sqlalchemy as sa
from alembic import op

from migrations.dialects import changed, where

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    with changed("seats") as table:
        table.add_column(sa.Column("computer", sa.Text))
    with changed("results") as table:
        table.add_column(sa.Column("computer", sa.Text))
        table.add_column(sa.Column("levels", sa.Text))
    op.create_index(
        "ix_results_ladder",
        "results",
        ["guild", "game", "ended_at", "user"],
        **where("levels IS NOT NULL"),
    )
