"""Starting while Discord can't be reached: one log line per attempt, until it can."""

import asyncio
import socket

import aiohttp
import discord as library
import pytest
from discord.gateway import DiscordWebSocket
from structlog.testing import capture_logs

from bot.messaging import discord_address, patient_bot
from bot.messaging.permissions import invite
from bot.storage import Storage
from sandbox import Fault
from sandbox.bot_token import BotToken
from tests.support.drawing import Blank
from tests.support.processes import Process
from tests.support.services import bot_of
from tests.support.tables import database, seated
from tests.support.waiting import until

ATTEMPT = "discord not reached"


PATHS = [
    "/users/@me",
    *(
        pytest.param(path, marks=pytest.mark.long)
        for path in ("/oauth2/applications/@me", "/gateway/bot")
    ),
]


@pytest.fixture
async def process(discord, tmp_path, port):
    process = Process(
        discord, await database(tmp_path), tmp_path / "bot.log", METRICS_PORT=str(port)
    )
    yield process
    await process.clear_away()


async def attempts(process, count):
    """Wait until this many attempts have failed."""
    failed = lambda: process.output.count(ATTEMPT) if process.log.exists() else 0  # noqa: E731
    await until(lambda: failed() >= count, 60, pause=0.05)


async def health(port):
    address = f"http://127.0.0.1:{port}/health"
    async with aiohttp.ClientSession() as session, session.get(address) as answer:
        return answer.status


async def test_a_start_without_discord_continues_once_discord_is_there(discord, process, port):
    dark = discord.faults.add(Fault(status=503, times=None))
    starting = asyncio.create_task(process.start())

    await attempts(process, 2)
    meanwhile = await health(port)
    discord.faults.ordered.remove(dark)
    await starting

    assert meanwhile == 503
    lines = [line for line in process.output.splitlines() if ATTEMPT in line]
    assert "answered 503" in lines[0]
    assert "again_in=1.0" in lines[0]
    assert "again_in=2.0" in lines[1]
    assert "Traceback" not in process.output
    assert await process.stop() == 0
    assert "Unclosed" not in process.output


async def test_a_start_without_a_network_logs_attempts_and_can_be_stopped_at_once(
    discord, tmp_path, port
):
    process = Process(
        discord,
        await database(tmp_path),
        tmp_path / "log",
        DISCORD_API=f"http://127.0.0.1:{port}",
    )
    starting = asyncio.create_task(process.start())
    await attempts(process, 3)

    status = await process.stop()  # in the third pause, which is longer than a shutdown may take

    starting.cancel()
    assert status == 0
    assert "ClientConnectorError" in process.output
    assert "ended in haste" not in process.output
    assert "Traceback" not in process.output


@pytest.mark.parametrize("path", PATHS)
async def test_a_refused_token_ends_the_start_with_a_sentence(discord, process, path):
    discord.faults.add(Fault(path=f"^{path}$", status=401, times=None))

    with pytest.raises(AssertionError, match="The bot has ended"):
        await process.start()

    assert process.output.rstrip().endswith(
        "Discord refuses DISCORD_TOKEN. Make a new one in the Developer Portal."
    )
    assert "Traceback" not in process.output


# Within this process, with shorter pauses


@pytest.fixture
async def bot(discord, tmp_path, monkeypatch):
    """A bot that isn't started yet."""
    monkeypatch.setattr(patient_bot, "PAUSES", (0.01, 0.02))
    discord_address.use_address(discord.url)
    async with (
        Storage.open(await database(tmp_path)) as storage,
        bot_of(storage, Blank()) as bot,
    ):
        yield bot


@pytest.fixture
async def started(discord, bot):
    """A function that starts the bot, waits until it is ready, and returns the warnings logged."""
    running = []

    async def start():
        with capture_logs() as logs:
            running.append(asyncio.create_task(bot.start(discord.token)))
            ready = asyncio.create_task(bot.wait_until_ready())
            await asyncio.wait({ready, *running}, return_when=asyncio.FIRST_COMPLETED, timeout=30)
            assert ready.done()
        return [line for line in logs if line["log_level"] not in {"info", "debug"}]

    yield start
    await bot.close()
    await asyncio.gather(*running)


@pytest.mark.parametrize("path", PATHS)
async def test_every_request_of_a_start_is_tried_again(discord, started, path):
    discord.faults.add(Fault(path=f"^{path}$", status=503, times=2))
    discord.faults.add(Fault(path=f"^{path}$", drop=True, times=2))

    said = await started()

    assert [line["event"] for line in said] == [ATTEMPT] * len(said)
    assert [line["again_in"] for line in said[:3]] == [0.01, 0.02, 0.02]
    assert [line["why"] for line in said[:2]] == ["answered 503"] * 2


async def test_a_name_that_does_not_resolve_is_tried_again(discord, started, monkeypatch):
    monkeypatch.setattr(library.http.Route, "BASE", "https://discord.invalid/api/v10")
    looked_up = []

    async def unknown(self, host, *args, **options):
        del self, args, options
        looked_up.append(host)
        if len(looked_up) == 2:
            discord_address.use_address(discord.url)  # from now on, it resolves
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(aiohttp.resolver.DefaultResolver, "resolve", unknown)

    said = await started()

    assert looked_up == ["discord.invalid"] * 2
    assert ["discord.invalid" in line["why"] for line in said] == [True] * 2


async def test_a_gateway_that_refuses_the_connection_is_tried_again(started, monkeypatch):
    """After the login, the library alone would log a traceback each time and recurse."""
    refused, connect = [], DiscordWebSocket.from_client

    async def refuse(cls, *args, **options):
        del cls
        if len(refused) < 2:
            refused.append(True)
            raise ConnectionRefusedError("nobody listens")
        return await connect(*args, **options)

    monkeypatch.setattr(DiscordWebSocket, "from_client", classmethod(refuse))

    said = await started()

    assert [(line["event"], line["why"]) for line in said] == [
        (ATTEMPT, "ConnectionRefusedError: nobody listens")
    ] * 2
    assert [line["again_in"] for line in said] == [0.01, 0.02]


async def test_a_gateway_that_refuses_the_token_ends_the_start(discord, bot, monkeypatch):
    monkeypatch.setattr(discord.gateway, "_token", BotToken("another"))

    with pytest.raises(library.LoginFailure):
        await bot.start(discord.token)


async def test_a_revoked_token_ends_the_bot_as_a_refused_one_does(discord, bot, monkeypatch):
    running = asyncio.create_task(bot.start(discord.token))
    await bot.wait_until_ready()

    monkeypatch.setattr(discord.gateway, "_token", BotToken("another"))
    await discord.drop_connections()

    with pytest.raises(library.LoginFailure):
        await asyncio.wait_for(running, 30)
    assert bot.is_closed()


async def test_the_first_start_logs_how_to_add_the_bot_to_a_server(discord, tmp_path):
    with capture_logs() as logs:
        async with seated(discord, tmp_path) as table:
            said = [[line for line in logs if line["event"] == "first start"]]
            logs.clear()
            await table.restart()
            said.append([line for line in logs if line["event"] == "first start"])

    application = discord.world.bot.id
    assert said == [
        [
            {
                "event": "first start",
                "add_to_server": invite(application),
                "log_level": "info",
            }
        ],
        [],
    ]
