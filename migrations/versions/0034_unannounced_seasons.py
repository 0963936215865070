"""Where the beginning of a season has still to be announced.

Revision: 0034
Follows: 0033
Why: if the process died between the start of a season and its announcement, nobody was ever told
     that there is a new one, nor who came first in the one before.
"""

import sqlalchemy as sa
from alembic import op

from migrations.dialects import changed, where

revision = "0034"
down_revision = "0033"


def upgrade() -> None:
    with changed("seasons", sqlite_autoincrement=True) as seasons:
        seasons.add_column(sa.Column("announce_in", sa.BigInteger()))
    op.create_index(
        "ix_seasons_announce_in", "seasons", ["announce_in"], **where("announce_in IS NOT NULL")
    )
