"""Clocks of matches on a real database; only the tests advance the time."""

import asyncio

import pytest

from bot.cluster.share import EVERYTHING
from bot.matches.grace import give_grace
from bot.scheduling.deadlines import Deadlines
from bot.scheduling.due_matches import DueMatches
from tests.support.match_records import ask, execute
from tests.support.notice_world import World
from tests.support.waiting import until

PATIENCE = 10


class Seen:
    """Stands in for `Live`: a queue of the matches that the clock has changed."""

    def __init__(self):
        self.matches = asyncio.Queue()

    def note_changed(self, match):
        self.matches.put_nowait(match)

    def now(self, match):
        del match

    async def next(self):
        return await asyncio.wait_for(self.matches.get(), PATIENCE)


async def nothing():
    """Stands in for upkeep."""


class NoNotices:
    """Stands in for `Notices`: sends nothing and records every look."""

    def __init__(self):
        self.asked, self.sent = asyncio.Queue(), self

    async def start(self, owns):
        """Does nothing, because no messages have been sent."""

    async def close(self):
        """Does nothing, because nothing is being sent."""

    def mark_changed(self, committed):
        del committed
        return False

    async def look(self, shards):
        del shards
        self.asked.put_nowait(True)


@pytest.fixture
def grace(storage, watch):
    """Gives the grace for an absence of this many seconds; returns the changed matches."""

    async def give(away):
        async with storage.transaction() as writing:
            return await give_grace(writing, int(watch()), away, None)

    return give


@pytest.fixture
def seen():
    return Seen()


@pytest.fixture
def notices():
    return NoNotices()


@pytest.fixture
async def clocks(storage, watch, seen, notices):
    """Starts clocks, and closes them after the test."""
    made = []

    async def start(connected=True, **parts):
        usual = {
            "storage": storage,
            "due": DueMatches(storage, seen, now=watch),
            "notices": notices,
            "live": seen,
            "upkeep": (nothing,),
            "forget_old": nothing,
            "now": watch,
            "share": EVERYTHING,
        }
        made.append(Deadlines(**{**usual, **parts}))
        await made[-1].start()
        if connected:
            made[-1].resume(0, 1)
            await until(lambda: made[-1]._awake, pause=0)
        return made[-1]

    yield start
    for one in made:
        await one.close()


@pytest.fixture
def world(storage, matches, watch, database):
    return World(storage, matches, watch, database)


@pytest.fixture
def warned(database):
    """Returns the sorted rows of players with a notice that silence will end their match."""
    return lambda: sorted(ask(database, "SELECT user FROM notices WHERE event = 'time'"))


@pytest.fixture
def pause(storage):
    """Pauses a match as if its channel were lost."""

    async def since(match, moment):
        await execute(
            storage,
            f"UPDATE matches SET paused_at = {int(moment)}, paused_why = 'lost'"  # noqa: S608
            f" WHERE id = {match}",
        )

    return since
