"""Our bot as `python -m bot` runs it, except that it opens direct messages without a pause.

With PROFILE set, it writes where its event loop spent its time to that file when it ends.
"""

import asyncio
import contextlib
import cProfile
import os
import signal
from pathlib import Path

from bot.client import Facedown
from bot.messaging import discord_address
from bot.messaging.picture_cache import Pictures
from bot.messaging.process_pool import Workers
from bot.storage import Storage
from bot.telemetry import logging


async def main() -> None:
    logging.configure("warning", "text")
    discord_address.point(os.environ["DISCORD_API"])
    async with (
        Storage.open(Path(os.environ["DATABASE"])) as storage,
        Workers(1) as workers,
        Facedown(storage, Pictures(workers), dm_pace=0.0) as bot,
    ):
        bot.flood.most = 1_000_000
        running = asyncio.create_task(bot.start(os.environ["DISCORD_TOKEN"]))
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
