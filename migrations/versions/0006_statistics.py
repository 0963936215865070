"""Statistics and histories: indexes in which one person's results stand together.

Revision: 0006
Follows: 0005
Why: whoever has played thousands of matches is to see them at once. The first index answers all
     that is asked of one person's results, in the order in which matches ended; the second one
     finds who they met in them. Two that nothing else used are dropped.
"""

from alembic import op

revision = "0006"
down_revision = "0005"

_OWN = ("user", "guild", "sequence", "game", "match", "rank")
_MORE = ("won", "drawn", "ended_at", "before", "after", "nth", "levels")


def upgrade() -> None:
    op.drop_index("ix_results_user", "results")
    op.drop_index("ix_results_guild_game_user", "results")
    op.create_index("ix_results_history", "results", [*_OWN, *_MORE])
    op.create_index("ix_results_met", "results", ["match", "user", "rank"])
