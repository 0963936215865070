"""A process beside the event loop, as far as it matters for how much of it is asked at a time."""

import asyncio

from bot.computers.pool import SynchronousPool


class Busy(SynchronousPool):
    """Computes one thing after another, and counts for how much it is asked at a time."""

    def __init__(self):
        self.asked = self.most = 0

    async def run_within(self, seconds, work, *args):
        self.asked += 1
        self.most = max(self.most, self.asked)
        await asyncio.sleep(0)
        self.asked -= 1
        return await super().run_within(seconds, work, *args)
