"""Opening the file: one writer, readers beside it, and SQLite told to keep its promises."""

import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, event
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

BUSY_SECONDS = 10


def writer(file: Path) -> AsyncEngine:
    """One connection whose transactions take the write lock when they begin.

    The driver's own default begins late and lets two transactions read the same row before either
    writes; with BEGIN IMMEDIATE the second waits.
    """
    return _engine(file, connections=1, begin="BEGIN IMMEDIATE")


def readers(file: Path) -> AsyncEngine:
    """Connections for pure reads, which never hold the write lock."""
    return _engine(file, connections=2, begin="BEGIN")


def _engine(file: Path, *, connections: int, begin: str) -> AsyncEngine:
    engine = create_async_engine(
        f"sqlite+aiosqlite:///{file}",
        connect_args={"isolation_level": None, "timeout": BUSY_SECONDS},
        pool_size=connections,
        max_overflow=0,
        pool_timeout=None,
    )

    def connect(driver: Any, _record: object) -> None:  # noqa: ANN401 - SQLAlchemy's adapter
        cursor = driver.cursor()
        cursor.execute("PRAGMA journal_mode=WAL")
        cursor.execute("PRAGMA synchronous=FULL")
        cursor.execute("PRAGMA foreign_keys=ON")
        cursor.close()

    def start(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    event.listen(engine.sync_engine, "connect", connect)
    event.listen(engine.sync_engine, "begin", start)
    return engine


def copy(file: Path, target: Path) -> None:
    """A consistent copy of a database, also of one that is in use."""
    source, into = sqlite3.connect(file), sqlite3.connect(target)
    try:
        source.backup(into)
    finally:
        into.close()
        source.close()
