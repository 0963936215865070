"""Indexes of the results that do not count yet, and of what somebody last finished of a game.

Revision: 0032
Follows: 0031
Why: the list of somebody's matches was put together from all that they ever had, because among them
     may be some whose result does not count yet. And a computer that reads people looked through
     all of an opponent's matches for the last ones of its game.
"""

from alembic import op

from migrations.dialects import where

revision = "0032"
down_revision = "0031"


def upgrade() -> None:
    op.create_index("ix_matches_held", "matches", ["id"], **where("counts_at IS NOT NULL"))
    op.create_index("ix_results_past", "results", ["user", "guild", "game", "ended_at", "match"])
