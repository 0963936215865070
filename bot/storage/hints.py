"""What other processes tell of by NOTIFY, heard on a connection of its own.

A hint says where to look and is no truth: who misses one finds the row by asking now and then.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import asyncpg
import structlog
from pydantic import SecretStr

from bot.storage import postgres
from bot.storage.cluster import CHANNEL

log = structlog.get_logger()

LOOK_SECONDS: Final = 5.0
"""How often it is looked whether the connection still answers, and how soon it is made anew."""


async def listen(address: SecretStr, hear: Callable[[str], None]) -> None:
    """Hear hints until cancelled; an empty one each time some may have been missed."""
    while True:
        with suppress(asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError):
            await _listen(address, hear)
        log.info("hints not heard", again_in=LOOK_SECONDS)
        await asyncio.sleep(LOOK_SECONDS)


async def _listen(address: SecretStr, hear: Callable[[str], None]) -> None:
    def heard(*told: Any) -> None:  # noqa: ANN401 - connection, process, channel, payload
        hear(told[3])

    connection = await postgres.connect(address)
    try:
        await connection.add_listener(CHANNEL, heard)
        hear("")
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            await connection.execute("SELECT 1")
    finally:
        connection.terminate()
