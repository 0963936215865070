"""SQLite's driver with one way to its thread and back for a statement, where it usually takes four.

aiosqlite runs each call of a cursor in a thread of the connection: it is made, executes, fetches
and is closed. To change threads costs more than most of our statements. A transaction begins on the
way of its first one.
"""

import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final, Self

import aiosqlite

FIRST_ROWS: Final = 256
"""Rows that come with a statement; who reads thousands reads them part by part, as ever."""


async def connect(file: Path, **options: Any) -> aiosqlite.Connection:  # noqa: ANN401 - sqlite3's own
    """A connection for SQLAlchemy's `async_creator`; options as those of `sqlite3.connect`."""
    connection = Connection(lambda: sqlite3.connect(file, **options), iter_chunk_size=64)
    connection._thread.daemon = True  # noqa: SLF001 - as SQLAlchemy does with those it makes
    return await connection


class _Cursor(aiosqlite.Cursor):
    """Executes a statement and has its first rows; further ones are fetched when asked for."""

    _conn: "Connection"
    _cursor: sqlite3.Cursor
    _rows: Sequence[Any] = ()
    _has_more = False
    """Whether there may be rows beyond these; the cursor is open for them."""

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
    """A connection of SQLite that begins a transaction when there is something to do in it."""

    _begin: str | None = None

    def begin_with_next(self, begin: str) -> None:
        """Let the next statement come after this one, which begins a transaction."""
        self._begin = begin

    def cursor(self) -> _Cursor:  # type: ignore[override]  # SQLAlchemy only enters it
        return _Cursor(self)

    async def run(
        self, sql: str, parameters: Iterable[Any], *, many: bool
    ) -> tuple[sqlite3.Cursor, Sequence[Any], bool]:
        """What tells of the statement, its first rows, and whether it is open for more."""
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
        """Whether there is a transaction to be ended; one that was to begin is not begun now.

        The pool takes back what it gets, to be sure, also after a commit.
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
                self._begin = None  # not before: nothing may be written without a transaction
            (cursor.executemany if many else cursor.execute)(sql, parameters)
            rows = cursor.fetchmany(FIRST_ROWS) if cursor.description else []
            has_more = len(rows) == FIRST_ROWS
        finally:
            if not has_more:
                cursor.close()
        return cursor, rows, has_more
