"""A storage that counts how it is used, and lets a test interfere."""

import asyncio
from contextlib import asynccontextmanager


class Counted:
    def __init__(self, storage):
        self.storage = storage
        self.batches = []
        """The picks of each batch, as lists of (match, seat, move)."""

        self.transactions = 0
        """How many write transactions there were besides the batches of picks."""

        self.readings = 0
        self.before = []
        """Async functions; each next batch of picks calls and removes one before it is written."""

        self.breaks = []
        """Errors; each next transaction raises and removes one instead of committing."""

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
        """Hold the next batch of picks; one event says that it has begun, one lets it continue."""
        begun, goes_on = asyncio.Event(), asyncio.Event()

        async def wait():
            begun.set()
            await goes_on.wait()

        self.before.append(wait)
        return begun, goes_on
