"""A connection whose statements are never broken off half way, and whose writes can wait."""

import asyncio
from collections import deque
from collections.abc import Coroutine, Generator, Mapping
from dataclasses import dataclass, field
from functools import partial
from types import coroutine
from typing import TYPE_CHECKING, Any, Self, TypeVar

from sqlalchemy import UpdateBase
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.errors import TooLateError
from bot.storage.trouble import is_lost

T = TypeVar("T")


@dataclass(slots=True)
class _Waiting:
    """Writes that were put off: by what they are about, in their order."""

    lines: dict[object, deque[tuple[UpdateBase, Mapping[str, Any]]]] = field(default_factory=dict)
    guards: set[UpdateBase] = field(default_factory=set)
    """Those of which each has to find its row."""

    def take(self) -> tuple[UpdateBase, list[Mapping[str, Any]]]:
        """One statement that is the next of something, with all values for which it is that."""
        statement = next(iter(self.lines.values()))[0][0]
        values: list[Mapping[str, Any]] = []
        for about, line in list(self.lines.items()):
            while line and line[0][0] is statement:
                values.append(line.popleft()[1])
            if not line:
                del self.lines[about]
        return statement, values


class ShieldedConnection(AsyncConnection):
    """Finishes each statement, also if its caller is cancelled, who hears of that afterwards.

    A statement that is cancelled goes on in the driver's thread, while SQLAlchemy ends the
    connection under it. Without this, one stop in eight right after a start hung: a later statement
    was never answered.

    Writes of which nobody needs an answer can be put off (`later`) until something else is executed
    or the transaction is committed: those of many matches are one statement each then, and not one
    a match. To get a statement to the database takes far longer than most of ours take there.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        super().__init__(engine)
        self._waiting = _Waiting()
        self.is_committed = False
        """Whether a commit has succeeded, also if its caller, who was cancelled, did not hear."""

        self.is_in_doubt = False
        """Whether a commit was asked for, and the connection broke before its answer came."""

    def later(
        self,
        statement: UpdateBase,
        values: Mapping[str, Any],
        *,
        about: object,
        must_match: bool = False,
    ) -> None:
        """Put a write off. Writes about the same thing keep their order, and no others.

        The statement is one that is made once, for it is known by its identity. With `must_match` a
        TooLateError is raised later, unless it finds one row.
        """
        self._waiting.lines.setdefault(about, deque()).append((statement, values))
        if must_match:
            self._waiting.guards.add(statement)

    async def __aenter__(self) -> Self:
        await self.start(is_ctxmanager=True)
        return self

    async def start(self, *args: Any, **options: Any) -> AsyncConnection:  # noqa: ANN401 - passed on
        try:
            return await finished(super().start(*args, **options))
        except asyncio.CancelledError:
            if self.sync_connection is not None:  # connected meanwhile, and nobody will close it
                await finished(self.close())
            raise

    if not TYPE_CHECKING:  # what it returns, the library's own signatures say

        async def execute(self, *args, **options):  # noqa: ANN002, ANN003, ANN201 - passed on
            await self._catch_up()
            return await finished(super().execute(*args, **options))

    async def __aexit__(self, *_of_error: object) -> None:
        await finished(self.close())

    async def commit(self) -> None:
        await self._catch_up()
        await finished(self._commit())

    async def _commit(self) -> None:
        try:
            await super().commit()
        except Exception as error:
            self.is_in_doubt = is_lost(error)
            raise
        self.is_committed = True

    async def _catch_up(self) -> None:
        """Execute what was put off."""
        while self._waiting.lines:
            statement, values = self._waiting.take()
            if statement not in self._waiting.guards:
                await finished(super().execute(statement, values))
            elif self.dialect.supports_sane_multi_rowcount:
                await self._execute_guarded(statement, values)
            else:
                for of_one in values:
                    await self._execute_guarded(statement, [of_one])

    async def _execute_guarded(
        self, statement: UpdateBase, values: list[Mapping[str, Any]]
    ) -> None:
        done = await finished(super().execute(statement, values if len(values) > 1 else values[0]))
        if done.rowcount != len(values):
            raise TooLateError("The match has just moved on. What you see now is where it stands.")


@coroutine
def finished(work: Coroutine[Any, Any, T]) -> Generator[Any, Any, T]:
    """The result of this work, which goes on to its end also if the caller is cancelled.

    It is done in the caller's own task: with one of its own, and a shield before that, a reading
    of one statement took a sixth more CPU, for changing between tasks.
    """
    cancelled: asyncio.CancelledError | None = None
    while True:
        try:
            waits_for = work.send(None)
        except StopIteration as ended:
            if cancelled is not None:
                raise cancelled from None
            result: T = ended.value
            return result
        except Exception:
            if cancelled is not None:
                raise cancelled from None
            raise
        cancelled = (yield from _wait(waits_for)) or cancelled


def _wait(
    awaited: "asyncio.Future[Any] | None",
) -> Generator[Any, Any, asyncio.CancelledError | None]:
    """Wait until this is done, or for others to go first; how the caller was cancelled meanwhile.

    By a future of our own: to cancel a task is to cancel what it waits for.
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
