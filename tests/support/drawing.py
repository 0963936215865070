"""What stands in for the processes that draw: drawing is most of the work of a match."""

import asyncio


class Threads:
    """Draws in a thread: what is tested here is what is sent, and processes start slowly."""

    async def run(self, work, *args):
        return await asyncio.to_thread(work, *args)


class Held(Threads):
    """Draws nothing until it is let go."""

    def __init__(self):
        self.free = asyncio.Event()
        self.free.set()

    async def run(self, work, *args):
        await self.free.wait()
        return await super().run(work, *args)


class Blank:
    """Draws nothing: most tests look at words and buttons, and drawing is most of the work."""

    async def run(self, work, *args):
        del work, args
        return b"\x89PNG\r\n\x1a\n"
