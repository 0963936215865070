"""Transactions of several processes, one of which is stopped where the other one shall meet it."""

import asyncio

from bot.errors import MatchError
from tests.support.waiting import until

WAITING = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'"


async def somebody_waits(ask, *, unless=lambda: False):
    """Return once a transaction waits for another one to end, or this is so."""
    await until(lambda: unless() or ask(WAITING))


async def at_once(*acts):
    """What came of each: a value, or the refusal; anything else is a failure of the test."""
    results = await asyncio.gather(*acts, return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException) and not isinstance(result, MatchError):
            raise result
    return results


def refused(results):
    return [result for result in results if isinstance(result, MatchError)]
