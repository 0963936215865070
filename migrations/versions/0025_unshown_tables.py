"""Tables that could not show the end of their match, because the bot could not reach them.

Revision: 0025
Follows: 0024
Why: what Discord refuses is noted as if it were shown, so that no look asks for it again. So a
     table whose channel was hidden as its match ended showed a running match until somebody
     clicked on it: nothing told it from those that show their end.
"""

import sqlalchemy as sa
from alembic import op

from migrations.dialects import changed, where

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    with changed("places", sqlite_with_rowid=False) as places:
        places.add_column(
            sa.Column("unshown", sa.Boolean, nullable=False, server_default=sa.false())
        )
    op.create_index(
        "ix_places_unshown", "places", ["match"], **where("unshown = 1", on_postgresql="unshown")
    )
