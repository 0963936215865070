"""What the tests of the bot share: a real database in a file of its own, and matches on it."""

import asyncio
import shutil
import time
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from hypothesis import settings

from bot.computers.pool import SynchronousPool
from bot.config import Settings
from bot.matches import Matches, challenges, loaded
from bot.matches.agreements import Agreements
from bot.matches.archive import MatchArchive
from bot.matches.pauses import Pauses
from bot.scheduling.computer_moves import ComputerMoves
from bot.storage import postgres
from games import GAMES
from tests.support.clock import DAY, Watch
from tests.support.deadlines import Clock
from tests.support.leaping import LeapingLoop
from tests.support.made_databases import copied
from tests.support.matches import BEA, CYD, NOW, RETURNS, SEED, begun
from tests.support.opponents import Heard
from tests.support.pointing_game import POINTING
from tests.support.storages import storage_of

# The same examples every time, at any speed: a failure is a fact about the code, not about luck.
settings.register_profile("bot", derandomize=True, deadline=None)
settings.load_profile("bot")


@pytest.fixture
def elsewhere(monkeypatch, tmp_path):
    """A folder without `.env` and an environment without our names."""
    monkeypatch.chdir(tmp_path)
    for name in Settings.model_fields:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture(scope="session")
def tables(tmp_path_factory):
    """A file with the tables of today and no rows, to be copied."""
    return asyncio.run(copied(tmp_path_factory.mktemp("tables") / "facedown.sqlite3"))


ON_BOTH = {
    "guilds",
    "lessons",
    "matches",
    "operations",
    "privacy",
    "puzzles",
    "scheduling",
    "settings",
    "sharing",
    "stats",
    "storage",
}
"""The folders whose tests are about what is kept, not about how it looks."""

ALWAYS_ON_BOTH = {"privacy", "sharing", "stats", "storage"}
RACES = {
    "test_picks",
    "test_races",
    "test_rated_quota",
    "test_ratings_audit",
    "test_submissions",
}
"""Of these folders, and of the modules with races and ratings, no test is left out of `make test`
for its database; what else runs on PostgreSQL too does so in `make test-all`."""


def pytest_generate_tests(metafunc):
    """Run what needs a database on both, but for what is about SQLite alone."""
    if "backend" in metafunc.fixturenames:
        folder = Path(metafunc.module.__file__).parent.name
        both = folder in ON_BOTH and not metafunc.definition.get_closest_marker("sqlite")
        always = folder in ALWAYS_ON_BOTH or metafunc.module.__name__.rpartition(".")[2] in RACES
        marks = [pytest.mark.postgresql, *([] if always else [pytest.mark.long])]
        server = pytest.param("postgresql", marks=marks)
        backends = ["sqlite", server] if both else ["sqlite"]
        metafunc.parametrize("backend", backends, scope="module")


@pytest.fixture
def database(backend, request, tables, tmp_path):
    """A database with tables and no rows: the path of a file, or a `ServerDatabase`."""
    if backend == "sqlite":
        return shutil.copy(tables, tmp_path / "facedown.sqlite3")
    found = request.getfixturevalue("server_database")
    found.empty()
    return found


@pytest.fixture
async def storage(database):
    """The storage without the upkeep that comes before, which has tests of its own."""
    async with storage_of(database) as storage:
        yield storage


@pytest.fixture
async def storages(server_database, monkeypatch):
    """Those of three processes on one PostgreSQL database, however long they wait for another."""
    for name in ("lock_timeout", "idle_in_transaction_session_timeout"):
        monkeypatch.setitem(postgres.SETTINGS, name, "0")  # a slow machine is no failure
    server_database.empty()
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(storage_of(server_database)) for _ in range(3)]


@pytest.fixture
def processes(storages):
    """The matches of three processes; each remembers its own positions."""
    return [
        Matches(storage, seed=lambda: SEED, now=lambda: NOW, returns=RETURNS)
        for storage in storages
    ]


@pytest.fixture
def ask(server_database):
    return server_database.ask


@pytest.fixture
def watch():
    """The time of matches and their clock, which stands still unless a test moves it."""
    return Watch()


@pytest.fixture
def matches(storage, watch):
    return Matches(storage, seed=lambda: SEED, now=watch, returns=RETURNS)


@pytest.fixture
def agreements(storage, watch):
    return Agreements(storage, SynchronousPool(), now=watch, returns=RETURNS)


@pytest.fixture
def pauses(storage, watch):
    return Pauses(storage, now=watch)


@pytest.fixture
def timeouts(storage, watch):
    return Clock(storage, now=watch)


@pytest.fixture
def late(timeouts, watch):
    """Lets the time of a turn pass at pace slow, and the clock act; what that has led to."""

    async def act(match, seconds=DAY):
        watch.advance(seconds)
        return await timeouts.act(match)

    return act


@pytest.fixture
async def match(matches):
    return await begun(matches)


@pytest.fixture
async def three(matches):
    return await begun(matches, BEA, CYD)


@pytest.fixture
def archive(storage):
    return MatchArchive(storage, SynchronousPool(), SynchronousPool(), now=time.time)


@pytest.fixture
def pointing(monkeypatch):
    """The game of the tests is among the games, for this test."""
    for module in (challenges, loaded):
        monkeypatch.setattr(module, "GAMES", {**GAMES, POINTING.key: POINTING})
    return POINTING


@pytest.fixture
async def computers(storage, matches):
    """The computers at their seats, which choose without a delay."""
    computers = ComputerMoves(storage, matches, Heard(), SynchronousPool(), delay=0.0)
    yield computers
    await computers.close()


@pytest.fixture
def leap():
    """Run something on a clock of its own; what it returns."""
    with asyncio.Runner(loop_factory=LeapingLoop) as runner:
        yield runner.run
