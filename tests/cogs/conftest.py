"""The same bot as in `tests/e2e`, for what one cog sends."""

import pytest

from tests.support.tables import seated


@pytest.fixture
async def table(discord, tmp_path):
    async with seated(discord, tmp_path) as table:
        yield table
