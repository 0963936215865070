"""A siege of several processes: each time, one is killed, or suspended beyond its lease."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

from bot.cluster.leases import LEASE_SECONDS
from bot.storage import TABLE
from sandbox import Sandbox
from tests.soak import database_checks
from tests.soak.fleet import Fleet
from tests.soak.measurements import Lags, Probes
from tests.soak.opener import Sitting
from tests.soak.siege import Siege
from tests.support.processes import Process

SUSPENSION_CHANCE = 0.15
"""The probability that a process is suspended and continued instead of killed."""

MAX_ANSWER_SECONDS = 20.0
MAX_BEHIND_SECONDS = 30.0
"""Seconds that the project promises: until clicks are answered, and until tables are up to date."""

THINKING_SECONDS = 1.0
"""Seconds between two actions of a player."""

GIVEN_UP_SECONDS = 120.0
"""Seconds after which the measurement of an answer or a takeover is given up."""


class FleetSiege(Siege):
    """People play in all servers, and keep clicking while a process is dead."""

    def __init__(
        self,
        discord: Sandbox,
        fleet: Fleet,
        sittings: Sequence[Sitting],
        *,
        seed: int,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        """`tell` is called with a line about each death and its consequences."""
        spread_out = _spread_over_servers(discord, sittings)
        super().__init__(
            discord, fleet, spread_out, seed=seed, thinks=THINKING_SECONDS, reachable=lambda: True
        )
        self.fleet = fleet
        self._tell = tell
        self.probes = Probes(discord, discord.person("Ann"))
        self.lags = Lags(fleet.database, discord.shards)
        self.answered: dict[str, list[float]] = {}
        """Seconds from each death until clicks in all servers were answered, by kind of death."""

        self.late: list[str] = []
        """What took longer than promised, one sentence each."""

        self.taken_over: list[float] = []
        """Seconds from each death until other processes had taken over all its shards."""

    async def kill(self, times: int) -> None:
        watching = asyncio.create_task(self.lags.watch())
        try:
            await super().kill(times)
        finally:
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)

    async def _interrupt(self, game: str) -> None:
        await self._random_moment(game)
        by_endpoint = self.chance.random() < 0.5
        self.discord.endpoint.urls = self.fleet.urls if by_endpoint else ()
        victim = self.chance.choice(self.fleet.members)
        self._note_kill(game)
        way = "by endpoint" if by_endpoint else "by gateway"
        if self.chance.random() < SUSPENSION_CHANCE:
            await self._suspend(victim, way)
        else:
            await self._kill(victim, way)
        self.tally.lose(database_checks.lost_choices(self.fleet.database, self.record))

    async def _kill(self, victim: Process, way: str) -> None:
        name = self.fleet.name_of(victim)
        watching = [asyncio.create_task(work) for work in self._watches(name, f"killed, {way}")]
        await victim.kill()
        self._note_death(name)
        await asyncio.gather(self.fleet.start_anew(victim), *watching)

    async def _suspend(self, victim: Process, way: str) -> None:
        name = self.fleet.name_of(victim)
        watching = [asyncio.create_task(work) for work in self._watches(name, f"stopped, {way}")]
        victim.suspend()
        self._note_death(name)
        await asyncio.sleep(LEASE_SECONDS + self.chance.uniform(3.0, 8.0))  # while suspended
        victim.go_on()
        await asyncio.gather(*watching)

    def _note_death(self, name: str) -> None:
        self.lags.died(self.fleet.held_by(name), asyncio.get_running_loop().time())

    def _watches(self, name: str, what: str):
        yield self._until_answered(what)
        yield self._until_taken_over(name)

    async def _until_answered(self, what: str) -> None:
        try:
            async with asyncio.timeout(GIVEN_UP_SECONDS):
                seconds = max(await self.probes.answered())
        except TimeoutError:
            seconds = GIVEN_UP_SECONDS
        self.answered.setdefault(what, []).append(seconds)
        self._tell(f"{what}: answered after {seconds:.1f} s")
        if seconds > MAX_ANSWER_SECONDS:
            self.late.append(f"{what}: clicks were answered again after {seconds:.1f} s")

    async def _until_taken_over(self, name: str) -> None:
        clock = asyncio.get_running_loop().time
        began = clock()
        async with asyncio.timeout(GIVEN_UP_SECONDS):
            await self.fleet.taken_over(name)
        self.taken_over.append(clock() - began)

    async def end(self) -> None:
        await self.fleet.settled()
        await super().end()
        self.late += [
            f"the table of match {match} was behind for {seconds:.0f} s after the last death"
            for (match, place), seconds in self.lags.worst_since_death.items()
            if place == TABLE and seconds > MAX_BEHIND_SECONDS
        ]


def _spread_over_servers(discord: Sandbox, sittings: Sequence[Sitting]) -> list[Sitting]:
    """The same sittings, distributed over all servers in turn."""
    channels = [next(iter(g.text_channels())).id for g in discord.world.guilds.values()]
    return [replace(s, channel=channels[n % len(channels)]) for n, s in enumerate(sittings)]
