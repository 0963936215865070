"""A call that a test can hold for as long as it needs."""

import asyncio


class HeldCalls:
    """Replaces a method: the first call that `about` accepts waits until `let_through`."""

    def __init__(self, monkeypatch, owner, method, *, about=lambda *_, **__: True):
        self._call = getattr(owner, method)
        self._about = about
        self._reached, self._free, self._over = (asyncio.Event() for _ in range(3))
        monkeypatch.setattr(owner, method, self)

    async def __call__(self, *args, **named):
        if not self._reached.is_set() and self._about(*args, **named):
            self._reached.set()
            await self._free.wait()
            try:
                return await self._call(*args, **named)
            finally:
                self._over.set()
        return await self._call(*args, **named)

    async def reached(self):
        async with asyncio.timeout(20):
            await self._reached.wait()

    def let_through(self):
        self._free.set()

    async def over(self):
        """Return when the held call has ended."""
        async with asyncio.timeout(20):
            await self._over.wait()
