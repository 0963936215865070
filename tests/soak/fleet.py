"""Several processes of the bot on one database server; each can be killed or suspended."""

import asyncio
import re
from datetime import timedelta
from pathlib import Path

from sandbox import Sandbox
from tests.support.cluster import ServerDatabase
from tests.support.ports import free_port
from tests.support.processes import Process
from tests.support.sandboxes import quick_sandbox
from tests.support.waiting import until

JOINED = re.compile(r"process joined\W.*?\bprocess\W+(?:\x1b\[\d+m)*(\w{8})\b")
LOOK_SECONDS = 0.05

PATIENCE = timedelta(seconds=10)
"""How late an answer is still accepted: all processes share the cores of one machine, which is busy
while one of them starts. How late answers are is measured instead."""

HOLDERS = "SELECT number, holder FROM shards"
HELD = "SELECT holder, count(*) FROM shards WHERE holder IS NOT NULL GROUP BY holder"


def fleet_sandbox(shards: int) -> Sandbox:
    """A sandbox with a server for each shard, in which all shards can identify at once.

    Discord lets a bot with few servers identify once in 5 seconds, so the shards of a dead process
    would come back one after another. A bot that needs several processes has a higher limit, or
    uses the endpoint.
    """
    discord = quick_sandbox(shards=shards, guilds=shards, answer_within=PATIENCE)
    discord.limits.max_concurrency = shards
    return discord


class Fleet:
    """The `Bot` of a `Siege` that is several processes."""

    def __init__(self, discord: Sandbox, database: ServerDatabase, folder: Path, size: int) -> None:
        self.discord = discord
        self.database = database
        ports = [free_port() for _ in range(size)]
        self.members = [
            Process(discord, database, folder / f"bot-{n}.log", ENDPOINT_PORT=str(port))
            for n, port in enumerate(ports, start=1)
        ]
        self.urls = tuple(f"http://127.0.0.1:{port}/interactions" for port in ports)
        """The URL of each process's interactions endpoint."""

    @property
    def is_running(self) -> bool:
        return any(member.is_running for member in self.members)

    async def start(self) -> None:
        """Start all processes, and wait until they hold all shards, evenly."""
        await asyncio.gather(*(member.launch() for member in self.members))
        await self.settled()

    async def settled(self, patience: float = 120.0) -> None:
        """Return when every shard is connected and each process holds its part of them."""
        await until(self._is_settled, patience, pause=LOOK_SECONDS)

    def _is_settled(self) -> bool:
        for member in self.members:
            assert not member.has_ended, f"A bot has ended; see {member.log}."
        held = [count for _, count in self.database.ask(HELD)]
        return (
            len(held) == len(self.members)
            and max(held) - min(held) <= 1
            and sum(held) == self.discord.shards
            and self.discord.is_connected()
        )

    def name_of(self, member: Process) -> str:
        """The name of this process in the database since its last start."""
        return JOINED.findall(member.output)[-1]

    async def start_anew(self, member: Process) -> None:
        """Start a process that was killed, and wait until it has joined the others."""
        starts = len(JOINED.findall(member.output))
        await member.launch()
        while len(JOINED.findall(member.output)) == starts:
            assert not member.has_ended, f"A bot has ended; see {member.log}."
            await asyncio.sleep(LOOK_SECONDS)

    def held_by(self, name: str) -> set[int]:
        """The shards that this process holds according to the database."""
        return {number for number, holder in self.database.ask(HOLDERS) if holder == name}

    async def taken_over(self, name: str) -> None:
        """Return when each shard that this process holds now has been held by another one since."""
        left = self.held_by(name)
        while left:
            await asyncio.sleep(LOOK_SECONDS)
            others = {n for n, holder in self.database.ask(HOLDERS) if holder not in {name, None}}
            left -= others

    async def kill(self) -> None:
        """Kill all processes."""
        await asyncio.gather(*(m.kill() for m in self.members if m.is_running))

    async def stop(self) -> int:
        """Stop all processes by SIGTERM; the worst exit status."""
        return max([await member.stop() for member in self.members], key=abs)
