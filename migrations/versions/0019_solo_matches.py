"""Solo matches: of one person against computers, anywhere, and of no server.

Revision: 0019
Follows: 0013
Why: people play in direct messages, in groups and in servers without the bot. Such a match has no
     table and no channel, and counts for nobody but its player.
"""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0013"


def upgrade() -> None:
    with op.batch_alter_table(
        "matches", recreate="always", table_kwargs={"sqlite_autoincrement": True}
    ) as table:
        table.alter_column("guild", existing_type=sa.BigInteger, nullable=True)
        table.alter_column("channel", existing_type=sa.BigInteger, nullable=True)
        table.create_check_constraint("home", "(guild IS NULL) = (channel IS NULL)")
    with op.batch_alter_table("results", recreate="always") as table:
        table.alter_column("guild", existing_type=sa.BigInteger, nullable=True)
