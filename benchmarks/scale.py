"""100,000 servers on 40 shards in three processes: seconds until all are loaded, memory, requests.

`python -m benchmarks.scale [SERVERS] [SHARDS] [PROCESSES]` runs real processes on its own
PostgreSQL server, against a sandbox in this process that creates each server when it's sent, with
20 channels and 10 roles. First, one shard identifies every 5 seconds, which is Discord's limit for
bots in fewer than 150,000 servers; then again 16 at a time, to show the time without that wait. The
processes share the cores with the sandbox and the database server.
"""

import asyncio
import re
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import aiohttp

from benchmarks.picks import cpu_of
from sandbox import Sandbox
from sandbox.world import GUILD_ID, World
from tests.support.cluster import MISSING, Cluster, binaries, made
from tests.support.ports import free_port
from tests.support.processes import Process

CHANNELS: Final = 20
ROLES: Final = 10
AT_ONCE: Final = (1, 16)
LOOK_SECONDS: Final = 0.5
SERVERS_METRIC: Final = re.compile(r"^facedown_servers (\S+)", re.MULTILINE)


@dataclass(frozen=True)
class Server:
    """A server as a shard gets it; except for its id, it's the same as all others."""

    id: int
    template: dict[str, Any]

    def arrival(self, bot: int) -> dict[str, Any]:
        """The JSON of GUILD_CREATE."""
        del bot
        own, *roles = self.template["roles"]
        number = str(self.id)
        return {**self.template, "id": number, "roles": [{**own, "id": number}, *roles]}


class Crowd:
    """Many servers with consecutive ids, so that each shard has the same number of them."""

    def __init__(self, world: World, servers: int) -> None:
        guild = world.guild
        for n in range(CHANNELS):
            world.add_channel(f"channel-{n}", guild=guild)
        arrival = guild.arrival(world.bot.id)
        role = arrival["roles"][0]
        more = [{**role, "id": str(guild.id + 100 + n), "name": f"Role {n}"} for n in range(ROLES)]
        self._template = {**arrival, "roles": [role, *more]}
        self._numbers = range(GUILD_ID, GUILD_ID + (servers << 22), 1 << 22)

    def guilds(self, has: Callable[[int], bool] = lambda _: True) -> list[Server]:
        """The servers whose ids are wanted; replaces `World.bot_guilds`."""
        return [Server(number, self._template) for number in self._numbers if has(number)]


def memory(process: int) -> float:
    """The resident memory of a process, in MB."""
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{process}/status").read_text())
    assert found is not None
    return int(found[1]) / 1024


async def known(ports: Sequence[int]) -> list[int]:
    """How many servers each process has loaded, by its `/metrics`; -1 if it doesn't answer yet."""

    async def ask(session: aiohttp.ClientSession, port: int) -> int:
        try:
            async with session.get(f"http://127.0.0.1:{port}/metrics") as answer:
                found = SERVERS_METRIC.search(await answer.text())
                return -1 if found is None else int(float(found[1]))
        except (aiohttp.ClientError, TimeoutError):
            return -1

    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=30)) as session:
        return list(await asyncio.gather(*(ask(session, port) for port in ports)))


async def measured(
    cluster: Cluster, servers: int, shards: int, processes: int, at_once: int
) -> None:
    database = await asyncio.to_thread(made, cluster)
    ports = [free_port() for _ in range(processes)]
    async with Sandbox(shards=shards) as discord:
        discord.clock.freeze()
        discord.limits.max_concurrency = at_once
        discord.world.bot_guilds = Crowd(discord.world, servers).guilds  # type: ignore[method-assign, assignment]
        with tempfile.TemporaryDirectory() as folder:
            bots = [
                Process(discord, database, Path(folder) / f"{port}.log", METRICS_PORT=str(port))
                for port in ports
            ]
            began = time.monotonic()
            try:
                await asyncio.gather(*(bot.launch() for bot in bots))
                while sum(there := await known(ports)) < servers:
                    assert not any(bot.has_ended for bot in bots), bots[0].output
                    await asyncio.sleep(LOOK_SECONDS)
                seconds = time.monotonic() - began
                print(
                    f"{servers} servers, {shards} shards, {processes} processes, "
                    f"{at_once} identifying at once: all loaded after {seconds:.0f} s"
                )
                print(
                    f"  requests until then: {len(discord.requests)}, "
                    f"{sum(request.counted for request in discord.requests)} of them counted"
                )
                for number, (bot, has) in enumerate(zip(bots, there, strict=True), start=1):
                    pid = bot.pid
                    print(
                        f"  process {number}: {has} servers, {memory(pid):.0f} MB, "
                        f"{cpu_of(pid):.0f} s of CPU; {len(bot.children())} children with "
                        f"{sum(map(memory, bot.children())):.0f} MB"
                    )
            finally:
                await asyncio.gather(*(bot.clear_away() for bot in bots))
    database.client.close()
    cluster.drop("facedown")


async def main(servers: int = 100_000, shards: int = 40, processes: int = 3) -> None:
    if binaries() is None:
        sys.exit(MISSING)
    cluster = Cluster()
    cluster.start()
    try:
        for at_once in AT_ONCE:
            await measured(cluster, servers, shards, processes, at_once)
    finally:
        cluster.remove()


if __name__ == "__main__":
    asyncio.run(main(*map(int, sys.argv[1:])))
