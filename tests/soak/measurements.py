"""Measures a bot of several processes: time until answers after a death, and messages behind."""

import asyncio
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from bot.cluster.share import shard_of
from sandbox import Client, Sandbox
from sandbox.guilds import Channel
from tests.soak.database_checks import Database, rows

ASKING = "vacation left"
"""The probes' command, which reads one row and answers privately."""

RETRY_SECONDS = 0.5
"""Seconds after which an unanswered probe asks again; an answer may still come."""

LOOK_SECONDS = 1.0

SHOWN = (
    "SELECT m.id, m.guild, m.step, p.place, p.shown FROM matches m JOIN places p ON p.match = m.id "
    "WHERE m.status = 'running' AND m.state IS NOT NULL"
)

STEP = re.compile(r"running[^.]*\.(\d+)\.")
"""The beginning of `places.shown` of a running match, with its step; see `MatchSnapshot.stage`."""


@dataclass(frozen=True)
class Probes:
    """A person who asks in every server until they are answered."""

    discord: Sandbox
    person: Client

    async def answered(self) -> list[float]:
        """Seconds until the first answer in each server."""
        places = [next(iter(g.text_channels())) for g in self.discord.world.guilds.values()]
        return list(await asyncio.gather(*(self._answered(place) for place in places)))

    async def _answered(self, place: Channel) -> float:
        clock = asyncio.get_running_loop().time
        began, asking = clock(), set()
        try:
            while True:
                asking.add(asyncio.create_task(self.person.slash(ASKING, channel=place)))
                done, asking = await asyncio.wait(
                    asking, timeout=RETRY_SECONDS, return_when=asyncio.FIRST_COMPLETED
                )
                if any("vacation" in task.result().text for task in done):
                    return clock() - began
        finally:
            for task in asking:
                task.cancel()


@dataclass
class Lags:
    """Measures how long messages of running matches show an earlier step, by their rows.

    Not by the revisions in the rows, which are stored only when a whole match has been shown.
    """

    database: Database
    shards: int
    worst: dict[tuple[int, int], float] = field(default_factory=dict)
    """The longest delay after the end of a step, by (match, place); in steps of `LOOK_SECONDS`."""

    worst_since_death: dict[tuple[int, int], float] = field(default_factory=dict)
    """The same, but measured from the last death of the process that had to show the step, because
    its successor may be killed as well."""

    _died: dict[int, float] = field(default_factory=dict)
    """By shard: the loop time at which the last process that held it died."""

    _step: dict[int, int] = field(default_factory=dict)
    _ended: dict[int, dict[int, float]] = field(default_factory=dict)
    """By match: the loop time at which each step was found to be over."""

    async def watch(self) -> None:
        """Look once a second, forever."""
        while True:
            self.look(asyncio.get_running_loop().time())
            await asyncio.sleep(LOOK_SECONDS)

    def died(self, shards: Iterable[int], now: float) -> None:
        """Record that the process that held these shards has died or was suspended."""
        self._died |= dict.fromkeys(shards, now)

    def look(self, now: float) -> None:
        for match, guild, step, place, key in rows(self.database, SHOWN):
            ended = self._ended.setdefault(match, {})
            if self._step.setdefault(match, step) != step:
                ended[self._step[match]] = now
                self._step[match] = step
            ended.pop(step, None)  # a step that was taken back is played again
            shown = STEP.match(key)
            if shown is None:  # to be posted again, or not begun
                continue
            number = int(shown[1])
            since = now if number == step else ended.setdefault(number, now)
            died = self._died.get(shard_of(guild, self.shards), since)
            for worst, began in ((self.worst, since), (self.worst_since_death, max(since, died))):
                worst[match, place] = max(worst.get((match, place), 0.0), now - began)


def spread(seconds: Sequence[float]) -> str:
    """The median, the 90th and 99th percentile and the maximum, as text."""
    if not seconds:
        return "none"
    each = sorted(seconds)
    at = [each[min(len(each) - 1, int(len(each) * part))] for part in (0.5, 0.9, 0.99)]
    return "median {:.1f} s, 90% {:.1f} s, 99% {:.1f} s, most {:.1f} s".format(*at, each[-1])
