"""The database of one bot, open: transactions that write or read, and the batch of the hot path."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext
from pathlib import Path
from typing import Final, Self

import structlog
from pydantic import SecretStr
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.errors import MaybeSavedError, StorageUnavailableError
from bot.storage import engine, move_batch, postgres, server, startup
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
"""Of SQLite's two readers, so many at most read what takes long."""


class Storage:
    """All that is kept: in an SQLite file that no other process may use, or on a server."""

    def __init__(
        self,
        writer: Writer,
        readers: AsyncEngine,
        sharer: Writer | None = None,
        *,
        heavy_at_once: int = _HEAVY_AT_ONCE,
    ) -> None:
        self._writer = writer
        self._sharer = sharer or writer
        self._readers = readers
        self._heavy = asyncio.Semaphore(heavy_at_once)
        self._is_closed = False
        self._readings = 0
        self._nobody_reads = asyncio.Event()
        self._nobody_reads.set()
        self.trouble = Trouble()
        self._listeners: list[Listener] = []
        self.log_is_to_be_emptied = False
        """Whether what was deleted may still stand in the log, because somebody read just then."""

    @classmethod
    @asynccontextmanager
    async def open(cls, database: Path | SecretStr) -> AsyncIterator[Self]:
        """A database, made or migrated first; UnusableError if that cannot be.

        It is the file with this path, or the one at this address of a PostgreSQL server.
        """
        heavy_at_once = _HEAVY_AT_ONCE
        async with AsyncExitStack() as stack:
            if isinstance(database, SecretStr):
                await server.migrate(database)
                writer = Writer(postgres.writers(database), postgres.CONNECTIONS["write"])
                readers = postgres.readers(database)
                sharer = Writer(postgres.sharers(database), postgres.CONNECTIONS["share"])
                heavy_at_once = postgres.CONNECTIONS["read"] // 2
            else:
                stack.enter_context(startup.alone(database))
                startup.must_be_writable(database)
                await _migrate(database)
                writer, readers = Writer(engine.writer(database)), engine.readers(database)
                sharer = writer
            storage = cls(writer, readers, sharer, heavy_at_once=heavy_at_once)
            stack.push_async_callback(storage.close)
            yield storage

    @property
    def writes_at_once(self) -> int:
        """How many transactions can write at the same time; with SQLite one."""
        return self._writer.connections

    @property
    def writes_waiting(self) -> int:
        """How many transactions that write wait for others to end."""
        return self._writer.waiting

    def subscribe(self, listener: Listener) -> None:
        """Let this be called after each commit that somebody may have to act on.

        What it is told says where to look: amid trouble it may not have been committed.
        """
        self._listeners.append(listener)

    def unsubscribe(self, listener: Listener) -> None:
        """Call this no more; nothing happens if it was not called before."""
        if listener in self._listeners:
            self._listeners.remove(listener)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Transaction]:
        """A transaction that writes; it is committed unless an error leaves it."""
        changes = Changes()
        async with self._writing(changes) as (connection, locks):
            yield Transaction(connection, changes, locks)

    @asynccontextmanager
    async def _writing(self, changes: Changes) -> AsyncIterator[tuple[ShieldedConnection, Locks]]:
        """A connection that writes; whoever listens is told of these changes once it has committed.

        They are in any case: a task that is cancelled during the commit only hears of that. Where
        nobody knows whether it has, they look for themselves: nothing else might ever ask.
        """
        connection: ShieldedConnection | None = None
        try:
            with self.trouble.translating(writing=True):
                async with self._writer.transaction() as connection:
                    locks = Locks(connection, writing=True)
                    yield connection, locks
                    await raise_revisions(connection, locks, changes.touched)
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
        """StorageUnavailableError if nothing could be written lately, and still nothing can be.

        For whoever notes what was sent only afterwards, and would send it again and again.
        """
        if self.trouble.reason is not None:
            async with self.transaction() as writing:
                await writing.rehearse()

    @asynccontextmanager
    async def sharing(self) -> AsyncIterator[Transaction]:
        """A transaction for what processes do among themselves: leases, and what is handed over.

        It has connections of its own. A process that can't renew a lease in time, because all
        others wait for a locked match, would let go of what it holds. It must lock nothing of a
        match.
        """
        with self.trouble.translating(writing=True):
            async with self._sharer.transaction() as connection:
                yield Transaction(connection, Changes(), Locks(connection, writing=True))

    @asynccontextmanager
    async def reading(self, *, heavy: bool = False) -> AsyncIterator[Transaction]:
        """A transaction that sees one state of the database, holds no lock and cannot write.

        One that reads much, as statistics do, is `heavy`: such wait for one another, so that a
        table, a hand or a choice always finds a connection.
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
        """Wait for what is under way, and close all connections; who comes later is refused.

        A connection that is taken or given back after that would stay open for ever.
        """
        self._is_closed = True
        while self._readings:
            await self._nobody_reads.wait()
        await self._readers.dispose()
        for writer in {self._writer, self._sharer}:
            await writer.dispose()

    async def pick(self, picks: Sequence[move_batch.Pick]) -> Mapping[tuple[MatchId, Seat], int]:
        """Write those of these picks that can be written as they are; see `move_batch`."""
        changes = Changes()
        async with self._writing(changes) as (connection, locks):
            await locks.matches(*(pick.match for pick in picks))
            written = await move_batch.write(connection, picks)
            changes.touch(*(match for match, _ in written))
        return written

    async def empty_log(self) -> None:
        """Let nothing stand in the log; where somebody reads just now, that is still to do."""
        self.log_is_to_be_emptied = True
        with self.trouble.translating(writing=True):
            self.log_is_to_be_emptied = not await self._writer.empty_log()

    def _note(self, changes: Changes) -> None:
        """Let the log and the metrics say what was committed."""
        if changes.touched or changes.is_rehearsed:
            self.trouble.over()
        for match, game, what in changes.news:
            HAPPENED.labels(game, what).inc()
            log.info("match", match=match, game=game, became=what)

    def _tell(self, changes: Changes) -> None:
        """Let whoever listens look at what was committed, or may have been."""
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
    """Bring the file to the newest revision; UnusableError where SQLite cannot work with it."""
    try:
        await startup.migrate(file)
    except (DBAPIError, sqlite3.Error) as error:
        reason = reason_of(error)
        if reason is None:
            raise
        raise UnusableError(refusal(file, reason)) from None
