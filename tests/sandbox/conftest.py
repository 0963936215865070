from collections.abc import AsyncIterator, Awaitable, Callable

import aiohttp
import pytest

from sandbox import Sandbox
from tests.support.bench import Bench
from tests.support.gateway_wire import Wire
from tests.support.rest_client import Rest
from tests.support.sandbox_bot import Bot, running
from tests.support.sandboxes import quick_sandbox


@pytest.fixture
async def refusing() -> AsyncIterator[Sandbox]:
    """A sandbox whose requests aren't checked against Discord's OpenAPI document."""
    async with quick_sandbox() as sandbox:
        yield sandbox


@pytest.fixture
async def rest(refusing: Sandbox) -> AsyncIterator[Rest]:
    async with aiohttp.ClientSession() as session:
        yield Rest(refusing, session)


@pytest.fixture
def bench(refusing: Sandbox, rest: Rest) -> Bench:
    return Bench(refusing, rest)


@pytest.fixture
async def wire(refusing: Sandbox, rest: Rest) -> AsyncIterator[Callable[..., Awaitable[Wire]]]:
    """A function that opens a connection to the gateway, on which nothing has been sent or read."""
    opened = []

    async def begin(
        query: str = "v=10&encoding=json", unpack: Callable[[bytes], bytes] | None = None
    ) -> Wire:
        socket = await rest._session.ws_connect(f"{refusing.gateway.url}?{query}")
        opened.append(socket)
        return Wire(socket, unpack)

    yield begin
    for socket in opened:
        await socket.close()


@pytest.fixture
def connect(
    refusing: Sandbox, wire: Callable[..., Awaitable[Wire]]
) -> Callable[..., Awaitable[Wire]]:
    """A function that opens a connection to the gateway, receives HELLO and sends IDENTIFY."""

    async def begin(**changes: object) -> Wire:
        connection = await wire()
        await connection.hear()
        await connection.identify(refusing, **changes)
        return connection

    return begin


@pytest.fixture
async def connection(connect: Callable[..., Awaitable[Wire]]) -> Wire:
    """A connection that has received the GUILD_CREATE of its server."""
    connection = await connect()
    await connection.hear_until("GUILD_CREATE")
    return connection


@pytest.fixture
async def bot(discord: Sandbox) -> AsyncIterator[Bot]:
    """A real discord.py bot, connected."""
    async with running(discord) as started:
        yield started
