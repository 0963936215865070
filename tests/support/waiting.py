"""Waiting for conditions that can only be polled: a row, a file, an object's memory."""

import asyncio
import threading


async def until(holds, seconds=20.0, *, pause=0.01):
    """Return once `holds()`; TimeoutError after so many seconds.

    `pause` is the time between two checks; with 0, other tasks still run in between.
    """
    async with asyncio.timeout(seconds):
        while not holds():  # noqa: ASYNC110 - there is no event for it
            await asyncio.sleep(pause)


async def written(table, query, found=None):
    """Return once a query finds these rows, by default any, and the bot has heard of the commit.

    Each `?` in the query is the bot's current time.
    """
    values = [table.watch()] * query.count("?")

    def holds():
        rows = table.sql(query, *values)
        return rows if found is None else rows == found

    await until(holds)
    await table.committed()


async def answered(answering):
    """The message of an answer once it is complete, also if it was deferred."""
    return (await (await answering).settled()).message


async def with_others_going_on(monkeypatch, module, work, answer):
    """The result of `answer`, after asserting that it calls `module.work` outside the event loop.

    The function blocks until the event loop has noticed the call, which fails if it runs in it.
    """
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
