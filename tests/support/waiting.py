"""Waiting for what nobody tells: a row, a file, what somebody has in memory."""

import asyncio
import threading


async def until(holds, seconds=20.0, *, pause=0.01):
    """Return once this is so; without a pause the event loop goes on in between, and no more."""
    async with asyncio.timeout(seconds):
        while not holds():  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(pause)


async def answered(answering):
    """The message of an answer, once it says what it has to say."""
    return (await (await answering).settled()).message


async def with_others_going_on(monkeypatch, module, work, answer):
    """The answer for which this function of a module is called, once others went on meanwhile."""
    begun, went_on, done = threading.Event(), threading.Event(), getattr(module, work)

    def slowly(*about):
        begun.set()
        assert went_on.wait(20)
        return done(*about)

    monkeypatch.setattr(module, work, slowly)
    asked = asyncio.create_task(answer)
    await until(begun.is_set, 30)
    went_on.set()
    return await asked
