"""Revisions: how often a match has changed, and which of its revisions each message shows.

Revision: 0007
Follows: 0006
Why: a start is to find the messages that are behind without reading matches that have not changed.
     What messages show now is of a revision that nobody noted, so each is compared once after
     this, except those of matches of which nothing is left to be shown.
"""

import sqlalchemy as sa
from alembic import op

from migrations.dialects import NUMBER, changed, where

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.drop_index("ix_matches_unsettled", "matches")
    op.add_column("matches", sa.Column("revision", NUMBER))
    op.execute("UPDATE matches SET revision = 1")
    with changed("matches", sqlite_autoincrement=True) as table:
        table.alter_column("revision", nullable=False)
    op.create_index(
        "ix_matches_unsettled",
        "matches",
        ["settled", "id", "status", "revision"],
        **where("settled = 0", on_postgresql="NOT settled"),
    )
    op.add_column("places", sa.Column("revision", NUMBER))
    op.execute(
        "UPDATE places SET revision = "
        "(SELECT CAST(settled AS INTEGER) FROM matches WHERE matches.id = places.match)"
    )
    with changed("places", sqlite_with_rowid=False) as table:
        table.alter_column("revision", nullable=False)
    op.create_index("ix_places_revision", "places", ["match", "revision"])
