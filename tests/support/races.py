"""Races between transactions of several processes on PostgreSQL."""

import asyncio

from bot.errors import MatchError
from tests.support.waiting import until

WAITING = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'"


async def somebody_waits(ask, *, unless=lambda: False):
    """Return once a transaction waits for a lock, or `unless` holds."""
    await until(lambda: unless() or ask(WAITING))


async def at_once(*acts):
    """Run acts concurrently; the value or the `MatchError` of each. Other errors are raised."""
    results = await asyncio.gather(*acts, return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException) and not isinstance(result, MatchError):
            raise result
    return results


def refused(results):
    return [result for result in results if isinstance(result, MatchError)]
