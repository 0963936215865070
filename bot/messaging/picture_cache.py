"""Pictures, drawn once each in a worker and kept while they are likely to be asked for again."""

import asyncio

from cachetools import LRUCache

from bot.messaging.content import Picture
from bot.messaging.process_pool import ProcessPool

MAX_KEPT_BYTES = 16 * 1024 * 1024


class PictureCache:
    def __init__(self, workers: ProcessPool, kept_bytes: int = MAX_KEPT_BYTES) -> None:
        self._workers = workers
        self._drawn: LRUCache[str, bytes] = LRUCache(kept_bytes, getsizeof=len)
        self._drawing: dict[str, asyncio.Task[bytes]] = {}

    async def png(self, picture: Picture) -> bytes:
        """The picture as PNG; asked for twice at once, it is drawn once."""
        file = picture.file
        if file in self._drawn:
            return self._drawn[file]
        if file not in self._drawing:
            task = asyncio.create_task(self._draw(picture))
            self._drawing[file] = task
            task.add_done_callback(lambda _: self._drawing.pop(file, None))
        return await asyncio.shield(self._drawing[file])

    async def within(self, picture: Picture, seconds: float) -> bool:
        """Begin to draw a picture; whether it is drawn within so many seconds."""
        drawing = asyncio.ensure_future(self.png(picture))
        await asyncio.wait({drawing}, timeout=seconds)
        if drawing.done():
            return drawing.exception() is None
        drawing.cancel()  # only this wait for it: it goes on being drawn
        return False

    async def close(self) -> None:
        """Stop drawing: a worker is handed functions of cogs, which are gone once they unload."""
        drawing = list(self._drawing.values())
        for task in drawing:
            task.cancel()
        await asyncio.gather(*drawing, return_exceptions=True)

    async def _draw(self, picture: Picture) -> bytes:
        png = await self._workers.run(picture.draw, picture.subject)
        if len(png) <= self._drawn.maxsize:
            self._drawn[picture.file] = png
        return png
