"""Picks per second on SQLite, and on PostgreSQL with one, two and three processes.

`python -m benchmarks.scaled_picks [BATCHES] [PROCESSES]` runs each bot against its own sandbox in
this process, with matches in as many servers as shards, in turn, batch by batch, so that a slow
moment of the machine affects all. A pick here is the same as in `benchmarks.picks`: a change of
choice, from the click on a hand to its answer. PostgreSQL runs with fsync on. The ratio is the
median of those to SQLite's batch of the same turn. With fewer cores than processes, including the
sandbox and the database server, more processes can't do more; then look at the CPU per pick, of all
processes of the bot together.
"""

import asyncio
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from benchmarks.picks import IN_FLIGHT, all_have_cards, challenge, click, cpu_of
from sandbox import Client, Sandbox
from sandbox.gateway import Gateway
from tests.support.cluster import MISSING, Cluster, binaries
from tests.support.ports import free_port

BATCHES: Final = 10
SHARDS: Final = 6


@dataclass
class Bench:
    """A bot of one or several processes, with its own sandbox."""

    name: str
    discord: Sandbox
    pids: list[int] = field(default_factory=list)
    people: list[Client] = field(default_factory=list)
    urls: list[str] = field(default_factory=list)
    rates: dict[str, list[float]] = field(default_factory=dict)
    """Picks per second of each batch, by "gateway" or "endpoint"."""

    costs: dict[str, list[float]] = field(default_factory=dict)
    """Seconds of CPU per pick of each batch, by the same."""

    def cpu(self) -> float:
        """Seconds of CPU that all its processes have used so far."""
        return sum(map(cpu_of, self.pids))

    async def launch(self, stack: AsyncExitStack, database: str, processes: int) -> None:
        """Start its processes, and wait until all shards are connected and evenly distributed."""
        gateway, identified = self.discord.gateway, 0
        for number in range(1, processes + 1):
            port = free_port()
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "benchmarks.served",
                env={
                    **os.environ,
                    "DISCORD_API": self.discord.url,
                    "DISCORD_TOKEN": self.discord.token,
                    "DATABASE": database,
                    "ENDPOINT_PORT": str(port),
                },
            )
            stack.push_async_callback(process.wait)
            stack.callback(process.terminate)
            self.pids.append(process.pid)
            self.urls.append(f"http://127.0.0.1:{port}/interactions")
            # As with Discord, events are lost while a shard moves from one process to another.
            identified += SHARDS // number
            await self.discord.until(partial(has_identified, gateway, identified), 180)

    async def begin(self) -> None:
        """Begin matches in all servers, each with a hand for both players."""
        discord = self.discord
        guilds = list(discord.world.guilds.values())
        for n in range(IN_FLIGHT):
            guild = guilds[n % len(guilds)]
            for name in (f"P{n}", f"Q{n}"):
                discord.world.add_person(name, guild=guild)
            first, second = discord.person(f"P{n}"), discord.person(f"Q{n}")
            channel = discord.world.add_channel(f"table-{n}", guild=guild)
            answer = await first.slash("pico play", channel=channel, opponent=second, hand="desk")
            # If the answer was deferred, the challenge is a follow-up.
            message = await discord.until(partial(challenge, answer), 120)
            assert message is not None
            await second.click(message, "Accept")
            await discord.until(partial(all_have_cards, (first, second)), 120)
            self.people.append(first)

    async def batch(self, way: str, turn: int) -> None:
        """Let everybody pick at once, over the "gateway" or the "endpoint"."""
        self.discord.endpoint.urls = tuple(self.urls) if way == "endpoint" else ()
        used, began = self.cpu(), time.perf_counter()
        await asyncio.gather(*(click(person, turn) for person in self.people))
        taken = time.perf_counter() - began
        if turn:  # the first batch warms up
            self.rates.setdefault(way, []).append(IN_FLIGHT / taken)
            self.costs.setdefault(way, []).append((self.cpu() - used) / IN_FLIGHT)


def has_identified(gateway: Gateway, shards: int) -> bool:
    """Whether shards have identified at least this many times, and all are connected."""
    return gateway.identified >= shards and gateway.is_ready()


async def bench(stack: AsyncExitStack, name: str, database: str, processes: int) -> Bench:
    sandbox = Sandbox(shards=SHARDS, guilds=SHARDS)
    discord = await stack.enter_async_context(sandbox)
    discord.clock.freeze()  # so that slow answers are measured, not refused after 3 seconds
    discord.faults.rate_limits = False  # waiting would be measured too
    discord.limits.max_concurrency = SHARDS
    made = Bench(name, discord)
    await made.launch(stack, database, processes)
    await made.begin()
    return made


def report(found: Sequence[Bench], way: str) -> None:
    print(f"{IN_FLIGHT} picks in flight, over the {way}")
    first = found[0].rates[way]
    for one in found:
        ratio = statistics.median(a / b for a, b in zip(one.rates[way], first, strict=True))
        print(
            f"  {one.name:24} {statistics.median(one.rates[way]):6.0f} per second, "
            f"{statistics.median(one.costs[way]) * 1000:5.2f} ms of CPU each, "
            f"{ratio:4.2f} times SQLite"
        )


async def main(batches: int = BATCHES, most: int = 3) -> None:
    if binaries() is None:
        sys.exit(MISSING)
    kept = {"fsync": "on", "full_page_writes": "on", "synchronous_commit": "on"}
    cluster = Cluster(max_connections="200", **kept)
    async with AsyncExitStack() as stack:
        stack.callback(cluster.remove)
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        cluster.start()
        found = [await bench(stack, "SQLite", f"{folder}/bench.sqlite3", 1)]
        for processes in range(1, most + 1):
            name = f"PostgreSQL, {processes} processes"
            database = f"bench{processes}"
            cluster.make(database).close()
            address = cluster.address(database).get_secret_value()
            found.append(await bench(stack, name, address, processes))
        for turn in range(batches + 1):
            for way in ("gateway", "endpoint"):
                for one in found:
                    await one.batch(way, turn)
        for way in ("gateway", "endpoint"):
            report(found, way)


if __name__ == "__main__":
    asyncio.run(main(*map(int, sys.argv[1:])))
