"""Our bot as `python -m bot` runs it, except that it opens direct messages without pauses.

Environment variables:

- DATABASE: a file, or a database on a server; then it can be one of several processes.
- DEFER: the seconds after which an answer is deferred, if not the bot's own.
- PROFILE: a file for the profile of the process, written when it ends.
"""

import asyncio
import contextlib
import cProfile
import os
import signal
from contextlib import AsyncExitStack

from pydantic import SecretStr

from bot.cli import serve
from bot.client import Facedown
from bot.cluster.leases import Leases
from bot.config import Settings
from bot.messaging import discord_address
from bot.messaging.first_answer import DEFER_AFTER_SECONDS
from bot.messaging.picture_cache import PictureCache
from bot.messaging.process_pool import ProcessPool
from bot.services import Pacing, Processes
from bot.storage import Storage
from bot.telemetry.logging import configure


async def main() -> None:
    configure("warning", "text")
    discord_address.use_address(os.environ["DISCORD_API"])
    defer = float(os.environ.get("DEFER", DEFER_AFTER_SECONDS))
    settings = Settings(most_clicks=1_000_000, most_openings=1_000_000)
    async with AsyncExitStack() as stack:
        storage = await stack.enter_async_context(Storage.open(settings.database))
        workers = await stack.enter_async_context(ProcessPool(1))
        database = settings.database
        bot = await stack.enter_async_context(
            Facedown(
                settings,
                storage,
                Processes(pictures=PictureCache(workers)),
                pacing=Pacing(between_openings=0.0, defer=defer),
                leases=Leases(storage, database) if isinstance(database, SecretStr) else None,
            )
        )
        running = asyncio.create_task(serve(bot, os.environ["DISCORD_TOKEN"]))
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, running.cancel)
        with contextlib.suppress(asyncio.CancelledError):
            await running


if __name__ == "__main__":
    if "PROFILE" in os.environ:
        profile = cProfile.Profile()
        profile.runcall(asyncio.run, main())
        profile.dump_stats(os.environ["PROFILE"])
    else:
        asyncio.run(main())
