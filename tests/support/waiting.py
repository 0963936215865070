"""Waiting for what nobody tells: a row, a file, what somebody has in memory."""

import asyncio


async def until(holds, seconds=20.0, *, pause=0.01):
    """Return once this is so; without a pause the event loop goes on in between, and no more."""
    async with asyncio.timeout(seconds):
        while not holds():  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(pause)
