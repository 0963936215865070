"""Solo matches: of one person against computers, anywhere, and of no server.

Revision: 0016
Follows: 0015
Why: people play in direct messages, in groups and in servers without the bot. Such a match has no
     table and no channel, and counts for nobody but its player.
"""

import sqlalchemy as sa

from migrations.dialects import changed

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    with changed("matches", sqlite_autoincrement=True) as table:
        table.alter_column("guild", existing_type=sa.BigInteger, nullable=True)
        table.alter_column("channel", existing_type=sa.BigInteger, nullable=True)
        table.create_check_constraint("home", "(guild IS NULL) = (channel IS NULL)")
    with changed("results") as table:
        table.alter_column("guild", existing_type=sa.BigInteger, nullable=True)
