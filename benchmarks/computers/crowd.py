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
from bot.computers.pool import Thinkers
from bot.errors import MatchError
from bot.matches import Challenge
from bot.messaging import discord_address
from bot.messaging.picture_cache import Pictures
from bot.messaging.process_pool import Workers
from bot.storage import MatchId, Storage
from bot.telemetry import logging
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
            pace="live",
            computers=(os.environ["LEVEL"],),
        )
        match = (await bot.matches.open(challenge)).look(None).match
        await finish(bot, playing, match, challenge.opener)


async def finish(bot: Facedown, playing: asyncio.Event, match: MatchId, user: int) -> None:
    while (look := await bot.matches.look(match, user)).status == "running":
        await playing.wait()
        if look.owes:
            await asyncio.sleep(PAUSE)
            move = Chance(SEED, look.step).pick(look.legal)
            with contextlib.suppress(MatchError):
                await bot.matches.submit(match, look.step, user, str(move))
                bot.updates.changed(match)
                bot.updates.soon(match)
        else:
            await asyncio.sleep(PAUSE)


async def main() -> None:
    logging.configure("warning", "text")
    think_longer(os.environ["GAME"], float(os.environ["FACTOR"]))
    discord_address.point(os.environ["DISCORD_API"])
    playing, loop = asyncio.Event(), asyncio.get_running_loop()
    async with (
        Storage.open(Path(os.environ["DATABASE"])) as storage,
        Workers(1) as workers,
        Thinkers() as thinkers,
        Facedown(storage, Pictures(workers), dm_pace=0.0) as bot,
    ):
        bot.flood.most = 1_000_000
        bot.computers.thinkers = thinkers
        running = asyncio.create_task(bot.start(os.environ["DISCORD_TOKEN"]))
        people = range(len(os.environ["PEOPLE"].split()))
        acting = [asyncio.create_task(play(bot, playing, number)) for number in people]
        loop.add_signal_handler(signal.SIGTERM, running.cancel)
        loop.add_signal_handler(signal.SIGUSR1, playing.set)
        loop.add_signal_handler(signal.SIGUSR2, playing.clear)
        with contextlib.suppress(asyncio.CancelledError):
            await running
        for task in acting:
            task.cancel()


if __name__ == "__main__":
    asyncio.run(main())
