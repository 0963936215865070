"""Writing transactions, each with its own commit: one after another, or several at once."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from sqlalchemy.ext.asyncio import AsyncEngine

from bot.errors import StorageUnavailableError
from bot.storage.connection import ShieldedConnection, finished
from bot.storage.engine import BUSY_SECONDS
from bot.storage.rewriting import rewrite
from bot.telemetry.metrics import DATABASE

_WAITED = DATABASE.labels("wait").observe

CLOSED: Final = "the database is closed"


class Writer:
    """Runs writing transactions: one at a time with SQLite, one per connection with PostgreSQL."""

    def __init__(self, engine: AsyncEngine, connections: int = 1) -> None:
        self.engine = engine
        self.connections = connections
        self._line = asyncio.Semaphore(connections)  # first come, first served
        self._is_disposed = False
        self.waiting = 0
        """How many transactions are waiting for their turn."""

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[ShieldedConnection]:
        """A transaction; with SQLite it holds the write lock.

        It's committed when the block ends, before control returns; if the block raises, it's rolled
        back. StorageUnavailableError after `dispose`.
        """
        came = time.perf_counter()
        self.waiting += 1
        try:
            await self._line.acquire()
        finally:
            self.waiting -= 1
        try:
            if self._is_disposed:  # perhaps meanwhile
                raise StorageUnavailableError(CLOSED)
            async with ShieldedConnection(self.engine) as connection:
                _WAITED(time.perf_counter() - came)
                yield connection  # closing it without a commit rolls back
                await connection.commit()
        finally:
            self._line.release()

    async def empty_log(self) -> bool:
        """Write the log into the file and truncate it; returns False if a reader prevents that.

        Does nothing on PostgreSQL.
        """
        if self.engine.dialect.name != "sqlite":
            return True
        async with self.transaction() as connection:
            raw = (await connection.get_raw_connection()).driver_connection
            assert raw is not None
            # A reader is done soon, but all writers wait meanwhile.
            await raw.execute("PRAGMA busy_timeout=50")
            try:
                (found,) = await raw.execute_fetchall("PRAGMA wal_checkpoint(TRUNCATE)")
            finally:
                await raw.execute(f"PRAGMA busy_timeout={1000 * BUSY_SECONDS}")
            return not found[0]

    async def rewrite(self) -> None:
        """Rewrite the file (`bot/storage/rewriting.py`); nobody can write meanwhile.

        Does nothing on PostgreSQL.
        """
        if self.engine.dialect.name != "sqlite":
            return
        async with self.transaction() as connection:
            await finished(rewrite((await connection.get_raw_connection()).driver_connection))

    async def dispose(self) -> None:
        """Wait for open transactions and close all connections; later ones are refused."""
        self._is_disposed = True
        for _ in range(self.connections):
            await self._line.acquire()
        await self.engine.dispose()
        for _ in range(self.connections):
            self._line.release()
