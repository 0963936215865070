"""An aiosqlite driver that goes to its thread and back once per statement, not four times.

aiosqlite runs every call of a cursor in the connection's thread: creating it, executing, fetching,
closing. Switching threads costs more than most of our statements. BEGIN is sent along with a
transaction's first statement.
"""

import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final, Self

import aiosqlite

FIRST_ROWS: Final = 256
"""Rows fetched together with a statement; the others are fetched in parts, as usual."""


async def connect(file: Path, **options: Any) -> aiosqlite.Connection:  # noqa: ANN401 - sqlite3's own
    """A connection for SQLAlchemy's `async_creator`; `options` are those of `sqlite3.connect`."""
    connection = Connection(lambda: sqlite3.connect(file, **options), iter_chunk_size=64)
    connection._thread.daemon = True  # noqa: SLF001 - as SQLAlchemy does with those it makes
    return await connection


class _Cursor(aiosqlite.Cursor):
    """Fetches the first rows together with executing a statement, and further ones on demand."""

    _conn: "Connection"
    _cursor: sqlite3.Cursor
    _rows: Sequence[Any] = ()
    _has_more = False
    """Whether there may be more rows; the sqlite3 cursor is then still open."""

    def __init__(self, connection: "Connection") -> None:
        self._conn = connection

    async def execute(self, sql: str, parameters: Iterable[Any] | None = None) -> Self:
        found = await self._conn.run(sql, parameters or (), many=False)
        self._cursor, self._rows, self._has_more = found
        return self

    async def executemany(self, sql: str, parameters: Iterable[Iterable[Any]]) -> Self:
        self._cursor, self._rows, self._has_more = await self._conn.run(sql, parameters, many=True)
        return self

    async def fetchone(self) -> sqlite3.Row | None:
        return next(iter(await self.fetchmany(1)), None)

    async def fetchmany(self, size: int | None = None) -> Iterable[sqlite3.Row]:
        rows, size = self._rows, size or 1
        if not rows and self._has_more:
            return await super().fetchmany(size)
        self._rows = rows[size:]
        return rows[:size]

    async def fetchall(self) -> Iterable[sqlite3.Row]:
        rows, self._rows = self._rows, ()
        if self._has_more:
            rows = [*rows, *await super().fetchall()]
            await self.close()
        return rows

    async def close(self) -> None:
        if self._has_more:
            self._has_more = False
            await super().close()

    async def __aenter__(self) -> Self:
        return self


class Connection(aiosqlite.Connection):
    """An SQLite connection that begins a transaction with its first statement."""

    _begin: str | None = None

    def begin_with_next(self, begin: str) -> None:
        """Execute this BEGIN right before the next statement."""
        self._begin = begin

    def cursor(self) -> _Cursor:  # type: ignore[override]  # SQLAlchemy only enters it
        return _Cursor(self)

    async def run(
        self, sql: str, parameters: Iterable[Any], *, many: bool
    ) -> tuple[sqlite3.Cursor, Sequence[Any], bool]:
        """Execute a statement; returns its cursor, first rows, and whether there may be more."""
        found: tuple[sqlite3.Cursor, Sequence[Any], bool] = await self._execute(  # type: ignore[no-untyped-call]  # aiosqlite's
            self._run, sql, parameters, many=many
        )
        return found

    async def commit(self) -> None:
        if self._is_to_end():
            await super().commit()

    async def rollback(self) -> None:
        if self._is_to_end():
            await super().rollback()

    def _is_to_end(self) -> bool:
        """Whether a transaction is open; one that hasn't begun yet is cancelled.

        To be safe, the pool also rolls back connections that were committed.
        """
        self._begin = None
        return self.in_transaction

    def _run(
        self,
        sql: str,
        parameters: Any,  # noqa: ANN401 - of one execution, or of many
        *,
        many: bool,
    ) -> tuple[sqlite3.Cursor, Sequence[Any], bool]:
        cursor, has_more = self._conn.cursor(), False
        try:
            if self._begin is not None:
                cursor.execute(self._begin)
                self._begin = None  # not before: nothing may be written outside a transaction
            (cursor.executemany if many else cursor.execute)(sql, parameters)
            rows = cursor.fetchmany(FIRST_ROWS) if cursor.description else []
            has_more = len(rows) == FIRST_ROWS
        finally:
            if not has_more:
                cursor.close()
        return cursor, rows, has_more
