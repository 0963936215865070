"""Clocks, open seats, agreements, preferences, servers: all that the whole life of a table needs.

Revision: 0002
Follows: 0001
Why: matches have a pace and a deadline, are paused and resumed, ended by agreement or by a
     moderator; people and servers have settings.
"""

import sqlalchemy as sa
from alembic import op

from migrations.dialects import NUMBER, Kind, changed, where

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    _matches()
    _seats_moves_places()
    _people()
    op.create_table(
        "servers",
        sa.Column("guild", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("pace", sa.Text),
        sa.Column("tap", sa.Boolean),
        sa.Column("threads", sa.Boolean, nullable=False),
        sa.Column("games_off", sa.Text, nullable=False),
        sa.Column("left_at", NUMBER),
    )
    op.create_table(
        "server_channels",
        sa.Column("guild", sa.BigInteger, primary_key=True),
        sa.Column("channel", sa.BigInteger, primary_key=True),
        sqlite_with_rowid=False,
    )


def _matches() -> None:
    _fill(
        "matches",
        {
            "wanted": (NUMBER, "(SELECT count(*) FROM seats WHERE seats.match = matches.id)"),
            "pace": (sa.Text, "'none'"),
            "tap": (sa.Boolean, "false"),
            "turn": (NUMBER, "step"),
            "late": (sa.Text, "''"),
        },
    )
    with changed("matches", sqlite_autoincrement=True) as table:
        for name in ("wanted", "pace", "tap", "turn", "late"):
            table.alter_column(name, nullable=False)
        table.add_column(sa.Column("predecessor", NUMBER))
        table.add_column(sa.Column("due_at", NUMBER))
        table.add_column(sa.Column("paused_at", NUMBER))
        table.add_column(sa.Column("begun_at", NUMBER))
        table.add_column(sa.Column("ending", sa.Text))
        table.create_unique_constraint("uq_matches_predecessor", ["predecessor"])
        table.create_foreign_key(
            "fk_matches_predecessor_matches",
            "matches",
            ["predecessor"],
            ["id"],
            ondelete="SET NULL",
        )
        table.drop_constraint(op.f("ck_matches_status"), type_="check")
        table.create_check_constraint(
            op.f("ck_matches_status"),
            "status IN ('open', 'running', 'over', 'declined', 'withdrawn', 'expired', 'closed')",
        )
        table.create_check_constraint(
            op.f("ck_matches_pace"), "pace IN ('live', 'today', 'slow', 'relaxed', 'none')"
        )
    op.create_index("ix_matches_due_at", "matches", ["due_at"], **where("due_at IS NOT NULL"))
    op.create_index("ix_matches_guild", "matches", ["guild"])


def _seats_moves_places() -> None:
    _fill("seats", {"strikes": (NUMBER, "0")})
    with changed("seats") as table:
        table.alter_column("strikes", nullable=False)
        table.add_column(sa.Column("left_why", sa.Text))
        table.add_column(sa.Column("reminded", NUMBER))
        table.add_column(sa.Column("nudged_at", NUMBER))
        table.add_column(sa.Column("agrees", sa.Text))
    op.execute("UPDATE seats SET left_why = 'resigned' WHERE \"left\" IS NOT NULL")
    _fill(
        "moves",
        {
            "how": (sa.Text, "'chosen'"),
            "made_at": (
                NUMBER,
                "(SELECT opened_at FROM matches WHERE matches.id = moves.match)",
            ),
        },
    )
    with changed("moves", sqlite_with_rowid=False) as table:
        table.alter_column("how", nullable=False)
        table.alter_column("made_at", nullable=False)
    _fill("places", {"turn": (NUMBER, "0")})
    with changed("places", sqlite_with_rowid=False) as table:
        table.alter_column("turn", nullable=False)


def _people() -> None:
    _fill(
        "people",
        {"desk": (sa.Text, "'dm'"), "pictures": (sa.Boolean, "true"), "remind": (sa.Text, "'dm'")},
    )
    with changed("people") as table:
        for name in ("desk", "pictures", "remind"):
            table.alter_column(name, nullable=False)
        table.add_column(sa.Column("forced", sa.Boolean))
        table.add_column(sa.Column("remind_before", NUMBER))
    op.create_table(
        "blocks",
        sa.Column("user", sa.BigInteger, primary_key=True),
        sa.Column("blocked", sa.BigInteger, primary_key=True),
        sqlite_with_rowid=False,
    )


def _fill(table: str, columns: dict[str, tuple[Kind, str]]) -> None:
    """Add columns with a value for the rows that are there; they become NOT NULL afterwards."""
    for name, (kind, value) in columns.items():
        op.add_column(table, sa.Column(name, kind))
        op.execute(f"UPDATE {table} SET {name} = {value}")  # noqa: S608 - our own words
