"""Whether the database answers, and how many matches there are: what whoever runs the bot asks."""

import asyncio
from collections.abc import Sequence
from typing import Final

import structlog
from sqlalchemy import case, func, select
from sqlalchemy.exc import SQLAlchemyError

from bot.storage.schema import matches
from bot.storage.store import Storage

log = structlog.get_logger()

PATIENCE: Final = 2.0
"""Seconds in which the database must answer."""

STATE: Final = case((matches.c.paused_at.is_not(None), "paused"), else_=matches.c.status)


async def answers(storage: Storage, patience: float) -> bool:
    """Whether it can be read, and written, which every choice needs."""
    try:
        async with asyncio.timeout(patience):
            async with storage.reading() as connection:
                await connection.execute(select(1))
            async with storage.transaction() as writing:
                await writing.connection.execute(select(1))
    except (TimeoutError, SQLAlchemyError) as error:
        log.warning("database does not answer", why=type(error).__name__)
        return False
    return True


async def live_matches(storage: Storage) -> Sequence[tuple[str, str, int]]:
    """Game, state and number of the matches of which something is still to come or to be shown.

    Of those only, because they have an index: the others are too many to be counted so often.
    """
    query = (
        select(matches.c.game, STATE.label("state"), func.count().label("number"))
        .where(~matches.c.settled)
        .group_by(matches.c.game, "state")
    )
    async with storage.reading() as connection:
        return [(row.game, row.state, row.number) for row in await connection.execute(query)]
