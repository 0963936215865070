"""An aiosqlite driver that goes to its thread and back once per statement, not four times.

aiosqlite runs every call of a cursor in the connection's thread: creating it, executing, fetching,
closing. Switching threads costs more than most of our statements. Every statement is part of a
transaction, and the first one brings its BEGIN along.
"""

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, Self

import aiosqlite

FIRST_ROWS: Final = 256
"""Rows fetched together with a statement; the others are fetched in parts, as usual."""


class _Cursor(aiosqlite.Cursor):
    """Fetches the first rows together with executing a statement, and further ones on demand."""

    _conn: "Connection"
    _cursor: sqlite3.Cursor
    _rows: Sequence[Any] = ()
    _has_more = False
    """Whether there may be more rows; the sqlite3 cursor is then still open."""

    async def execute(self, sql: str, parameters: Iterable[Any] | None = None) -> Self:
        await self._execute(self._run, sqlite3.Cursor.execute, sql, parameters or ())  # type: ignore[no-untyped-call]  # aiosqlite's
        return self

    async def executemany(self, sql: str, parameters: Iterable[Iterable[Any]]) -> Self:
        await self._execute(self._run, sqlite3.Cursor.executemany, sql, parameters)  # type: ignore[no-untyped-call]  # aiosqlite's
        return self

    def _run(self, execute: Callable[..., object], sql: str, parameters: Iterable[Any]) -> None:
        """Execute a statement in the connection's thread, in a transaction."""
        connection = self._conn._conn  # noqa: SLF001 - the sqlite3 connection
        self._cursor, self._has_more = connection.cursor(), False
        try:
            if not connection.in_transaction:
                self._cursor.execute(self._conn.begin)
            execute(self._cursor, sql, parameters)
            self._rows = self._cursor.fetchmany(FIRST_ROWS) if self._cursor.description else ()
            self._has_more = len(self._rows) == FIRST_ROWS
        finally:
            if not self._has_more:
                self._cursor.close()

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


class Connection(aiosqlite.Connection):
    """An SQLite connection that begins a transaction with its first statement."""

    begin: str
    """The statement that begins a transaction."""

    def cursor(self) -> _Cursor:  # type: ignore[override]  # SQLAlchemy only enters it
        return _Cursor(self, None)  # type: ignore[arg-type]  # made with its statement

    async def commit(self) -> None:
        if self.in_transaction:
            await super().commit()

    async def rollback(self) -> None:
        if self.in_transaction:  # the pool also rolls back what was committed, to be safe
            await super().rollback()


async def connect(file: Path, begin: str, patience: float) -> Connection:
    """A connection whose transactions start with the statement `begin`.

    `patience` is how long it waits for locks of other connections, in seconds.
    """
    connection = Connection(
        partial(sqlite3.connect, file, timeout=patience, isolation_level=None), iter_chunk_size=64
    )
    connection.begin = begin
    connection._thread.daemon = True  # noqa: SLF001 - as SQLAlchemy does with those it makes
    await connection
    return connection
