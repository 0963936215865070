"""Blocks everything that a click can wait for: processes, members, messages, the writer."""

import asyncio
from contextlib import AsyncExitStack, asynccontextmanager


class Halting:
    """A stand-in for a process that works at once, until it is `halted`; then it never answers."""

    halted = False

    async def run_within(self, seconds, work, *args):
        async with asyncio.timeout(seconds):
            await self._halt()
        return work(*args)

    async def _halt(self):
        if self.halted:
            await asyncio.Event().wait()


class Endless:
    """A stand-in for a process that never answers; `too_long` makes waiting calls time out."""

    def __init__(self):
        self.too_long = asyncio.Event()

    async def run_within(self, seconds, work, *args):
        del seconds, work, args
        await self.too_long.wait()
        raise TimeoutError


class HaltingDrawing(Halting):
    """Returns the first bytes of a PNG instead of drawing, which is most of the work of a match."""

    async def run(self, work, *args):
        del work, args
        await self._halt()
        return b"\x89PNG\r\n\x1a\n"


class HaltingComputers(Halting):
    crowd = 1

    async def run(self, seconds, work, *args, urgent=True):
        del urgent
        return await self.run_within(seconds, work, *args)

    async def wake(self):
        """Do nothing: there is nothing to load."""


async def _never(*args, **named):
    del args, named
    await asyncio.Event().wait()


@asynccontextmanager
async def standstill(table, pools, monkeypatch, *, defer_after):
    """Within the block, no process answers, no member is found, and no message or row can change.

    Processes and queries for members don't answer after the block either.
    """
    for pool in pools:
        pool.halted = True
    services = table.bot.services
    services.router._defer_after = defer_after
    services.delivery.pictures._drawn.clear()
    services.leaderboards._members._known.clear()
    monkeypatch.setattr("discord.Guild.query_members", _never)
    async with AsyncExitStack() as held:
        await held.enter_async_context(services.storage._writer._line)
        for slots in services.live.slots._matches.values():
            for slot in slots.values():
                await held.enter_async_context(slot.lock)
        yield
