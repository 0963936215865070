"""Several processes of the bot on one database server, each killed or stopped by itself."""

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
"""How long an answer may take here: all processes share the cores of one machine, which is busy
while one of them starts. How long it takes is measured."""

HOLDERS = "SELECT number, holder FROM shards"
HELD = "SELECT holder, count(*) FROM shards WHERE holder IS NOT NULL GROUP BY holder"


def fleet_sandbox(shards: int) -> Sandbox:
    """A Discord with a server for each shard, where all may identify at once.

    To a bot with few servers Discord grants one identify in 5 seconds, so that shards of a dead
    process would come back one after the other; by then there are hundreds of shards, or the
    endpoint.
    """
    discord = quick_sandbox(shards=shards, guilds=shards, answer_within=PATIENCE)
    discord.limits.max_concurrency = shards
    return discord


class Fleet:
    """What a `Siege` besieges where the bot is several processes."""

    def __init__(self, discord: Sandbox, database: ServerDatabase, folder: Path, size: int) -> None:
        self.discord = discord
        self.database = database
        ports = [free_port() for _ in range(size)]
        self.members = [
            Process(discord, database, folder / f"bot-{n}.log", ENDPOINT_PORT=str(port))
            for n, port in enumerate(ports, start=1)
        ]
        self.urls = tuple(f"http://127.0.0.1:{port}/interactions" for port in ports)
        """Where each takes interactions."""

    @property
    def is_running(self) -> bool:
        return any(member.is_running for member in self.members)

    async def start(self) -> None:
        """Start all, and wait until they hold all shards between them, evenly."""
        await asyncio.gather(*(member.launch() for member in self.members))
        await self.settled()

    async def settled(self, patience: float = 120.0) -> None:
        """Return when every shard is connected and each process holds its part."""
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
        """What this process calls itself in the database since its last start."""
        return JOINED.findall(member.output)[-1]

    async def start_anew(self, member: Process) -> None:
        """Start one that was killed, and wait until it has joined the others."""
        starts = len(JOINED.findall(member.output))
        await member.launch()
        while len(JOINED.findall(member.output)) == starts:
            assert not member.has_ended, f"A bot has ended; see {member.log}."
            await asyncio.sleep(LOOK_SECONDS)

    def held_by(self, name: str) -> set[int]:
        """The shards that are this process's, by the database."""
        return {number for number, holder in self.database.ask(HOLDERS) if holder == name}

    async def taken_over(self, name: str) -> None:
        """Return when others hold, or have held, each shard that this process holds now."""
        left = self.held_by(name)
        while left:
            await asyncio.sleep(LOOK_SECONDS)
            others = {n for n, holder in self.database.ask(HOLDERS) if holder not in {name, None}}
            left -= others

    async def kill(self) -> None:
        """End all as a power cut would."""
        await asyncio.gather(*(m.kill() for m in self.members if m.is_running))

    async def stop(self) -> int:
        """Ask all to end; the worst exit status."""
        return max([await member.stop() for member in self.members], key=abs)
