"""Statements that are compiled once for the whole run, not for each of a thousand engines."""

from typing import Any, Final

from sqlalchemy import Connection, Engine, event
from sqlalchemy.dialects.postgresql.asyncpg import PGDialect_asyncpg
from sqlalchemy.dialects.sqlite.aiosqlite import SQLiteDialect_aiosqlite

DIALECTS: Final = (SQLiteDialect_aiosqlite, PGDialect_asyncpg)
_COMPILED: Final[dict[Any, Any]] = {}


def share() -> None:
    """Let every engine use what another one has compiled.

    A statement is compiled for a dialect, of which each engine makes one. Here all of a kind are
    the same: they differ by what SQLite or PostgreSQL tells of itself, and there is one of each.
    """
    for dialect in DIALECTS:
        dialect.__eq__ = lambda self, other: type(self) is type(other)  # type: ignore[method-assign, assignment]
        dialect.__hash__ = lambda self: hash(type(self))  # type: ignore[method-assign, assignment]
    event.listen(Engine, "engine_connect", _share)


def _share(connection: Connection) -> None:
    if isinstance(connection.dialect, DIALECTS):
        connection.execution_options(compiled_cache=_COMPILED)
