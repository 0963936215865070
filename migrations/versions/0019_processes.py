"""Several processes of one bot: who holds which shard, and what one hands another.

Revision: 0019
Follows: 0018
Why: With PostgreSQL one more process is started where one is not enough. Who does what is then a
     lease, by the clock of the database.
"""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    op.create_table(
        "processes",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("until", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_processes"),
    )
    op.create_table(
        "shards",
        sa.Column("number", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("holder", sa.Text),
        sa.Column("until", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_shards"),
    )
    op.create_table(
        "identifies",
        sa.Column("bucket", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("next_at", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("bucket", name="pk_identifies"),
    )
    op.create_table(
        "handed",
        sa.Column("id", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("process", sa.Text, nullable=False),
        sa.Column("payload", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_handed"),
    )
    op.create_index("ix_handed_process", "handed", ["process"])
