"""A clock that only moves when a test moves it."""

import asyncio

from bot.storage.shards import Shards
from tests.support.match_records import record_of
from tests.support.matches import NOW

MINUTE, HOUR, DAY = 60, 60 * 60, 24 * 60 * 60
EVERY_SHARD = Shards(frozenset({0}), 1)


class Watch:
    """The bot's clock, in Unix time; it stands still unless moved.

    `sleep` stands in for `asyncio.sleep`. A sleep of at most `SHORT` seconds returns at once and
    moves the clock, unless `held` is set; a longer one lasts until a test advances the clock.
    """

    SHORT = 10

    def __init__(self, now=NOW):
        self.now = now
        self.held = False
        self._sleepers = []

    def __call__(self):
        return self.now

    @property
    def is_awaited(self):
        """Whether a sleep lasts until the test advances the clock."""
        return any(not woken.done() for _, woken in self._sleepers)

    def advance(self, seconds):
        self.now += seconds
        for due, woken in self._sleepers:
            if due <= self.now and not woken.done():
                woken.set_result(None)

    def set_back(self, seconds):
        """Set the clock back, as an admin does; sleeps don't get longer."""
        self.now -= seconds
        self._sleepers = [(due - seconds, woken) for due, woken in self._sleepers]

    async def sleep(self, seconds):
        if seconds <= self.SHORT and not self.held:
            await asyncio.sleep(0)
            self.now += seconds
            return
        woken = asyncio.get_running_loop().create_future()
        self._sleepers.append((self.now + seconds, woken))
        try:
            await woken
        finally:
            self._sleepers = [each for each in self._sleepers if each[1] is not woken]


async def asleep(clock, storage):
    """Wait until the deadline loop (`clock`) has handled all that is due and is asleep."""
    while clock._woken.is_set() or clock._asleep_until == float("inf"):
        await record_of(storage, 1)


def pass_time(watch, clock, seconds):
    watch.advance(seconds)
    clock.clock_moved()
