"""A bot that is ready, in this process: real HTTP, a real WebSocket, a real file."""

import pytest

from tests.support.cluster import binaries
from tests.support.tables import seated

collect_ignore = [] if binaries() else ["test_server_database.py"]


@pytest.fixture
async def table(discord, tmp_path):
    async with seated(discord, tmp_path) as table:
        yield table
