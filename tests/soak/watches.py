"""What is timed of a bot of several processes: answers after a death, and messages behind."""

import asyncio
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from bot.cluster.share import shard_of
from sandbox import Client, Sandbox
from sandbox.guilds import Channel
from tests.soak.truth import Database, rows

ASKING = "vacation left"
"""A command that reads one row and answers privately."""

EVERY_SECONDS = 0.5
"""Who is not answered asks again after these, though an answer may still come."""

LOOK_SECONDS = 1.0

SHOWN = (
    "SELECT m.id, m.guild, m.step, p.place, p.shown FROM matches m JOIN places p ON p.match = m.id "
    "WHERE m.status = 'running' AND m.state IS NOT NULL"
)

STEP = re.compile(r"running[^.]*\.(\d+)\.")
"""How the key begins of what a message shows: with the step, see `MatchSnapshot.stage`."""


@dataclass(frozen=True)
class Probes:
    """Somebody in each server, who asks until they are answered."""

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
                    asking, timeout=EVERY_SECONDS, return_when=asyncio.FIRST_COMPLETED
                )
                if any("vacation" in task.result().text for task in done):
                    return clock() - began
        finally:
            for task in asking:
                task.cancel()


@dataclass
class Lags:
    """For how long messages of running matches still show an earlier step, by their rows.

    Not by the revisions of messages: those are noted once a whole match is shown.
    """

    database: Database
    shards: int
    worst: dict[tuple[int, int], float] = field(default_factory=dict)
    """Seconds since the step was over, by match and place; in steps of `LOOK_SECONDS`."""

    worst_since_death: dict[tuple[int, int], float] = field(default_factory=dict)
    """The same, counted anew from each death of the process that had to show it: whoever is to do
    so next may be killed as well before it could."""

    _died: dict[int, float] = field(default_factory=dict)
    """By shard: when the last process died that held it."""

    _step: dict[int, int] = field(default_factory=dict)
    _ended: dict[int, dict[int, float]] = field(default_factory=dict)
    """By match: when each step was seen to be over."""

    async def watch(self) -> None:
        """Go on for ever."""
        while True:
            self.look(asyncio.get_running_loop().time())
            await asyncio.sleep(LOOK_SECONDS)

    def died(self, shards: Iterable[int], now: float) -> None:
        """The process that held these has died, or stands still."""
        self._died |= dict.fromkeys(shards, now)

    def look(self, now: float) -> None:
        for match, guild, step, place, key in rows(self.database, SHOWN):
            ended = self._ended.setdefault(match, {})
            if self._step.setdefault(match, step) != step:
                ended[self._step[match]] = now
                self._step[match] = step
            ended.pop(step, None)  # a step that was taken back is played again
            shown = STEP.match(key)
            if shown is None:  # to be shown anew, or not begun
                continue
            number = int(shown[1])
            since = now if number == step else ended.setdefault(number, now)
            died = self._died.get(shard_of(guild, self.shards), since)
            for worst, began in ((self.worst, since), (self.worst_since_death, max(since, died))):
                worst[match, place] = max(worst.get((match, place), 0.0), now - began)


def spread(seconds: Sequence[float]) -> str:
    """How numbers of seconds are distributed."""
    if not seconds:
        return "none"
    each = sorted(seconds)
    at = [each[min(len(each) - 1, int(len(each) * part))] for part in (0.5, 0.9, 0.99)]
    return "median {:.1f} s, 90% {:.1f} s, 99% {:.1f} s, most {:.1f} s".format(*at, each[-1])
