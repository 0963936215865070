"""An index for what ended in a server in a week.

Revision: 0028
Follows: 0027
Why: a digest read the results of all servers several times, also that of a server in which nobody
     had played.
"""

from alembic import op

revision = "0028"
down_revision = "0027"


def upgrade() -> None:
    op.create_index("ix_results_week", "results", ["guild", "ended_at"])
