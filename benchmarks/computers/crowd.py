"""Runs our bot in its own process, with matches of fast people against computers.

The moves of these people are made here, in the bot, two to four seconds after it's their turn, as
only the effect on others is measured. SIGUSR1 lets them play, SIGUSR2 pauses them. SIGHUP lets them
play against computers that take as long but use no CPU, which shows the cost of the matches without
that of thinking.
"""

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from bot.cli import serve
from bot.client import Facedown
from bot.computers.jobs import ThinkingJob, think
from bot.computers.pool import ComputerPool
from bot.config import Settings
from bot.errors import MatchError
from bot.matches import Challenge, SeatSnapshot
from bot.messaging import discord_address
from bot.messaging.picture_cache import PictureCache
from bot.messaging.process_pool import ProcessPool
from bot.services import Pacing, Processes
from bot.storage import MatchId, Storage
from bot.telemetry.logging import configure
from games import GAMES
from games.chance import Chance
from games.computers import COMPUTERS

T = TypeVar("T")

SEED = "57" * 32
PAUSE = 2.0


class WaitingPool(ComputerPool):
    """A pool that thinks, or that waits for as long as thinking would take if `waits` is set."""

    waits = False

    async def run(
        self,
        seconds: float,
        work: Callable[..., T],
        *args: Any,  # noqa: ANN401 - passed on unchanged
        urgent: bool = True,
    ) -> T:
        instead: Callable[..., Any] = wait if self.waits and work is think else work
        result: T = await super().run(seconds, instead, *args, urgent=urgent)
        return result


def wait(job: ThinkingJob) -> tuple[str, float]:
    """A quick move, after as many seconds as thinking would take; returns it and the seconds."""
    began = time.perf_counter()
    computer, chance = COMPUTERS[job.game], Chance(job.seed, job.step)
    move = computer.choose(job.view, job.seat, computer.levels[0], chance)
    whole = computer.levels[-1].budget * float(os.environ["FACTOR"])
    seconds = float(os.environ["WHOLE"]) * job.level.budget / whole
    time.sleep(max(0.0, began + seconds - time.perf_counter()))
    return str(move), time.perf_counter() - began


def think_longer(game: str, factor: float) -> None:
    """Multiply the budget of every level of a game's computer by a factor."""
    computer = type(COMPUTERS[game])
    computer.levels = tuple(
        replace(level, budget=int(level.budget * factor)) for level in computer.levels
    )


async def play(bot: Facedown, playing: asyncio.Event, number: int) -> None:
    """Let one person play match after match against a computer, with random choices."""
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
            wanted=2,
            time_control="live",
            computers=(os.environ["LEVEL"],),
        )
        match = (await bot.services.matches.open(challenge)).public().match
        await finish(bot, playing, match, challenge.opener)


async def finish(bot: Facedown, playing: asyncio.Event, match: MatchId, user: int) -> None:
    while (snapshot := await bot.services.matches.snapshot(match, user)).status == "running":
        await playing.wait()
        if isinstance(snapshot, SeatSnapshot) and snapshot.owes:
            await asyncio.sleep(PAUSE)
            move = Chance(SEED, snapshot.step).pick(snapshot.legal)
            with contextlib.suppress(MatchError):
                await bot.services.matches.submit(match, snapshot.step, user, str(move))
                bot.services.live.note_changed(match, is_detail=True)
        else:
            await asyncio.sleep(PAUSE)


async def main() -> None:
    configure("warning", "text")
    think_longer(os.environ["GAME"], float(os.environ["FACTOR"]))
    discord_address.use_address(os.environ["DISCORD_API"])
    playing, loop = asyncio.Event(), asyncio.get_running_loop()
    async with (
        Storage.open(Path(os.environ["DATABASE"])) as storage,
        ProcessPool(1) as workers,
        WaitingPool() as pool,
        Facedown(
            Settings(most_clicks=1_000_000, most_openings=1_000_000),
            storage,
            Processes(pictures=PictureCache(workers), computers=pool),
            pacing=Pacing(between_openings=0.0),
        ) as bot,
    ):
        running = asyncio.create_task(serve(bot, os.environ["DISCORD_TOKEN"]))
        people = range(len(os.environ["PEOPLE"].split()))
        acting = [asyncio.create_task(play(bot, playing, number)) for number in people]
        loop.add_signal_handler(signal.SIGTERM, running.cancel)

        def let_play(*, waits: bool) -> None:
            pool.waits = waits
            playing.set()

        loop.add_signal_handler(signal.SIGUSR1, partial(let_play, waits=False))
        loop.add_signal_handler(signal.SIGHUP, partial(let_play, waits=True))
        loop.add_signal_handler(signal.SIGUSR2, playing.clear)
        ended, _ = await asyncio.wait([running, *acting], return_when=asyncio.FIRST_COMPLETED)
        for task in (running, *acting):
            task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            for task in ended:  # raises the error of a player that has failed
                await task


if __name__ == "__main__":
    asyncio.run(main())
