"""Fixtures for the tests of matches: counted batches, and matches that end on time."""

import pytest

from bot.computers.pool import SynchronousPool
from bot.matches.reopenings import Reopenings
from bot.matches.watching import Watching, WatchQuery
from tests.support.counted_storage import Counted
from tests.support.matches import ANN, DAN, GUILD, RETURNS, choose, everything


@pytest.fixture
def counted(storage):
    return Counted(storage)


@pytest.fixture
def reopenings(storage, watch):
    return Reopenings(storage, SynchronousPool(), now=watch, returns=RETURNS)


@pytest.fixture
async def forfeit(matches, late):
    """Makes everybody but `others` forfeit by missing two deadlines; returns the snapshot."""

    async def forfeited(match, *others):
        for _ in range(2):
            await choose(matches, match, *others)
            effect = await late(match)
        return effect.public()

    return forfeited


@pytest.fixture
async def over(match, forfeit):
    """A match that Bea has forfeited; Ann had chosen in the step that wasn't resolved."""
    return await forfeit(match, ANN)


@pytest.fixture
def watching(storage):
    return Watching(storage)


@pytest.fixture
def listed(watching):
    """Returns the numbers of the matches on a page of `/watch`."""

    async def numbers(viewer=DAN, sees=everything, **which):
        page = await watching.page(GUILD, viewer, sees, query=WatchQuery(**which))
        return [entry.snapshot.match for entry in page.entries]

    return numbers
