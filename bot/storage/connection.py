"""A connection whose statements are never broken off half way."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from sqlalchemy.ext.asyncio import AsyncConnection

T = TypeVar("T")


class ShieldedConnection(AsyncConnection):
    """Finishes each statement, also if its caller is cancelled, who hears of that afterwards.

    A statement that is cancelled goes on in the driver's thread, while SQLAlchemy ends the
    connection under it. Without this, one stop in eight right after a start hung: a later statement
    was never answered.
    """

    async def start(self, *args: Any, **options: Any) -> AsyncConnection:  # noqa: ANN401 - passed on
        try:
            return await finished(super().start(*args, **options))
        except asyncio.CancelledError:
            if self.sync_connection is not None:  # connected meanwhile, and nobody will close it
                await self.close()
            raise

    async def execute(self, *args: Any, **options: Any) -> Any:  # noqa: ANN401 - passed on
        return await finished(super().execute(*args, **options))

    async def exec_driver_sql(self, *args: Any, **options: Any) -> Any:  # noqa: ANN401 - passed on
        return await finished(super().exec_driver_sql(*args, **options))

    async def commit(self) -> None:
        await finished(super().commit())


async def finished(work: Coroutine[Any, Any, T]) -> T:
    """The result of this work, which goes on to its end also if the caller is cancelled."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait({task})
        raise
