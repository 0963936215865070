"""Whether the database works well enough to play, for the health check and the owner's tools."""

import asyncio
from collections.abc import Coroutine
from typing import Any, Final, TypeVar

import structlog
from sqlalchemy.exc import SQLAlchemyError

from bot.errors import StorageUnavailableError
from bot.storage.store import Storage

log = structlog.get_logger()
T = TypeVar("T")

PATIENCE_SECONDS: Final = 2.0
"""How long the database may take to answer."""


async def why_unusable(storage: Storage, patience: float) -> str | None:
    """Why the database can't be read and written within `patience` seconds; None if it can.

    Every choice needs to write.
    """
    try:
        await in_time(_try(storage), patience)
    except StorageUnavailableError as error:
        return str(error)
    except (TimeoutError, SQLAlchemyError) as error:
        log.warning("database does not answer", why=type(error).__name__)
        return "it does not answer"
    return storage.trouble.reason  # damage in a part that wasn't read just now


async def in_time(work: Coroutine[Any, Any, T], patience: float) -> T:
    """The result of a coroutine; TimeoutError after `patience` seconds, when it's cancelled.

    Cancelling it doesn't end the wait for a statement (`ShieldedConnection`), and a server that
    hangs answers none, so this doesn't wait for it.
    """
    task = asyncio.create_task(work)
    try:
        if not (await asyncio.wait({task}, timeout=patience))[0]:
            raise TimeoutError
        return task.result()
    finally:
        task.cancel()


async def _try(storage: Storage) -> None:
    async with storage.reading() as reading:
        await reading.ping()
    async with storage.transaction() as writing:
        await writing.rehearse()
