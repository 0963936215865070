"""A bot that is ready, in this process: real HTTP, a real WebSocket, a real file."""

from datetime import timedelta
from pathlib import Path

import pytest

from tests.support.tables import seated


@pytest.fixture
async def table(discord, tmp_path):
    async with seated(discord, tmp_path) as table:
        yield table


@pytest.fixture
def expired(monkeypatch):
    """Interactions count as too old to edit by, so that everything goes through the channels."""
    monkeypatch.setattr("bot.messaging.first_answer.TOKEN_LIFE", timedelta())


@pytest.fixture
def artifacts():
    """Where screenshots are kept."""
    folder = Path("test-artifacts")
    folder.mkdir(exist_ok=True)
    return folder
