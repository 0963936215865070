"""A clock that the tests move."""

from bot.storage.deadlines import Shards
from tests.support.match_records import record_of
from tests.support.matches import NOW

MINUTE, HOUR, DAY = 60, 60 * 60, 24 * 60 * 60
EVERY_SHARD = Shards(frozenset({0}), 1)


class Watch:
    """The time of the bot: seconds since 1970, standing still unless moved."""

    def __init__(self, now=NOW):
        self.now = now

    def __call__(self):
        return self.now

    def advance(self, seconds):
        self.now += seconds


async def asleep(clock, storage):
    """Wait until the clock has looked at everything, and knows how long to sleep."""
    while clock._woken.is_set() or clock._asleep_until == float("inf"):
        await record_of(storage, 1)


def pass_time(watch, clock, seconds):
    watch.advance(seconds)
    clock.wake()
