"""Fixtures for the tests of the bot: a real database for each test, and matches in it."""

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

# The same examples on every run, and no deadline, so that no failure depends on luck or speed.
settings.register_profile("bot", derandomize=True, deadline=None)
settings.load_profile("bot")


@pytest.fixture
def elsewhere(monkeypatch, tmp_path):
    """Work in a folder without `.env`, with no setting of the bot in the environment."""
    monkeypatch.chdir(tmp_path)
    for name in Settings.model_fields:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture(scope="session")
def tables(tmp_path_factory):
    """The path of a database file with the current tables and no rows, to copy for each test."""
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
"""Folders whose tests check what is stored; these run on SQLite and on PostgreSQL."""

ALWAYS_ON_BOTH = {"privacy", "sharing", "stats", "storage"}
RACES = {
    "test_picks",
    "test_races",
    "test_rated_quota",
    "test_ratings_audit",
    "test_submissions",
}
"""Tests in these modules and in `ALWAYS_ON_BOTH` run on both databases in `make test`; other tests
that also run on PostgreSQL do so only in `make test-all`."""


def pytest_generate_tests(metafunc):
    """Run tests that need a database on both databases, unless they are marked `sqlite`."""
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
    """An open storage, without the startup work, which has its own tests."""
    async with storage_of(database) as storage:
        yield storage


@pytest.fixture
async def storages(server_database, monkeypatch):
    """The storages of three processes on one PostgreSQL database, without timeouts for locks."""
    for name in ("lock_timeout", "idle_in_transaction_session_timeout"):
        monkeypatch.setitem(postgres.SETTINGS, name, "0")  # a slow machine must not fail a test
    server_database.empty()
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(storage_of(server_database)) for _ in range(3)]


@pytest.fixture
def processes(storages):
    """The `Matches` of three processes; each caches its own positions."""
    return [
        Matches(storage, seed=lambda: SEED, now=lambda: NOW, returns=RETURNS)
        for storage in storages
    ]


@pytest.fixture
def ask(server_database):
    return server_database.ask


@pytest.fixture
def watch():
    """The current time for matches and clocks; only the test advances it."""
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
    """Let a turn in the slow time control expire and the clock act; returns the effect."""

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
    """Register the game that only tests play, for this test."""
    for module in (challenges, loaded):
        monkeypatch.setattr(module, "GAMES", {**GAMES, POINTING.key: POINTING})
    return POINTING


@pytest.fixture
async def computers(storage, matches):
    """Computer players that choose without a delay."""
    computers = ComputerMoves(storage, matches, Heard(), SynchronousPool(), delay=0.0)
    yield computers
    await computers.close()


@pytest.fixture
def leap():
    """Run a coroutine on an event loop whose clock skips waits; returns its result."""
    with asyncio.Runner(loop_factory=LeapingLoop) as runner:
        yield runner.run
