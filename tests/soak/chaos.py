"""Random faults of Discord, one after another."""

import asyncio
import random
from collections import Counter

from sandbox import Fault, Sandbox

MESSAGES = r"^/(channels|interactions|webhooks|users/@me/channels)"
"""Paths of requests about what players see. Others get no faults: a start needs them."""

PAUSE_SECONDS = (0.1, 0.8)
"""Seconds between two faults."""

MAX_CLOSED = 2
"""How many people close their direct messages sometimes."""

SWITCH_SECONDS = (0.5, 3.0)
"""Seconds for which a fault that is a switch stays on."""


class Chaos:
    def __init__(self, discord: Sandbox, chance: random.Random) -> None:
        self.discord = discord
        self.chance = chance
        self.ordered: Counter[str] = Counter()
        """How often each fault happened, or was added for the next request that fits."""

    async def reign(self) -> None:
        """Cause one fault after another, forever."""
        happenings = (
            self._server_error,
            self._lost_answer,
            self._limit,
            self._slow,
            self._cut,
            self._gateway,
            self._switch,
            self._closed_messages,
            self._archived_thread,
        )
        while True:
            await self.chance.choice(happenings)()
            await asyncio.sleep(self.chance.uniform(*PAUSE_SECONDS))

    def end(self) -> None:
        """Clear all faults; people who closed their direct messages keep them closed."""
        self.discord.faults.clear()

    def _order(self, name: str, **fault: object) -> None:
        self.ordered[name] += 1
        method = self.chance.choice((None, "POST", "PATCH"))
        self.discord.faults.add(Fault(path=MESSAGES, method=method, **fault))

    async def _server_error(self) -> None:
        status = self.chance.choice((500, 502, 503, 504))
        self._order(f"{status}", status=status, times=self.chance.randint(1, 3))

    async def _lost_answer(self) -> None:
        status = self.chance.choice((500, 503))
        self._order(f"{status} although done", status=status, after=True)

    async def _limit(self) -> None:
        self._order("429", status=429, retry_after=self.chance.uniform(0.05, 1.0))

    async def _slow(self) -> None:
        after = self.chance.random() < 0.5
        self._order("slow answer", delay=self.chance.uniform(0.2, 4.0), after=after)

    async def _cut(self) -> None:
        after = self.chance.random() < 0.5
        name = "connection cut although done" if after else "connection cut"
        self._order(name, drop=True, after=after)

    async def _gateway(self) -> None:
        name = self.chance.choice(
            ("gateway dropped", "reconnect asked for", "session invalid", "session to be resumed")
        )
        self.ordered[name] += 1
        match name:
            case "gateway dropped":
                await self.discord.drop_connections()
            case "reconnect asked for":
                await self.discord.request_reconnect()
            case _:
                resumable = name == "session to be resumed"
                await self.discord.invalidate_sessions(resumable=resumable)

    async def _switch(self) -> None:
        """Turn a fault on for a while."""
        name, value = self.chance.choice(
            (
                ("deliver_twice", True),
                ("ignore_heartbeats", True),
                ("new_direct_messages", 1),
                ("quarantined", True),
            )
        )
        self.ordered[name.replace("_", " ")] += 1
        before = getattr(self.discord.faults, name)
        setattr(self.discord.faults, name, value)
        try:
            await asyncio.sleep(self.chance.uniform(*SWITCH_SECONDS))
        finally:
            setattr(self.discord.faults, name, before)

    async def _closed_messages(self) -> None:
        """Close or open someone's direct messages.

        Only those of some people: the bot doesn't try again for a day.
        """
        person = self.chance.choice(self.discord.clients[-MAX_CLOSED:])
        if person.closed or self.chance.random() < 0.3:
            person.closed = not person.closed
            self.ordered["direct messages closed or opened"] += 1

    async def _archived_thread(self) -> None:
        """Archive all threads, as a moderator can; a message reopens them."""
        world = self.discord.world
        for thread in world.guild.threads():
            if thread.thread is not None and not thread.thread.archived:
                world.archive_thread(thread)
                self.ordered["thread archived"] += 1
