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
from bot.config import Settings
from bot.messaging import discord_address
from bot.messaging.picture_cache import PictureCache
from bot.messaging.process_pool import ProcessPool
from bot.services import Pacing, Processes
from bot.storage import Storage
from bot.telemetry.logging import configure


async def main() -> None:
    configure("warning", "text")
    discord_address.point(os.environ["DISCORD_API"])
    async with (
        Storage.open(Path(os.environ["DATABASE"])) as storage,
        ProcessPool(1) as workers,
        Facedown(
            Settings(most_clicks=1_000_000, most_openings=1_000_000),
            storage,
            Processes(pictures=PictureCache(workers)),
            pacing=Pacing(between_openings=0.0),
        ) as bot,
    ):
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
