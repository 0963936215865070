"""How long clicks take while computers think, and how much of that is due to the thinking.

20 people play quickly against a strong computer. Its budget is multiplied so that a choice takes 2
seconds on an idle core, the most that `strong` may take in any game. Meanwhile, other people play
Pico against each other, and their clicks are measured, one after another: changes of a choice,
which are committed and answered with the hand. There are three conditions: the matches against
computers are paused; computers wait as long as they would think, but use no CPU; computers think.
Their batches alternate, so that a slow moment of the machine affects all.

The matches against computers affect the clicks even without thinking, because 20 matches this fast
are resolved and shown about 10 times a second. So the cost of thinking is the difference between
the third condition and the second.
"""

import asyncio
import gc
import os
import signal
import statistics
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from benchmarks.picks import Bot, all_have_cards, challenge, click, cpu_of
from bot.computers.pool import NICENESS
from games import GAMES
from games.chance import Chance
from games.computers import COMPUTERS
from sandbox import Sandbox

MATCHES = 20
PAIRS = 10
BATCHES = 10
CLICKS = 100
BEGUN = 5.0
"""Seconds until everybody who plays a computer has moved, so that computers think."""

WANTED_RATIO = 1.5

LEAST_THINKING = 0.05
"""The share of a core that must be thinking in every batch; less would compare nothing."""

MAX_NICENESS = 19

GAME = "prize"
WHOLE = 2.0
"""Seconds that a choice should take."""


def factor_of(game: str) -> float:
    """The factor for the strong computer's budget that makes a choice take `WHOLE` seconds."""
    rules, computer = GAMES[game], COMPUTERS[game]
    state, taken = rules.setup(rules.presets["standard"], 2, Chance("clicks", 0)), []
    for step in range(1, 20):
        (seat,) = rules.awaiting(state)
        chance = Chance("clicks think", step)
        began = time.process_time()
        move = computer.choose(rules.observe(state, seat), seat, computer.levels[-1], chance)
        taken.append(time.process_time() - began)
        state = rules.play(state, {seat: move}, Chance("clicks", step))
    return WHOLE / statistics.mean(taken[1:])  # the first choice includes loading


async def start_ours(folder: str, factor: float) -> Bot:
    """Start our bot with running Pico matches, and with the people who will play computers."""
    discord = await Sandbox().start()
    discord.clock.freeze()  # so that slow answers are measured, not refused after 3 seconds
    discord.faults.rate_limits = False  # waiting would be measured too
    people = [discord.world.add_person(f"C{n}").id for n in range(MATCHES)]
    guild = discord.world.guild
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "benchmarks.computers.crowd",
        env={
            **os.environ,
            "DISCORD_API": discord.url,
            "DISCORD_TOKEN": discord.token,
            "DATABASE": f"{folder}/bench.sqlite3",
            "GAME": GAME,
            "FACTOR": str(factor),
            "WHOLE": str(WHOLE),
            "LEVEL": "strong",
            "PEOPLE": " ".join(map(str, people)),
            "GUILD": str(guild.id),
            "CHANNEL": str(next(c.id for c in guild.channels.values() if c.name == "games")),
        },
    )
    await discord.ready(180)
    bot = Bot("clicks", discord, process)
    for n in range(PAIRS):
        for name in (f"P{n}", f"Q{n}"):
            discord.world.add_person(name)
        first, second = discord.person(f"P{n}"), discord.person(f"Q{n}")
        answer = await first.slash(
            "pico play", channel="games", opponent=second, pace="none", hand="desk"
        )
        # If the answer was deferred, the challenge is a follow-up.
        message = await discord.until(partial(challenge, answer), 120)
        assert message is not None
        await second.click(message, "Accept")
        await discord.until(partial(all_have_cards, (first, second)), 120)
        bot.people.append(first)
    return bot


def thinking(bot: Bot) -> float:
    """Seconds of CPU of the processes that think; their niceness identifies them."""
    used = 0.0
    for children in Path(f"/proc/{bot.process.pid}/task").glob("*/children"):
        for pid in children.read_text().split():
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            if int(fields[16]) == os.nice(0) + NICENESS:
                used += cpu_of(int(pid))
    return used


async def batch(bot: Bot) -> list[float]:
    """Seconds that each click took; this process, as Discord, collects no garbage meanwhile."""
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        return [await click(bot.people[n % PAIRS], n) for n in range(CLICKS)]
    finally:
        gc.enable()


async def rest(bot: Bot) -> None:
    """Pause the matches against computers, and wait until no computer thinks."""
    bot.process.send_signal(signal.SIGUSR2)
    before, used = -1.0, thinking(bot)
    while used > before:
        await asyncio.sleep(1.0)
        before, used = used, thinking(bot)


def p99(times: list[float]) -> float:
    return sorted(times)[int(len(times) * 0.99)]


def print_times(name: str, times: list[float]) -> None:
    print(
        f"  {name:28} {statistics.median(times) * 1000:6.1f} ms (median), "
        f"{p99(times) * 1000:6.1f} ms (p99), {len(times)} clicks"
    )


async def beside(bot: Bot, way: signal.Signals) -> tuple[list[float], float]:
    """The seconds of clicks while people play computers, and the share of a core that thought.

    `way` is a signal that `crowd` handles.
    """
    await rest(bot)
    bot.process.send_signal(way)
    await asyncio.sleep(BEGUN)
    cpu, began = thinking(bot), time.perf_counter()
    times = await batch(bot)
    return times, (thinking(bot) - cpu) / (time.perf_counter() - began)


async def main() -> None:
    if os.nice(0) + NICENESS > MAX_NICENESS:
        raise SystemExit("Run this with a lower nice value: it tells thinking from drawing.")
    alone: list[float] = []
    waiting: list[float] = []
    thought: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        async with await start_ours(folder, factor_of(GAME)) as bot:
            await batch(bot)  # warms up
            shares: list[float] = []
            for _ in range(BATCHES):
                await rest(bot)
                alone += await batch(bot)
                waiting += (await beside(bot, signal.SIGHUP))[0]
                times, share = await beside(bot, signal.SIGUSR1)
                if share < LEAST_THINKING:
                    raise SystemExit(f"Only {share:.1%} of a core was thinking: too little.")
                thought += times
                shares.append(share)
    print(f"Clicks of others during {MATCHES} matches of {GAME} against `strong`, one at a time:")
    print_times("matches paused", alone)
    print_times("computers only wait", waiting)
    print_times("computers think", thought)
    print(
        f"  CPU of the thinking: {statistics.mean(shares):.0%} of a core,"
        f" at least {min(shares):.0%} in each of {len(shares)} batches"
    )
    print(f"  p99 ratio, thinking to paused: {p99(thought) / p99(alone):.2f}", end="")
    print(f" (target: at most {WANTED_RATIO})")
    print(f"  p99 ratio, thinking to waiting: {p99(thought) / p99(waiting):.2f}")


if __name__ == "__main__":
    asyncio.run(main())
