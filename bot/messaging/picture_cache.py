"""Pictures, drawn once each in a worker and kept while they are likely to be asked for again."""

import asyncio
from typing import Final

from cachetools import LRUCache

from bot.messaging.content import Picture
from bot.messaging.process_pool import ProcessPool

MAX_KEPT_BYTES = 16 * 1024 * 1024

SHARE: Final = 0.2
"""What the newest drawing counts for in what one is expected to take."""


class PictureCache:
    def __init__(self, workers: ProcessPool, kept_bytes: int = MAX_KEPT_BYTES) -> None:
        self._workers = workers
        self._drawn: LRUCache[str, bytes] = LRUCache(kept_bytes, getsizeof=len)
        self._drawing: dict[str, asyncio.Task[bytes]] = {}
        self._each = 0.0
        """Seconds that a picture took lately, for each that was in the line with it."""

    def has(self, picture: Picture) -> bool:
        """Whether it is drawn and kept."""
        return picture.file in self._drawn

    async def png(self, picture: Picture) -> bytes:
        """The picture as PNG; asked for twice at once, it is drawn once."""
        if picture.file in self._drawn:
            return self._drawn[picture.file]
        return await asyncio.shield(self.begin(picture))

    def begin(self, picture: Picture) -> asyncio.Task[bytes]:
        """Let a picture be drawn after those that were begun before; to be shielded."""
        file = picture.file
        if file not in self._drawing:
            task = asyncio.create_task(self._draw(picture, len(self._drawing) + 1))
            self._drawing[file] = task
            task.add_done_callback(lambda _: self._drawing.pop(file, None))
        return self._drawing[file]

    async def within(self, picture: Picture, seconds: float) -> bool:
        """Begin to draw a picture; whether it is drawn within so many seconds.

        Where the line is so long that it can't be, this is known at once.
        """
        if self.has(picture):
            return True
        is_prompt = picture.file in self._drawing or self._expected() <= seconds
        drawing = self.begin(picture)
        if is_prompt:
            await asyncio.wait({drawing}, timeout=seconds)
        return drawing.done() and drawing.exception() is None

    def _expected(self) -> float:
        """Seconds until a picture is drawn that is begun now."""
        return self._each * (len(self._drawing) + 1)

    async def close(self) -> None:
        """Stop drawing: a worker is handed functions of cogs, which are gone once they unload."""
        drawing = list(self._drawing.values())
        for task in drawing:
            task.cancel()
        await asyncio.gather(*drawing, return_exceptions=True)

    async def _draw(self, picture: Picture, nth: int) -> bytes:
        clock = asyncio.get_running_loop().time
        began = clock()
        png = await self._workers.run(picture.draw, picture.subject)
        self._each += SHARE * ((clock() - began) / nth - self._each)
        if len(png) <= self._drawn.maxsize:
            self._drawn[picture.file] = png
        return png
