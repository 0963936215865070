"""Transactions that write, each with a commit of its own: one after another, or several at once."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from sqlalchemy.ext.asyncio import AsyncEngine

from bot.errors import StorageUnavailableError
from bot.storage.connection import ShieldedConnection, finished
from bot.storage.engine import BUSY_SECONDS
from bot.telemetry.metrics import DATABASE

_WAITED = DATABASE.labels("wait").observe
_COMMITTED = DATABASE.labels("commit").observe

CLOSED: Final = "the database is closed"


class Writer:
    """So many transactions at a time: one with SQLite, with PostgreSQL one a connection."""

    def __init__(self, engine: AsyncEngine, connections: int = 1) -> None:
        self.engine = engine
        self.connections = connections
        self._line = asyncio.Semaphore(connections)  # first come, first served
        self._is_disposed = False
        self.waiting = 0
        """How many transactions wait for their turn."""

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[ShieldedConnection]:
        """A transaction; with SQLite it holds the write lock.

        It is committed when the block is left, before control returns; an error that leaves the
        block takes back what the block has done. StorageUnavailableError after `dispose`.
        """
        came = time.perf_counter()
        await self._turn()
        try:
            async with ShieldedConnection(self._open_engine()) as connection:
                _WAITED(time.perf_counter() - came)
                yield connection  # closing it without a commit rolls back
                await _commit(connection)
        finally:
            self._line.release()

    async def _turn(self) -> None:
        self.waiting += 1
        try:
            await self._line.acquire()
        finally:
            self.waiting -= 1

    def _open_engine(self) -> AsyncEngine:
        """The engine; StorageUnavailableError if it was disposed of, perhaps since one waits."""
        if self._is_disposed:
            raise StorageUnavailableError(CLOSED)
        return self.engine

    async def empty_log(self) -> bool:
        """Write the log into the file and cut it to nothing; False where a reader is in the way.

        PostgreSQL's log is its own business.
        """
        if self.engine.dialect.name != "sqlite":
            return True
        async with self._line, ShieldedConnection(self._open_engine()) as connection:
            raw = (await connection.get_raw_connection()).driver_connection
            assert raw is not None
            # Whoever reads is done soon, but all who write wait meanwhile.
            await raw.execute("PRAGMA busy_timeout=50")
            try:
                (found,) = await raw.execute_fetchall("PRAGMA wal_checkpoint(TRUNCATE)")
            finally:
                await raw.execute(f"PRAGMA busy_timeout={1000 * BUSY_SECONDS}")
            return not found[0]

    async def dispose(self) -> None:
        """Wait for what is under way, and close all connections; take nobody any more."""
        self._is_disposed = True
        for _ in range(self.connections):
            await self._line.acquire()
        await self.engine.dispose()
        for _ in range(self.connections):
            self._line.release()


async def _commit(connection: ShieldedConnection) -> None:
    began = time.perf_counter()
    try:
        await connection.commit()
    except BaseException:
        if not connection.is_committed:  # nobody knows what state it is in
            await finished(connection.invalidate())
        raise
    _COMMITTED(time.perf_counter() - began)
