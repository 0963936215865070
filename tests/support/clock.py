"""A clock that the tests move."""

import asyncio

from bot.storage.shards import Shards
from tests.support.match_records import record_of
from tests.support.matches import NOW

MINUTE, HOUR, DAY = 60, 60 * 60, 24 * 60 * 60
EVERY_SHARD = Shards(frozenset({0}), 1)


class Watch:
    """The time of the bot: seconds since 1970, standing still unless moved.

    The bot's pauses are waited for by it. Short ones move it, so that nobody has to; where it is
    held, and for long ones, a test has to let the time pass.
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
        """Whether anything goes on only once a test has let time pass."""
        return any(not woken.done() for _, woken in self._sleepers)

    def advance(self, seconds):
        self.now += seconds
        for due, woken in self._sleepers:
            if due <= self.now and not woken.done():
                woken.set_result(None)

    def set_back(self, seconds):
        """As somebody sets a machine's clock: who sleeps does so for no longer."""
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
    """Wait until the clock has looked at everything, and knows how long to sleep."""
    while clock._woken.is_set() or clock._asleep_until == float("inf"):
        await record_of(storage, 1)


def pass_time(watch, clock, seconds):
    watch.advance(seconds)
    clock.clock_moved()
