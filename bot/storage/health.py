"""Whether people can play with the database: what the tools of the bot's owner ask."""

import asyncio
from typing import Final

import structlog
from sqlalchemy.exc import SQLAlchemyError

from bot.errors import StorageUnavailableError
from bot.storage.store import Storage

log = structlog.get_logger()

PATIENCE_SECONDS: Final = 2.0
"""In which the database must answer."""


async def why_unusable(storage: Storage, patience: float) -> str | None:
    """Why it cannot be read, or written, which every choice needs, in so many seconds.

    None if it can.
    """
    try:
        async with asyncio.timeout(patience):
            async with storage.reading() as reading:
                await reading.ping()
            async with storage.transaction() as writing:
                await writing.rehearse()
    except StorageUnavailableError as error:
        return str(error)
    except (TimeoutError, SQLAlchemyError) as error:
        log.warning("database does not answer", why=type(error).__name__)
        return "it does not answer"
    return storage.trouble.reason  # damage in a part that nobody has asked for just now
