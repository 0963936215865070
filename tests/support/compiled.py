"""Statements that are compiled once for the whole run, not for each of a thousand bots."""

from typing import Any, Final

from sqlalchemy import Connection, Engine, event
from sqlalchemy.dialects.sqlite.aiosqlite import SQLiteDialect_aiosqlite as Dialect

_COMPILED: Final[dict[Any, Any]] = {}


def share() -> None:
    """Let every engine on a file use what another one has compiled.

    A statement is compiled for a dialect, of which each engine makes one. Here all are the same:
    they differ by what SQLite tells of itself, and there is one SQLite.
    """
    Dialect.__eq__ = lambda self, other: type(self) is type(other)  # type: ignore[method-assign, assignment]
    Dialect.__hash__ = lambda self: hash(type(self))  # type: ignore[method-assign, assignment]
    event.listen(Engine, "engine_connect", _share)


def _share(connection: Connection) -> None:
    if isinstance(connection.dialect, Dialect):
        connection.execution_options(compiled_cache=_COMPILED)
