"""A cache of compiled SQL statements that all engines of a test run share."""

from typing import Any, Final

from sqlalchemy import Connection, Engine, event
from sqlalchemy.dialects.postgresql.asyncpg import PGDialect_asyncpg
from sqlalchemy.dialects.sqlite.aiosqlite import SQLiteDialect_aiosqlite

DIALECTS: Final = (SQLiteDialect_aiosqlite, PGDialect_asyncpg)
_COMPILED: Final[dict[Any, Any]] = {}


def share() -> None:
    """Make every engine use one cache of compiled statements.

    The cache's keys include the dialect, and each engine has its own instance. Instances differ
    only by what they learned about their server, and a run has one SQLite and one PostgreSQL, so
    all instances of a dialect can count as equal.
    """
    for dialect in DIALECTS:
        dialect.__eq__ = lambda self, other: type(self) is type(other)
        dialect.__hash__ = lambda self: hash(type(self))
    event.listen(Engine, "engine_connect", _share)


def _share(connection: Connection) -> None:
    if isinstance(connection.dialect, DIALECTS):
        connection.execution_options(compiled_cache=_COMPILED)
