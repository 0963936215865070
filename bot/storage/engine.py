"""Engines for the SQLite file: one writer and several readers, with durable commits."""

import sqlite3
import time
from functools import partial
from pathlib import Path

from sqlalchemy import URL, Connection, event
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.storage import sqlite_driver
from bot.telemetry.metrics import DATABASE

BUSY_SECONDS = 10

SYNCHRONOUS = "FULL"
"""A commit is on disk before it returns, so it survives a power failure."""

MAPPED_BYTES = 2**30
"""How much of the file readers map into memory: the rows of an active player are on thousands of
pages, and copying each into SQLite's small cache takes a quarter of the time."""


def writer(file: Path) -> AsyncEngine:
    """One connection whose transactions take the write lock when they begin.

    The driver's default takes it late and lets two transactions read the same row before either
    writes; with BEGIN IMMEDIATE the second one waits.
    """
    engine = _engine(file, connections=1, begin="BEGIN IMMEDIATE", part="write")
    event.listen(engine.sync_engine, "handle_error", _leave_read_only)
    return engine


def readers(file: Path) -> AsyncEngine:
    """Connections that only read and never hold the write lock."""
    return _engine(file, connections=2, begin="BEGIN", part="read")


def _engine(file: Path, *, connections: int, begin: str, part: str) -> AsyncEngine:
    engine = create_async_engine(
        URL.create("sqlite+aiosqlite", database=str(file)),
        async_creator=partial(_connect, file, begin, part),
        pool_size=connections,
        max_overflow=0,
        pool_timeout=None,
        hide_parameters=True,  # errors are logged, and parameters hold hands and seeds
    )
    observe_statements(engine, part)
    return engine


async def _connect(file: Path, begin: str, part: str) -> sqlite_driver.Connection:
    pragmas = ["journal_mode=WAL", f"synchronous={SYNCHRONOUS}", "foreign_keys=ON"]
    if part == "write":
        pragmas.append("secure_delete=ON")  # deleted data is overwritten, not only marked as free
    else:
        pragmas += ["query_only=ON", f"mmap_size={MAPPED_BYTES}"]
    connection = await sqlite_driver.connect(file, begin, BUSY_SECONDS)
    try:
        await connection.executescript("; ".join(f"PRAGMA {pragma}" for pragma in pragmas))
    except BaseException:
        await connection.close()
        raise
    return connection


def _leave_read_only(context: ExceptionContext) -> None:
    """Reconnect before the next transaction: a file that was opened read-only stays read-only."""
    code: int = getattr(context.original_exception, "sqlite_errorcode", 0)
    context.is_disconnect |= code & 0xFF == sqlite3.SQLITE_READONLY


def observe_statements(engine: AsyncEngine, part: str) -> None:
    """Record how long each statement takes, in the metrics."""
    observe = DATABASE.labels(part).observe

    def begin(connection: Connection, *_of_statement: object) -> None:
        connection.info["began"] = time.perf_counter()

    def end(connection: Connection, *_of_statement: object) -> None:
        observe(time.perf_counter() - connection.info["began"])

    event.listen(engine.sync_engine, "before_cursor_execute", begin)
    event.listen(engine.sync_engine, "after_cursor_execute", end)
