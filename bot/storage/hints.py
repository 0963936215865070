"""Hints that other processes send by NOTIFY, heard on a connection of their own.

A hint says where to look, not what is true: a process that misses one finds the row when it next
polls.
"""

import asyncio
from collections.abc import Callable
from typing import Any, Final

import asyncpg
import structlog
from pydantic import SecretStr

from bot.storage import postgres
from bot.storage.cluster import CHANNEL

log = structlog.get_logger()

LOOK_SECONDS: Final = 5.0
"""How often the connection is checked, and the pause before reconnecting."""


async def listen(address: SecretStr, hear: Callable[[str], None]) -> None:
    """Call `hear` with each hint, until cancelled; with "" whenever some may have been missed."""
    while True:
        try:
            await _listen(address, hear)
        except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError) as error:
            log.info("hints not heard", why=type(error).__name__, again_in=LOOK_SECONDS)
        await asyncio.sleep(LOOK_SECONDS)


async def _listen(address: SecretStr, hear: Callable[[str], None]) -> None:
    def heard(*args: Any) -> None:  # noqa: ANN401 - connection, process, channel, payload
        hear(args[3])

    connection = await postgres.connect(address)
    try:
        await connection.add_listener(CHANNEL, heard)
        hear("")
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            await connection.execute("SELECT 1")
    finally:
        connection.terminate()
