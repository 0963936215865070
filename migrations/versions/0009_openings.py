"""Openings: when the channel of somebody's direct messages was opened.

Revision: 0009
Follows: 0008
Why: Discord quarantines bots that write to many new people in a short time, so channels that are
     opened are counted, also across restarts. Those that are there were opened long ago.
"""

import sqlalchemy as sa
from alembic import op

from migrations.dialects import NUMBER, changed, where

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    with changed("people") as table:
        table.add_column(sa.Column("dm_opened_at", NUMBER))
    op.create_index(
        "ix_people_dm_opened_at",
        "people",
        ["dm_opened_at"],
        **where("dm_opened_at IS NOT NULL"),
    )
