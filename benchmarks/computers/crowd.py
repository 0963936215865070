"""Our bot as a process of its own, with matches against computers by people who play fast.

Those people's moves are made here, in the bot, two to four seconds after they are asked: what is to
be measured is what thinking costs others. SIGUSR1 lets them play, SIGUSR2 lets them rest.
"""

import asyncio
import contextlib
import os
import signal
from dataclasses import replace
from pathlib import Path

from bot.client import Facedown
from bot.computers.pool import ComputerPool
from bot.config import Settings
from bot.errors import MatchError
from bot.matches import Challenge
from bot.messaging import discord_address
from bot.messaging.picture_cache import PictureCache
from bot.messaging.process_pool import ProcessPool
from bot.services import Pacing, Processes
from bot.storage import MatchId, Storage
from bot.telemetry.logging import configure
from games import GAMES
from games.chance import Chance
from games.computers import COMPUTERS

SEED = "57" * 32
PAUSE = 2.0


def think_longer(game: str, factor: float) -> None:
    """Let every level of a game's computer use so many times its budget."""
    computer = type(COMPUTERS[game])
    computer.levels = tuple(
        replace(level, budget=int(level.budget * factor)) for level in computer.levels
    )


async def play(bot: Facedown, playing: asyncio.Event, number: int) -> None:
    """One person at one computer after another, choosing at once by lot."""
    game = os.environ["GAME"]
    for again in range(10**6):
        await playing.wait()
        challenge = Challenge(
            interaction=10**6 * (number + 1) + again,
            game=game,
            options=GAMES[game].presets["standard"],
            guild=int(os.environ["GUILD"]),
            channel=int(os.environ["CHANNEL"]),
            opener=int(os.environ["PEOPLE"].split()[number]),
            opponents=(),
            bots=frozenset(),
            wanted=2,
            time_control="live",
            computers=(os.environ["LEVEL"],),
        )
        match = (await bot.services.matches.open(challenge)).public().match
        await finish(bot, playing, match, challenge.opener)


async def finish(bot: Facedown, playing: asyncio.Event, match: MatchId, user: int) -> None:
    while (snapshot := await bot.services.matches.snapshot(match, user)).status == "running":
        await playing.wait()
        if snapshot.owes:
            await asyncio.sleep(PAUSE)
            move = Chance(SEED, snapshot.step).pick(snapshot.legal)
            with contextlib.suppress(MatchError):
                await bot.services.matches.submit(match, snapshot.step, user, str(move))
                bot.services.live.changed(match, is_detail=True)
        else:
            await asyncio.sleep(PAUSE)


async def main() -> None:
    configure("warning", "text")
    think_longer(os.environ["GAME"], float(os.environ["FACTOR"]))
    discord_address.point(os.environ["DISCORD_API"])
    playing, loop = asyncio.Event(), asyncio.get_running_loop()
    async with (
        Storage.open(Path(os.environ["DATABASE"])) as storage,
        ProcessPool(1) as workers,
        ComputerPool() as pool,
        Facedown(
            Settings(most_clicks=1_000_000, most_openings=1_000_000),
            storage,
            Processes(pictures=PictureCache(workers), computers=pool),
            pacing=Pacing(between_openings=0.0),
        ) as bot,
    ):
        running = asyncio.create_task(bot.start(os.environ["DISCORD_TOKEN"]))
        people = range(len(os.environ["PEOPLE"].split()))
        acting = [asyncio.create_task(play(bot, playing, number)) for number in people]
        loop.add_signal_handler(signal.SIGTERM, running.cancel)
        loop.add_signal_handler(signal.SIGUSR1, playing.set)
        loop.add_signal_handler(signal.SIGUSR2, playing.clear)
        ended, _ = await asyncio.wait([running, *acting], return_when=asyncio.FIRST_COMPLETED)
        for task in (running, *acting):
            task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            for task in ended:  # a player who has failed is told, not missed
                await task


if __name__ == "__main__":
    asyncio.run(main())
