"""The differences between SQLite and PostgreSQL, so that one history creates the same tables."""

from contextlib import AbstractContextManager
from typing import Any, Final

import sqlalchemy as sa
from alembic import op
from alembic.operations import BatchOperations

Kind = sa.types.TypeEngine[Any] | type[sa.types.TypeEngine[Any]]

NUMBER: Final = sa.Integer().with_variant(sa.BigInteger(), "postgresql")
"""A 64-bit integer on either database; PostgreSQL's INTEGER would overflow in 2038."""


def changed(table: str, **options: Any) -> AbstractContextManager[BatchOperations]:  # noqa: ANN401
    """Change a table: SQLite creates it again with these options, PostgreSQL alters it."""
    if op.get_context().dialect.name == "sqlite":
        return op.batch_alter_table(table, recreate="always", table_kwargs=options)
    return op.batch_alter_table(table, recreate="never")


def where(condition: str, *, on_postgresql: str | None = None) -> dict[str, sa.TextClause]:
    """The arguments that give a partial index its condition, in each database's wording."""
    return {
        "sqlite_where": sa.text(condition),
        "postgresql_where": sa.text(on_postgresql or condition),
    }
