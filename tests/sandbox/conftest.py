from collections.abc import AsyncIterator

import aiohttp
import pytest

from sandbox import Sandbox
from tests.support.rest_client import Rest
from tests.support.sandbox_bot import Bot, running
from tests.support.sandboxes import quick_sandbox


@pytest.fixture
async def refusing() -> AsyncIterator[Sandbox]:
    """A sandbox that is asked for what the document forbids."""
    async with quick_sandbox() as sandbox:
        yield sandbox


@pytest.fixture
async def rest(refusing: Sandbox) -> AsyncIterator[Rest]:
    async with aiohttp.ClientSession() as session:
        yield Rest(refusing, session)


@pytest.fixture
async def bot(discord: Sandbox) -> AsyncIterator[Bot]:
    """A real discord.py bot, connected."""
    async with running(discord) as started:
        yield started
