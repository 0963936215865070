"""A bot that is ready, in this process: real HTTP, a real WebSocket and a real database file."""

from datetime import timedelta
from pathlib import Path

import pytest

from bot.cluster import leases
from bot.live import work_queue
from tests.support.made_servers import own_database
from tests.support.match_threads import want_threads
from tests.support.sandboxes import quick_sandbox
from tests.support.tables import seated
from tests.support.together import SHARDS, Together


@pytest.fixture(autouse=True)
def _quick_retries(monkeypatch):
    """Make the first retries of failed work quick: many tests wait for one."""
    monkeypatch.setattr(work_queue, "RETRY", (0.1, 0.25, *work_queue.RETRY[2:]))


@pytest.fixture
async def table(discord, tmp_path):
    async with seated(discord, tmp_path) as table:
        yield table


@pytest.fixture
async def frozen(table):
    """A table whose clock advances only when the test says so."""
    table.watch.held = True
    return table


@pytest.fixture
async def threaded(table):
    """A table whose server wants a thread for each match."""
    await want_threads(table)
    return table


@pytest.fixture
def expired_tokens(monkeypatch):
    """Make interaction tokens count as expired, so that all edits go through the channels."""
    monkeypatch.setattr("bot.messaging.first_answer.TOKEN_LIFE", timedelta())


@pytest.fixture
def artifacts():
    """The folder where screenshots are kept."""
    folder = Path("test-artifacts")
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="module")
def server():
    with own_database() as found:
        yield found


@pytest.fixture
async def together(server, pointed, monkeypatch):
    """A Discord with several shards that can all identify at once, before any bot is started."""
    monkeypatch.setattr(leases, "RENEW_SECONDS", 0.2)
    server.empty()
    async with quick_sandbox(shards=SHARDS, guilds=SHARDS) as discord:
        discord.limits.max_concurrency = SHARDS
        discord.clock.freeze()
        together = Together(discord, server.address)
        try:
            yield together
        finally:
            await together.close()
        assert not discord.unknown_routes
