"""Ratings and seasons: what a result does to its players, and who wants to be on no leaderboard.

Revision: 0004
Follows: 0003
Why: results move ratings in the order in which matches ended; servers start seasons. Matches of
     before stay casual, for nobody was told that they would count. People who were forgotten
     before get ids of their own, so that nobody can tell which seats were one person's.
"""

import sqlalchemy as sa
from alembic import op

from migrations.dialects import NUMBER, Kind, changed, where

revision = "0004"
down_revision = "0003"

_FORMER = {
    "matches": ("opener", "-8 * id - 1"),
    "seats": ("user", "-8 * match - seat - 1"),
    "results": ("user", "-8 * match - seat - 1"),
}


def upgrade() -> None:
    for table, (column, number) in _FORMER.items():
        op.execute(f'UPDATE {table} SET "{column}" = {number} WHERE "{column}" = 0')  # noqa: S608 - ours
    _matches()
    _results()
    _people()
    op.create_table(
        "seasons",
        sa.Column("id", NUMBER, primary_key=True),
        sa.Column("guild", sa.BigInteger, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("folded", sa.Text, nullable=False),
        sa.Column("started_at", NUMBER, nullable=False),
        sa.UniqueConstraint("guild", "folded", name="uq_seasons_guild_folded"),
        sqlite_autoincrement=True,
    )
    _ratings()


def _matches() -> None:
    _fill("matches", {"rated": (sa.Boolean, "false"), "limited": (sa.Boolean, "false")})
    with changed("matches", sqlite_autoincrement=True) as table:
        table.alter_column("rated", nullable=False)
        table.alter_column("limited", nullable=False)
    op.create_index("ix_matches_opener", "matches", ["opener"])
    op.create_index(
        "ix_matches_rated",
        "matches",
        ["guild", "begun_at"],
        **where("rated = 1", on_postgresql="rated"),
    )


def _results() -> None:
    if op.get_context().dialect.name == "postgresql":
        op.execute(sa.schema.CreateSequence(sa.Sequence("results_sequence")))
    _fill("results", {"sequence": (NUMBER, "match"), "rated": (sa.Boolean, "false")})
    with changed("results") as table:
        table.alter_column("sequence", nullable=False)
        table.alter_column("rated", nullable=False)
        for name in ("season", "before", "after", "nth"):
            table.add_column(sa.Column(name, NUMBER))
    op.create_index("ix_results_sequence", "results", ["sequence"])
    op.create_index(
        "ix_results_board",
        "results",
        ["guild", "game", "ended_at", "user", "won", "drawn", "lost"],
        **where("rated = 1", on_postgresql="rated"),
    )


def _people() -> None:
    _fill("people", {"hidden": (sa.Boolean, "false")})
    with changed("people") as table:
        table.alter_column("hidden", nullable=False)


def _ratings() -> None:
    op.create_table(
        "ratings",
        sa.Column("guild", sa.BigInteger, primary_key=True),
        sa.Column("game", sa.Text, primary_key=True),
        sa.Column("season", NUMBER, primary_key=True),
        sa.Column("user", sa.BigInteger, primary_key=True),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
        sa.Column("rating", NUMBER, nullable=False),
        sa.Column("established", sa.Boolean, nullable=False),
        sa.Column("matches", NUMBER, nullable=False),
        sa.Column("won", NUMBER, nullable=False),
        sa.Column("drawn", NUMBER, nullable=False),
        sa.Column("lost", NUMBER, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_ratings_user", "ratings", ["user"])


def _fill(table: str, columns: dict[str, tuple[Kind, str]]) -> None:
    """Add columns with a value for the rows that are there; they become NOT NULL afterwards."""
    for name, (kind, value) in columns.items():
        op.add_column(table, sa.Column(name, kind))
        op.execute(f"UPDATE {table} SET {name} = {value}")  # noqa: S608 - our own words
