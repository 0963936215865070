"""The one connection that writes, and the commits that many transactions share.

A commit waits for the disk, and nothing else that a player waits for takes as long. So those
in line when a transaction is done go on in the same one, each behind a savepoint of its own, and
one commit is for all of them. No caller is told of success before it.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.telemetry.metrics import DATABASE

_WAITED = DATABASE.labels("wait").observe
_COMMITTED = DATABASE.labels("commit").observe


@dataclass(slots=True)
class _Group:
    """Transactions that are committed together."""

    connection: AsyncConnection
    committed: asyncio.Future[None] = field(default_factory=asyncio.Future)


class GroupCommit:
    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine
        self._line = asyncio.Lock()  # first come, first served
        self._group: _Group | None = None
        self._committing: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that holds the write lock.

        It is committed when the block is left, before control returns; an error that leaves the
        block takes back what the block has done, and nothing of anybody else.
        """
        came = time.perf_counter()
        async with self._line:
            _WAITED(time.perf_counter() - came)
            group = self._group
            if group is None:
                async with self._begun() as group:
                    yield group.connection
            else:
                async with group.connection.begin_nested():
                    yield group.connection
        await asyncio.shield(group.committed)

    @asynccontextmanager
    async def _begun(self) -> AsyncIterator[_Group]:
        """A new group, which others join if its first block succeeds."""
        connection = await self.engine.connect()
        group = _Group(connection)
        try:
            yield group
        except BaseException:
            await connection.close()  # which rolls back
            raise
        self._group = group
        task = asyncio.create_task(self._commit(group))
        self._committing.add(task)
        task.add_done_callback(self._committing.discard)

    async def _commit(self, group: _Group) -> None:
        """Wait in line behind all who were there first, and commit for them."""
        async with self._line:
            self._group = None
            began = time.perf_counter()
            try:
                await group.connection.commit()
            except Exception as error:  # noqa: BLE001 - it is for those who wait for the commit
                await group.connection.invalidate()  # nobody knows what state it is in
                group.committed.set_exception(error)
                group.committed.exception()  # noticed, also if all who waited have gone
            else:
                _COMMITTED(time.perf_counter() - began)
                group.committed.set_result(None)
            finally:
                await group.connection.close()

    async def dispose(self) -> None:
        """Commit what is under way, and close the connection."""
        await asyncio.gather(*self._committing)
        await self.engine.dispose()
