"""Starting and stopping a process that takes clicks at the interactions endpoint."""

import asyncio
import errno
import re
import socket
import time

import aiohttp
import pytest
from aiohttp import web
from nacl.signing import SigningKey
from structlog.testing import capture_logs

from bot.interactions import endpoint
from bot.interactions.endpoint import Endpoint, EndpointError
from tests.support.processes import Process
from tests.support.services import settings
from tests.support.tables import database, seated


@pytest.fixture
async def process(discord, tmp_path, port):
    process = Process(
        discord,
        await database(tmp_path),
        tmp_path / "bot.log",
        ENDPOINT_PORT=str(port),
    )
    yield process
    await process.clear_away()


async def test_the_public_key_of_another_application_stops_the_start_with_a_sentence(process):
    process._settings["PUBLIC_KEY"] = "0123456789abcdef" * 4

    await process.launch()

    assert await process.until_ended() == 2
    assert process.output.rstrip().endswith(
        "PUBLIC_KEY is another application's. Copy it from the Developer Portal "
        "(General Information), or leave it empty."
    )
    assert "Traceback" not in process.output


async def test_a_port_in_use_stops_the_start_with_the_exit_code_for_temporary_trouble(
    process, port
):
    """Another process may be about to end, or an address about to become available."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", port))
        taken.listen()
        await process.launch()

        assert await process.until_ended() == 3

    last = process.output.splitlines()[-1]
    assert re.fullmatch(
        f"ENDPOINT_PORT {port} on 127.0.0.1 can't be used: .*address already in use.", last
    )
    assert "Traceback" not in process.output


async def test_a_port_that_the_bot_is_not_permitted_to_open_is_a_wrong_setting(monkeypatch):
    async def refuse(*_, **__):
        raise PermissionError(errno.EACCES, "Permission denied")

    wanted = Endpoint("127.0.0.1", 80, "00" * 32, print, now=time.time)
    monkeypatch.setattr(asyncio.get_running_loop(), "create_server", refuse)

    with pytest.raises(EndpointError, match="can't be used: Permission denied") as refused:
        await wanted.open()

    assert not refused.value.may_pass


@pytest.mark.parametrize("opened", [True, False])
async def test_the_start_logs_how_clicks_arrive(discord, tmp_path, port, opened):
    discord.endpoint.urls = ("https://example.com/interactions",)

    with capture_logs() as logs:
        options = {"settings_": settings(endpoint_port=port)} if opened else {}
        async with seated(discord, tmp_path, **options):
            pass

    said = [line["event"] for line in logs]
    assert ("endpoint open" in said, "clicks go elsewhere" in said) == (opened, not opened)


class NextProcess:
    """The process that a proxy falls back to: takes every interaction and answers it."""

    def __init__(self, discord):
        self._discord = discord
        self.taken = []

    async def serve(self, request):
        payload = await request.json()
        self.taken.append(payload["id"])
        path = f"/api/v10/interactions/{payload['id']}/{payload['token']}/callback"
        async with aiohttp.ClientSession() as session:
            said = {"type": 4, "data": {"content": "next", "flags": 64}}
            async with session.post(f"{self._discord.url}{path}", json=said) as answer:
                assert answer.status == 204
        return web.Response(status=202)

    async def __aenter__(self):
        app = web.Application()
        app.router.add_post(endpoint.PATH, self.serve)
        self._runner = web.AppRunner(app)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        host, port = self._runner.addresses[0]
        self.url = f"http://{host}:{port}{endpoint.PATH}"
        return self

    async def __aexit__(self, *error):
        await self._runner.cleanup()


async def clicking(discord, message, answers, over):
    """Click as fast as answers come until `over` is set; collects every answer."""
    while not over.is_set():
        answers.append(await discord.person("Bo").click(message, "Withdraw"))


@pytest.mark.parametrize("turns", range(2, 5))
async def test_a_client_that_connects_just_as_the_port_is_closed_is_answered(port, turns):
    """An accepted connection that has no transport yet would be dropped silently."""
    key = SigningKey.generate().verify_key.encode().hex()
    opened = endpoint.Endpoint("127.0.0.1", port, key, lambda payload: None, now=time.time)
    await opened.open()
    with socket.create_connection(("127.0.0.1", port)) as asking:
        asking.sendall(b"POST /interactions HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n")
        for _ in range(turns):
            await asyncio.sleep(0)
        await opened.drain()
        asking.settimeout(10)
        answer = await asyncio.to_thread(asking.recv, 100)
    await opened.close()

    assert answer.startswith(b"HTTP/1.1 503 ")


async def test_no_click_goes_unanswered_when_a_process_ends_during_clicks(discord, process, port):
    """It answers the clicks it has taken before it ends; the next process gets the others."""
    url = f"http://127.0.0.1:{port}{endpoint.PATH}"
    await process.start()
    asked = await discord.person("Ann").slash("pico play", channel="games")
    message = (await asked.settled()).message
    answers, over = [], asyncio.Event()

    async with NextProcess(discord) as following:
        await discord.endpoint.register(url)
        discord.endpoint.urls = (url, following.url)  # the second one checks no signatures
        people = [asyncio.create_task(clicking(discord, message, answers, over)) for _ in range(8)]
        await discord.until(lambda: len(answers) >= 20)
        status = await process.stop()
        ended_with = len(answers)
        await discord.until(lambda: len(answers) >= ended_with + 20)
        over.set()
        await asyncio.gather(*people)

    assert status == 0
    assert len(following.taken) > 20
    assert [answer for answer in answers if answer.failed or not answer.text] == []
