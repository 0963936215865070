"""Whether people can play with the database: what the tools of the bot's owner ask."""

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
"""In which the database must answer."""


async def why_unusable(storage: Storage, patience: float) -> str | None:
    """Why it cannot be read, or written, which every choice needs, in so many seconds.

    None if it can.
    """
    try:
        await in_time(_try(storage), patience)
    except StorageUnavailableError as error:
        return str(error)
    except (TimeoutError, SQLAlchemyError) as error:
        log.warning("database does not answer", why=type(error).__name__)
        return "it does not answer"
    return storage.trouble.reason  # damage in a part that nobody has asked for just now


async def in_time(work: Coroutine[Any, Any, T], patience: float) -> T:
    """The result of this work, or a TimeoutError after so many seconds, whatever comes of it then.

    To be cancelled does not end the wait for a statement (`ShieldedConnection`), and a server that
    hangs answers none.
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
