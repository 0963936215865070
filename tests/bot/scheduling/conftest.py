"""A clock over a real database, whose time stands still."""

import asyncio

import pytest

from bot.cluster.share import EVERYTHING
from bot.matches.grace import give_grace
from bot.matches.timeouts import Timeouts
from bot.scheduling.deadlines import Deadlines
from tests.support.match_records import ask, execute
from tests.support.told import World
from tests.support.waiting import until

PATIENCE = 10


class Seen:
    """What the clock tells of: the matches that it has changed."""

    def __init__(self):
        self.matches = asyncio.Queue()

    def changed(self, match):
        self.matches.put_nowait(match)

    def now(self, match):
        del match

    async def next(self):
        return await asyncio.wait_for(self.matches.get(), PATIENCE)


async def nothing():
    """No upkeep is due."""


class NoNotices:
    """Notes when it is asked for some."""

    def __init__(self):
        self.asked, self.standing = asyncio.Queue(), self

    async def start(self, owns):
        """Nothing stands anywhere."""

    async def close(self):
        """Nothing is being told."""

    def concerns(self, committed):
        del committed
        return False

    async def look(self, shards):
        del shards
        self.asked.put_nowait(True)


@pytest.fixture
def grace(storage, watch):
    """Gives what an absence of so many seconds gives; of which matches."""

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
    """Makes clocks, and ends them after the test."""
    made = []

    async def start(connected=True, **parts):
        usual = {
            "storage": storage,
            "timeouts": Timeouts(storage, now=watch),
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
            made[-1].go_on(0, 1)
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
    """Who has to be told that silence ends a match."""
    return lambda: sorted(ask(database, "SELECT user FROM notices WHERE event = 'time'"))


@pytest.fixture
def pause(storage):
    """Pauses a match, as when its channel is gone."""

    async def since(match, moment):
        await execute(
            storage,
            f"UPDATE matches SET paused_at = {int(moment)}, paused_why = 'lost'"  # noqa: S608
            f" WHERE id = {match}",
        )

    return since
