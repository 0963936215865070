"""Whether the process that holds a shard is connected to it.

Revision: 0023
Follows: 0022
Why: a lease says who is to connect a shard. Clocks of other processes went by it, and so ran while
     nobody could choose in direct messages because the first shard was held and not connected.
"""

import sqlalchemy as sa

from migrations.dialects import changed

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    with changed("shards") as table:
        table.add_column(sa.Column("away_since", sa.Float))
