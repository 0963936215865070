"""The index of a server's live matches, so that SQLite uses it.

Revision: 0029
Follows: 0028
Why: two indexes fit a server, and one of them its live matches only. SQLite has no statistics here,
     took the other, and read all matches that a server ever had. With a second column that is asked
     for, this one fits better.
"""

from alembic import op

from migrations.dialects import where

revision = "0029"
down_revision = "0028"


def upgrade() -> None:
    op.drop_index("ix_matches_live", "matches")
    op.create_index(
        "ix_matches_live",
        "matches",
        ["guild", "settled"],
        **where("settled = 0", on_postgresql="NOT settled"),
    )
