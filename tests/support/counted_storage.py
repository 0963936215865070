"""The storage, with what was asked of it counted, and with what is to happen meanwhile."""

import asyncio
from contextlib import asynccontextmanager


class Counted:
    def __init__(self, storage):
        self.storage = storage
        self.batches = []
        """The picks of each batch."""

        self.transactions = 0
        """How many others wrote."""

        self.readings = 0
        self.before = []
        """What happens, once each, before the next batches of picks are written."""

        self.breaks = []
        """What goes wrong in the next transactions when they are to be committed."""

    def __getattr__(self, name):
        return getattr(self.storage, name)

    @asynccontextmanager
    async def transaction(self):
        self.transactions += 1
        async with self.storage.transaction() as writing:
            yield writing
            if self.breaks:
                raise self.breaks.pop(0)

    def reading(self, **how):
        self.readings += 1
        return self.storage.reading(**how)

    async def pick(self, batch):
        self.batches.append([(p.match, p.seat, p.move) for p in batch])
        if self.before:
            await self.before.pop(0)()
        return await self.storage.pick(batch)

    def hold_next_batch(self):
        """Two events: the next batch of picks is under way, and may go on."""
        begun, goes_on = asyncio.Event(), asyncio.Event()

        async def wait():
            begun.set()
            await goes_on.wait()

        self.before.append(wait)
        return begun, goes_on
