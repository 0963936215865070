"""What SQLite and PostgreSQL want said differently, so that one history makes the same tables."""

from contextlib import AbstractContextManager
from typing import Any, Final

import sqlalchemy as sa
from alembic import op
from alembic.operations import BatchOperations

Kind = sa.types.TypeEngine[Any] | type[sa.types.TypeEngine[Any]]

NUMBER: Final = sa.Integer().with_variant(sa.BigInteger(), "postgresql")
"""A whole number: SQLite's may have 64 bits in any case, PostgreSQL's INTEGER ends in 2038."""


def changed(table: str, **options: Any) -> AbstractContextManager[BatchOperations]:  # noqa: ANN401
    """A table to be changed: SQLite makes it anew with these options, PostgreSQL alters it."""
    if op.get_context().dialect.name == "sqlite":
        return op.batch_alter_table(table, recreate="always", table_kwargs=options)
    return op.batch_alter_table(table, recreate="never")


def where(condition: str, *, on_postgresql: str | None = None) -> dict[str, sa.TextClause]:
    """The condition of a partial index, in the words of either database."""
    return {
        "sqlite_where": sa.text(condition),
        "postgresql_where": sa.text(on_postgresql or condition),
    }
