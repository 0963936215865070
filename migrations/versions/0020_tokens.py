"""The tokens by which messages can be edited for some minutes.

Revision: 0020
Follows: 0019
Why: Discord does not count edits by the token of an interaction against the 50 requests a second of
     a bot. Tokens were in memory only, so after a restart amid many matches every edit counted.
"""

import sqlalchemy as sa
from alembic import op

from migrations.dialects import NUMBER, changed, where

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    with changed("places", sqlite_with_rowid=False) as places:
        places.add_column(sa.Column("token", sa.Text))
        places.add_column(sa.Column("token_until", NUMBER))
        places.add_column(sa.Column("token_message", sa.BigInteger))
    op.create_index(
        "ix_places_token_until", "places", ["token_until"], **where("token_until IS NOT NULL")
    )
