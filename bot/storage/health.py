"""Whether the database answers: what the tools of the person who runs the bot ask."""

import asyncio
from typing import Final

import structlog
from sqlalchemy.exc import SQLAlchemyError

from bot.storage.transaction import Transactions

log = structlog.get_logger()

PATIENCE_SECONDS: Final = 2.0
"""In which the database must answer."""


async def answers(storage: Transactions, patience: float) -> bool:
    """Whether it can be read, and written, which every choice needs, in so many seconds."""
    try:
        async with asyncio.timeout(patience):
            async with storage.reading() as reading:
                await reading.ping()
            async with storage.transaction() as writing:
                await writing.ping()
    except (TimeoutError, SQLAlchemyError) as error:
        log.warning("database does not answer", why=type(error).__name__)
        return False
    return True
