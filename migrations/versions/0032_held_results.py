"""An index of the matches whose results do not count yet.

Revision: 0032
Follows: 0031
Why: the list of somebody's matches was put together from all that they ever had, because among them
     may be some whose result does not count yet.
"""

from alembic import op

from migrations.dialects import where

revision = "0032"
down_revision = "0031"


def upgrade() -> None:
    op.create_index("ix_matches_held", "matches", ["id"], **where("counts_at IS NOT NULL"))
