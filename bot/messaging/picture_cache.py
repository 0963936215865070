"""Pictures, each drawn once in a worker process and kept as PNG while likely to be used again."""

import asyncio
from typing import Final

from cachetools import LRUCache

from bot.messaging.content import Picture
from bot.messaging.process_pool import ProcessPool

MAX_KEPT_BYTES = 16 * 1024 * 1024

NEWEST_WEIGHT: Final = 0.2
"""Weight of the newest drawing in the average that the expected time is computed from."""


class PictureCache:
    def __init__(self, workers: ProcessPool, kept_bytes: int = MAX_KEPT_BYTES) -> None:
        self._workers = workers
        self._drawn: LRUCache[str, bytes] = LRUCache(kept_bytes, getsizeof=len)
        self._drawing: dict[str, asyncio.Task[bytes]] = {}
        self._each = 0.0
        """Average of the seconds that recent pictures took, each divided by its position in the
        line."""

    def has(self, picture: Picture) -> bool:
        """Whether the picture is drawn and kept."""
        return picture.file in self._drawn

    async def png(self, picture: Picture) -> bytes:
        """The picture as PNG; if it's asked for twice at once, it is drawn once."""
        if picture.file in self._drawn:
            return self._drawn[picture.file]
        return await asyncio.shield(self.begin(picture))

    def begin(self, picture: Picture) -> asyncio.Task[bytes]:
        """Queue a picture behind those that were begun before; callers must shield the task."""
        file = picture.file
        if file not in self._drawing:
            task = asyncio.create_task(self._draw(picture, len(self._drawing) + 1))
            self._drawing[file] = task
            task.add_done_callback(lambda _: self._drawing.pop(file, None))
        return self._drawing[file]

    async def within(self, picture: Picture, seconds: float) -> bool:
        """Begin to draw a picture; returns whether it's drawn within this many seconds.

        Returns at once if the line is too long for that.
        """
        if self.has(picture):
            return True
        is_prompt = picture.file in self._drawing or self._expected() <= seconds
        drawing = self.begin(picture)
        if is_prompt:
            await asyncio.wait({drawing}, timeout=seconds)
        return drawing.done() and drawing.exception() is None

    def _expected(self) -> float:
        """Expected seconds until a picture begun now would be drawn."""
        return self._each * (len(self._drawing) + 1)

    async def close(self) -> None:
        """Stop drawing: workers call functions of cogs, which are gone once those unload."""
        drawing = list(self._drawing.values())
        for task in drawing:
            task.cancel()
        await asyncio.gather(*drawing, return_exceptions=True)

    async def _draw(self, picture: Picture, nth: int) -> bytes:
        clock = asyncio.get_running_loop().time
        began = clock()
        png = await self._workers.run(picture.draw, picture.subject)
        self._each += NEWEST_WEIGHT * ((clock() - began) / nth - self._each)
        if len(png) <= self._drawn.maxsize:
            self._drawn[picture.file] = png
        return png
