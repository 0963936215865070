"""An index of people's seats in the order of their matches.

Revision: 0031
Follows: 0030
Why: what somebody has under way was looked for among all the matches that they ever had, several
     times whenever a match was opened or began. Matches in play are among the last ones.
"""

from alembic import op

revision = "0031"
down_revision = "0030"


def upgrade() -> None:
    op.create_index("ix_seats_user_match", "seats", ["user", "match"])
    op.drop_index("ix_seats_user", "seats")
