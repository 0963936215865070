"""The database of one bot, open: transactions that write or read, and the batch of the hot path."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Self

import structlog
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.storage import engine, move_batch, startup
from bot.storage.group_commit import GroupCommit
from bot.storage.records import MatchId
from bot.storage.repository import Changes
from bot.storage.transaction import Transaction
from bot.telemetry.metrics import HAPPENED
from games.core import Seat

log = structlog.get_logger()


class Storage:
    """All that is kept, in one SQLite file that no other process may use meanwhile."""

    def __init__(self, writer: GroupCommit, readers: AsyncEngine) -> None:
        self._writer = writer
        self._readers = readers
        self.due_written: Callable[[int], None] = lambda due_at: None
        """Told of each moment for the clock to act that was committed; the clock listens."""

        self.computers_met: Callable[[MatchId], None] = lambda match: None
        """Told of each match with computers that a transaction was about, once it is committed."""

    @classmethod
    @asynccontextmanager
    async def open(cls, file: Path) -> AsyncIterator[Self]:
        """The database in this file, made or migrated first; InUseError if it is in use."""
        async with AsyncExitStack() as stack:
            stack.enter_context(startup.alone(file))
            await startup.migrate(file)
            writer, readers = GroupCommit(engine.writer(file)), engine.readers(file)
            stack.push_async_callback(writer.dispose)
            stack.push_async_callback(readers.dispose)
            yield cls(writer, readers)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Transaction]:
        """A transaction that holds the write lock; it is committed unless an error leaves it."""
        changes = Changes()
        async with self._writer.transaction() as connection:
            yield Transaction(connection, changes)
        if changes.due_at is not None:
            self.due_written(changes.due_at)
        for match in changes.computers:
            self.computers_met(match)
        for match, game, what in changes.news:
            HAPPENED.labels(game, what).inc()
            log.info("match", match=match, game=game, became=what)

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Transaction]:
        """A transaction that sees one state of the database, holds no lock and cannot write."""
        async with self._readers.connect() as connection:
            yield Transaction(connection, Changes())

    async def pick(self, picks: Sequence[move_batch.Pick]) -> set[tuple[MatchId, Seat]]:
        """Write those of these picks that can be written as they are; see `move_batch`."""
        async with self._writer.transaction() as connection:
            return await move_batch.write(connection, picks)
