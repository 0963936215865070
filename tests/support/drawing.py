"""Stand-ins for the drawing processes: drawing is most of the work of a match."""

import asyncio


class Threads:
    """Draws in a thread, because processes start slowly; for tests of what is sent."""

    async def run(self, work, *args):
        return await asyncio.to_thread(work, *args)


class Held(Threads):
    """Draws in a thread, but only while `free` is set, as it is at first."""

    def __init__(self):
        self.free = asyncio.Event()
        self.free.set()

    async def run(self, work, *args):
        await self.free.wait()
        return await super().run(work, *args)


class Blank:
    """Returns the first bytes of a PNG instead of drawing, for tests that look at no pictures."""

    async def run(self, work, *args):
        del work, args
        return b"\x89PNG\r\n\x1a\n"
