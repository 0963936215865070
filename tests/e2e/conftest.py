"""A bot that is ready, in this process: real HTTP, a real WebSocket, a real file."""

import pytest

from tests.support.tables import seated


@pytest.fixture
async def table(discord, tmp_path):
    async with seated(discord, tmp_path) as table:
        yield table
