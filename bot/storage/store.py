"""An open database: transactions that write or read, and the batch of the hot path."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext, suppress
from pathlib import Path
from typing import Final, Self

import structlog
from pydantic import SecretStr
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.errors import MaybeSavedError, StorageUnavailableError
from bot.storage import engine, move_batch, postgres, rewriting, server, startup
from bot.storage.connection import ShieldedConnection
from bot.storage.locks import Locks
from bot.storage.records import MatchId
from bot.storage.repository import Changes, Committed, Listener, raise_revisions
from bot.storage.startup import UnusableError
from bot.storage.transaction import Transaction
from bot.storage.trouble import Trouble, reason_of, refusal
from bot.storage.writer import CLOSED, Writer
from bot.telemetry.metrics import HAPPENED
from games.core import Seat

log = structlog.get_logger()

_NOTHING: Final = Committed()

_HEAVY_AT_ONCE: Final = 1
"""How many of SQLite's two readers may do heavy reading at a time."""


class Storage:
    """The database: an SQLite file that no other process may use, or one on a PostgreSQL server."""

    def __init__(
        self,
        writer: Writer,
        readers: AsyncEngine,
        coordinator: Writer | None = None,
        *,
        heavy_at_once: int = _HEAVY_AT_ONCE,
    ) -> None:
        self._writer = writer
        self._coordinator = coordinator or writer
        self._readers = readers
        self._heavy = asyncio.Semaphore(heavy_at_once)
        self._is_closed = False
        self._readings = 0
        self._nobody_reads = asyncio.Event()
        self._nobody_reads.set()
        self.trouble = Trouble()
        self._listeners: list[Listener] = []
        self.log_is_to_be_emptied = False
        """Whether deleted data may still be in the log, because somebody was reading when it was to
        be emptied."""

    @classmethod
    @asynccontextmanager
    async def open(cls, database: Path | SecretStr) -> AsyncIterator[Self]:
        """Open a database, created or migrated first; UnusableError if that fails.

        `database` is the path of an SQLite file or the address of a PostgreSQL database.
        """
        heavy_at_once = _HEAVY_AT_ONCE
        async with AsyncExitStack() as stack:
            if isinstance(database, SecretStr):
                await server.migrate(database)
                writer = Writer(postgres.writers(database), postgres.CONNECTIONS["write"])
                readers = postgres.readers(database)
                coordinator = Writer(postgres.coordinators(database), postgres.CONNECTIONS["share"])
                heavy_at_once = postgres.CONNECTIONS["read"] // 2
            else:
                stack.enter_context(startup.exclusive(database))
                startup.must_be_writable(database)
                await _migrate(database)
                writer, readers = Writer(engine.writer(database)), engine.readers(database)
                coordinator = writer
            storage = cls(writer, readers, coordinator, heavy_at_once=heavy_at_once)
            stack.push_async_callback(storage.close)
            if isinstance(database, Path):
                await _delete_handed(storage)
            yield storage

    @property
    def writes_at_once(self) -> int:
        """How many transactions can write at the same time; one with SQLite."""
        return self._writer.connections

    @property
    def writes_waiting(self) -> int:
        """How many writing transactions are waiting for others to end."""
        return self._writer.waiting

    def subscribe(self, listener: Listener) -> None:
        """Call `listener` after each commit that may need a reaction.

        What it's told says where to look: if there was trouble, it may not have been committed.
        """
        self._listeners.append(listener)

    def unsubscribe(self, listener: Listener) -> None:
        """Stop calling `listener`; does nothing if it wasn't subscribed."""
        if listener in self._listeners:
            self._listeners.remove(listener)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Transaction]:
        """A transaction that writes; committed unless the block raises."""
        changes = Changes()
        async with self._writing(changes) as connection:
            yield Transaction(connection, changes, Locks(connection, writing=True))

    @asynccontextmanager
    async def _writing(self, changes: Changes) -> AsyncIterator[ShieldedConnection]:
        """A writing connection; listeners are told of `changes` after its commit.

        Even if the task is cancelled during the commit, which it only learns afterwards. If nobody
        knows whether it was committed, listeners are told to look, because nothing else might.
        """
        connection: ShieldedConnection | None = None
        try:
            with self.trouble.translating(writing=True):
                async with self._writer.transaction() as connection:
                    yield connection
                    await raise_revisions(connection, changes.touched)
        except StorageUnavailableError as error:
            if connection is not None and connection.is_in_doubt:
                raise MaybeSavedError(str(error)) from None
            raise
        finally:
            if connection is not None and connection.is_committed:
                self._note(changes)
            if connection is not None and (connection.is_committed or connection.is_in_doubt):
                self._tell(changes)

    async def must_write(self) -> None:
        """Raise StorageUnavailableError if writing failed lately and still does.

        For callers that store what they sent only afterwards, and would send it again and again.
        """
        if self.trouble.reason is not None:
            async with self.transaction() as writing:
                await writing.rehearse()

    @asynccontextmanager
    async def coordinating(self) -> AsyncIterator[Transaction]:
        """A transaction for coordination between processes: leases, and clicks handed over.

        On PostgreSQL it has its own connections: a process that can't renew a lease in time,
        because all others wait for a locked match, would lose its shards. It must not lock anything
        of a match.
        """
        with self.trouble.translating(writing=True):
            async with self._coordinator.transaction() as connection:
                yield Transaction(connection, Changes(), Locks(connection, writing=True))

    @asynccontextmanager
    async def reading(self, *, heavy: bool = False) -> AsyncIterator[Transaction]:
        """A transaction that sees one state of the database, holds no lock and can't write.

        Set `heavy` if it reads much, as statistics do: those wait for each other, so that a table,
        a hand or a choice always finds a connection.
        """
        if self._is_closed:
            raise StorageUnavailableError(CLOSED)
        self._readings += 1
        self._nobody_reads.clear()
        try:
            with self.trouble.translating(writing=False):
                async with (
                    self._heavy if heavy else nullcontext(),
                    ShieldedConnection(self._readers) as connection,
                ):
                    yield Transaction(connection, Changes(), Locks(connection, writing=False))
        finally:
            self._readings -= 1
            if not self._readings:
                self._nobody_reads.set()

    async def close(self) -> None:
        """Wait for open transactions and close all connections; later ones are refused.

        A connection that was taken or returned after that would stay open forever.
        """
        self._is_closed = True
        while self._readings:
            await self._nobody_reads.wait()
        await self._readers.dispose()
        for writer in {self._writer, self._coordinator}:
            await writer.dispose()

    async def pick(self, picks: Sequence[move_batch.Pick]) -> Mapping[tuple[MatchId, Seat], int]:
        """Write those of these picks that can be written as they are; see `move_batch.write`."""
        changes = Changes()
        async with self._writing(changes) as connection:
            await Locks(connection, writing=True).matches(*(pick.match for pick in picks))
            written = await move_batch.write(connection, picks)
            changes.touched.update(match for match, _ in written)
        return written

    async def empty_log(self) -> None:
        """Empty SQLite's log of deleted data; if somebody is reading, that is left for later."""
        self.log_is_to_be_emptied = True
        with self.trouble.translating(writing=True):
            self.log_is_to_be_emptied = not await self._writer.empty_log()

    async def rewrite(self) -> None:
        """Rewrite SQLite's file, so that nothing deleted is left in it, and empty its log."""
        with self.trouble.translating(writing=True):
            await self._writer.rewrite()
        await self.empty_log()

    def shortage_for_rewriting(self) -> str | None:
        """Why the disk has too little room for `rewrite`, after "it"; None if it has enough."""
        file = self._writer.engine.url.database
        if self._writer.engine.dialect.name != "sqlite" or file is None:
            return None
        return rewriting.shortage(Path(file))

    def _note(self, changes: Changes) -> None:
        """Log and count what was committed."""
        if changes.touched or changes.is_rehearsed:
            self.trouble.note_written()
        for match, game, what in changes.news:
            HAPPENED.labels(game, what).inc()
            log.info("match", match=match, game=game, became=what)

    def _tell(self, changes: Changes) -> None:
        """Tell listeners what was committed, or may have been."""
        committed = Committed(
            due_at=changes.due_at,
            computers=frozenset(changes.computers),
            changed=frozenset(changes.touched),
            moved=frozenset(changes.moved),
        )
        if committed != _NOTHING:
            for listener in tuple(self._listeners):
                listener(committed)


async def _migrate(file: Path) -> None:
    """Migrate the file to the newest revision; UnusableError if SQLite can't use it."""
    try:
        await startup.migrate(file)
    except (DBAPIError, sqlite3.Error) as error:
        reason = reason_of(error)
        if reason is None:
            raise
        raise UnusableError(refusal(file, reason)) from None


async def _delete_handed(storage: Storage) -> None:
    """Delete clicks that were left for another process: on a file, there is none to take them."""
    with suppress(StorageUnavailableError):  # logged; the next start tries again
        async with storage.coordinating() as writing:
            has_deleted = await writing.cluster.forget_all_left()
        if has_deleted:
            await storage.empty_log()
