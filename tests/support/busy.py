"""A stand-in for a worker process that records how many tasks it is given at the same time."""

import asyncio

from bot.computers.pool import SynchronousPool


class Busy(SynchronousPool):
    """Runs work in the event loop; `most` is the largest number of calls in progress at once."""

    def __init__(self):
        self.asked = self.most = 0

    async def run_within(self, seconds, work, *args):
        self.asked += 1
        self.most = max(self.most, self.asked)
        await asyncio.sleep(0)
        self.asked -= 1
        return await super().run_within(seconds, work, *args)
