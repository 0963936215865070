"""SQLite's driver with one way to its thread and back for a statement, where it usually takes four.

aiosqlite runs each call of a cursor in a thread of the connection: it is made, executes, fetches
and is closed. To change threads costs more than most of our statements.
"""

import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Self

import aiosqlite


async def connect(file: Path, **options: Any) -> aiosqlite.Connection:  # noqa: ANN401 - sqlite3's own
    """A connection for SQLAlchemy's `async_creator`; options as those of `sqlite3.connect`."""
    connection = _Connection(lambda: sqlite3.connect(file, **options), iter_chunk_size=64)
    connection._thread.daemon = True  # noqa: SLF001 - as SQLAlchemy does with those it makes
    return await connection


class _Cursor(aiosqlite.Cursor):
    """Executes a statement and has all its rows; it needs no closing."""

    _conn: "_Connection"
    _cursor: sqlite3.Cursor
    _rows: Iterable[Any] = ()

    def __init__(self, connection: "_Connection") -> None:
        self._conn = connection

    async def execute(self, sql: str, parameters: Iterable[Any] | None = None) -> Self:
        self._cursor, self._rows = await self._conn.run(sql, parameters or (), many=False)
        return self

    async def executemany(self, sql: str, parameters: Iterable[Iterable[Any]]) -> Self:
        self._cursor, self._rows = await self._conn.run(sql, parameters, many=True)
        return self

    async def fetchall(self) -> Iterable[sqlite3.Row]:
        rows, self._rows = self._rows, ()
        return rows

    async def close(self) -> None:
        """Nothing is open."""

    async def __aenter__(self) -> Self:
        return self


class _Connection(aiosqlite.Connection):
    def cursor(self) -> _Cursor:  # type: ignore[override]  # SQLAlchemy only enters it
        return _Cursor(self)

    async def run(
        self, sql: str, parameters: Iterable[Any], *, many: bool
    ) -> tuple[sqlite3.Cursor, Iterable[Any]]:
        """A closed cursor that tells what happened, and the rows."""
        found: tuple[sqlite3.Cursor, Iterable[Any]] = await self._execute(  # type: ignore[no-untyped-call]
            _run, self._conn, sql, parameters, many
        )
        return found


def _run(
    connection: sqlite3.Connection,
    sql: str,
    parameters: Any,  # noqa: ANN401 - of one execution, or of many
    many: bool,  # noqa: FBT001 - called by position in the thread
) -> tuple[sqlite3.Cursor, Iterable[Any]]:
    cursor = connection.cursor()
    try:
        (cursor.executemany if many else cursor.execute)(sql, parameters)
        rows = cursor.fetchall() if cursor.description else ()
    finally:
        cursor.close()
    return cursor, rows
