"""A connection whose statements are never interrupted, and whose writes can be deferred."""

import asyncio
import time
from collections import deque
from collections.abc import Coroutine, Generator, Mapping
from functools import partial
from types import coroutine
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

from sqlalchemy import UpdateBase
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.errors import TooLateError
from bot.storage.trouble import UNREACHABLE, reason_of
from bot.telemetry.metrics import DATABASE

T = TypeVar("T")

_COMMITTED: Final = DATABASE.labels("commit").observe


class ShieldedConnection(AsyncConnection):
    """Finishes each statement even if its caller is cancelled; only then is the caller told.

    A cancelled statement would continue in the driver's thread while SQLAlchemy closes the
    connection under it. Without this, one in eight shutdowns right after a start hung: a later
    statement was never answered.

    A write whose result nobody needs can be deferred (`later`) until another statement is executed
    or the transaction commits. The deferred writes of many matches are then one statement instead
    of one per match: most of our statements take far less time in the database than on the way to
    it.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        super().__init__(engine)
        self._deferred: dict[object, deque[tuple[UpdateBase, Mapping[str, Any]]]] = {}
        """Deferred writes, by what they are about, each line in its order."""

        self._guarded: set[UpdateBase] = set()
        """The deferred statements that must match one row for each of their values."""

        self.is_committed = False
        """Whether a commit has succeeded, even if its caller was cancelled and never saw that."""

        self.is_in_doubt = False
        """Whether the connection broke after a commit was sent and before it was answered."""

    def later(
        self,
        statement: UpdateBase,
        values: Mapping[str, Any],
        *,
        about: object,
        must_match: bool = False,
    ) -> None:
        """Defer a write. Writes about the same thing keep their order; others may not.

        `statement` must be an object that is built once, because statements are compared by
        identity. With `must_match`, TooLateError is raised on execution unless it matches exactly
        one row.
        """
        self._deferred.setdefault(about, deque()).append((statement, values))
        if must_match:
            self._guarded.add(statement)

    async def __aenter__(self) -> Self:
        try:
            await finished(self.start(is_ctxmanager=True))
        except asyncio.CancelledError:
            if self.sync_connection is not None:  # connected meanwhile; nobody else would close it
                await finished(self.close())
            raise
        return self

    if not TYPE_CHECKING:  # the library's own signatures give the types

        async def execute(self, *args, **options):  # noqa: ANN002, ANN003, ANN201 - passed on
            await self._execute_deferred()
            return await finished(super().execute(*args, **options))

    async def __aexit__(self, *_of_error: object) -> None:
        await finished(self.close())

    async def commit(self) -> None:
        await self._execute_deferred()
        await finished(self._commit())

    async def _commit(self) -> None:
        began, has_begun = time.perf_counter(), self.in_transaction()
        try:
            await super().commit()
        except Exception as error:
            self.is_in_doubt = reason_of(error) == UNREACHABLE
            await self.invalidate()  # its state is unknown
            raise
        self.is_committed = True
        if has_begun:  # otherwise it was only to let nobody else write meanwhile
            _COMMITTED(time.perf_counter() - began)

    async def _execute_deferred(self) -> None:
        """Execute the deferred writes, each for everything whose next write it is."""
        while self._deferred:
            statement = next(iter(self._deferred.values()))[0][0]
            values: list[Mapping[str, Any]] = []
            for about, line in list(self._deferred.items()):
                while line and line[0][0] is statement:
                    values.append(line.popleft()[1])
                if not line:
                    del self._deferred[about]
            guarded = statement in self._guarded
            at_once = not guarded or self.dialect.supports_sane_multi_rowcount
            for part in [values] if at_once else [[of_one] for of_one in values]:
                done = await finished(super().execute(statement, part))
                if guarded and done.rowcount != len(part):
                    raise TooLateError(
                        "The match has just moved on. What you see now is where it stands."
                    )


@coroutine
def finished(work: Coroutine[Any, Any, T]) -> Generator[Any, Any, T]:
    """The result of this coroutine, which runs to its end even if the caller is cancelled.

    CancelledError is raised only then. The coroutine runs in the caller's own task: with a separate
    task and a shield, a reading of one statement took a sixth more CPU, for switching between
    tasks.
    """
    cancelled: asyncio.CancelledError | None = None
    try:
        while True:
            cancelled = (yield from _wait(work.send(None))) or cancelled
    except StopIteration as ended:
        result: T = ended.value
    except Exception:
        if cancelled is None:
            raise
    if cancelled is not None:
        raise cancelled
    return result


def _wait(
    awaited: "asyncio.Future[Any] | None",
) -> Generator[Any, Any, asyncio.CancelledError | None]:
    """Wait for a future, or for None one pass of the event loop; returns a cancellation, if any.

    Waits by means of a future of its own, because cancelling a task cancels the future it awaits.
    """
    cancelled = None
    while awaited is None or not awaited.done():
        try:
            if awaited is None:
                yield
                break
            turn = awaited.get_loop().create_future()
            awaited.add_done_callback(partial(_wake, turn))
            yield from turn
        except asyncio.CancelledError as error:
            cancelled = error
    return cancelled


def _wake(turn: "asyncio.Future[None]", _: object) -> None:
    if not turn.done():
        turn.set_result(None)
