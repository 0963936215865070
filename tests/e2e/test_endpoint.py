"""Clicks and commands that come to the interactions endpoint, at the wire."""

import asyncio
import errno
import json
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
from bot.telemetry.metrics import ENDPOINT
from tests.support.health import health_of
from tests.support.processes import Process
from tests.support.services import settings
from tests.support.tables import database, labels, seated


@pytest.fixture
def url(port):
    return f"http://127.0.0.1:{port}{endpoint.PATH}"


@pytest.fixture
async def table(discord, tmp_path, port, url):
    """A bot that gets everything by its endpoint."""
    async with seated(discord, tmp_path, settings_=settings(endpoint_port=port)) as table:
        await discord.endpoint.register(url)
        yield table


def by_gateway(discord):
    """The interactions that any shard was sent."""
    sent = (d for session in discord.gateway.sessions.values() for d in session.sent)
    return [dispatch for dispatch in sent if dispatch["t"] == "INTERACTION_CREATE"]


async def post(discord, url, body, **changes):
    """The status of the answer to this body, signed unless the headers are changed."""
    status, _ = await discord.endpoint.post(url, body, {**discord.endpoint.sign(body), **changes})
    return status


def a_click(discord, message, name="Ann"):
    """The body of a click of Ann's on the first button that is not a link."""
    button = next(b for b in message.buttons if b.custom_id)
    person, interactions = discord.person(name), discord.interactions
    deliver, interactions.deliver = interactions.deliver, lambda *_: None
    try:
        begun = interactions.start(
            3,
            person.user,
            discord.world.channel(message.channel_id),
            {"custom_id": button.custom_id, "component_type": 2},
            message,
        )
    finally:
        interactions.deliver = deliver
    return begun, json.dumps(interactions.payload(begun)).encode()


async def test_a_whole_match_is_played_over_the_endpoint(table):
    public = await table.match(variant="pico1")

    await table.finish(public, "Ann", "Bo")

    assert labels(public)[:4] == ["Rematch", "Replay", "Share", "Coach"]
    assert by_gateway(table.discord) == []
    assert {status for _, status in table.discord.endpoint.answers} == {202}


async def test_commands_their_completion_and_refusals_come_by_it_too(table):
    ann = table.person("Ann")
    public = await table.match()
    asked = await ann.slash("season start", channel="games", name="Winter")
    await ann.click(asked.message, "Start the season")

    choices = await ann.autocomplete("leaderboard", "season", "Win", channel="games")
    refused = await table.person("Cleo").forge(public, custom_id="f1:1:0:pick:3")

    assert [choice["name"] for choice in choices] == ["Winter"]
    assert refused.ephemeral
    assert by_gateway(table.discord) == []


async def test_what_is_not_signed_by_discord_is_refused_and_does_nothing(table, url):
    public = await table.challenge()
    _, body = a_click(table.discord, public, "Bo")
    signed = table.discord.endpoint.sign(body)
    forged = SigningKey.generate().sign(signed["X-Signature-Timestamp"].encode() + body).signature
    name = "X-Signature-Ed25519"

    refused = [
        await post(table.discord, url, body, **{name: wrong})
        for wrong in (forged.hex(), "", "no digits", "00" * 64, signed[name][:-2], "é")
    ]
    refused.append(await post(table.discord, url, body, **{"X-Signature-Timestamp": "1700000000"}))
    refused.append(await post(table.discord, url, body, **{"X-Signature-Timestamp": ""}))
    refused.append((await table.discord.endpoint.post(url, body + b" ", signed))[0])
    refused.append((await table.discord.endpoint.post(url, body, {}))[0])

    assert refused == [401] * len(refused)
    assert table.sql("SELECT count(*) FROM matches WHERE step = 0 AND state IS NULL") == [(1,)]
    assert "Accept" in labels(public)


async def test_nothing_is_parsed_before_the_signature_is_checked(table, url, monkeypatch):
    parsed = []
    monkeypatch.setattr(endpoint.Endpoint, "_take", lambda _, body: parsed.append(body))

    assert await post(table.discord, url, b"{", **{"X-Signature-Ed25519": "00" * 64}) == 401
    assert parsed == []


async def test_a_request_without_a_signature_is_refused_before_its_body_is_there(table, port):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"POST /interactions HTTP/1.1\r\nHost: x\r\nContent-Length: 9999999\r\n\r\n")

    line = await asyncio.wait_for(reader.readline(), 30)

    writer.close()
    await writer.wait_closed()
    assert b" 401 " in line


async def test_a_body_is_limited_and_has_to_come_in_time(table, port, url, monkeypatch):
    monkeypatch.setattr(endpoint, "READING_SECONDS", 0.05)
    large = b'"' + b"x" * endpoint.MAX_BODY_BYTES + b'"'
    headers = table.discord.endpoint.sign(b"")
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())

    oversized = await post(table.discord, url, large)
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(
        f"POST /interactions HTTP/1.1\r\nHost: x\r\n{lines}Content-Length: 9\r\n\r\n{{".encode()
    )
    slow = await asyncio.wait_for(reader.readline(), 30)

    writer.close()
    await writer.wait_closed()
    assert oversized == 413
    assert b" 408 " in slow


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\xff",
        b"[]",
        b"null",
        b"{}",
        b'{"type": 3}',
        b'{"type": 3, "id": "x"}',
        b'{"type": 2, "id": "9000000000000000000", "token": "secret-token"}',
    ],
)
async def test_what_is_signed_but_no_interaction_is_told_without_its_content(table, url, body):
    with capture_logs() as logs:
        assert await post(table.discord, url, body) == 400

    (line,) = logs
    assert line.keys() == {"event", "why", "log_level"}
    assert "secret" not in str(line)


async def test_an_interaction_is_waited_for_as_soon_as_the_loop_has_gone_round(table):
    """discord.py starts its tasks before it returns: who ends the bot then waits for them."""
    public = await table.challenge()
    await table.settled()
    _, click = a_click(table.discord, public, "Bo")
    command = {
        **json.loads(click),
        "id": str(table.discord.world.ids.next()),
        "type": 2,
        "data": {"id": "1", "type": 1, "name": "help"},
    }
    waited_for = []

    for payload in (json.loads(click), command):
        table.bot.receive(payload)
        await asyncio.sleep(0)
        waited_for.append(len(table.bot.services.router._handling))
    await table.handled()

    assert waited_for == [1, 2]


async def test_the_same_click_twice_is_handled_once(table):
    table.discord.faults.deliver_twice = True

    public = await table.match(variant="pico1")
    since = len(table.discord.requests)
    await table.play("Ann")
    await table.settled()

    callbacks = table.requests("POST", "/callback", since)
    assert len(callbacks) == 1
    assert len(table.discord.endpoint.answers) % 2 == 0
    assert "Round 1" in public.text


async def test_what_comes_by_both_ways_is_handled_once(table, url):
    public = await table.challenge()
    begun, body = a_click(table.discord, public, "Bo")

    table.discord.gateway.deliver(begun.guild.id, json.loads(body))
    status = await post(table.discord, url, body)
    await begun.answered.wait()
    await table.settled()

    assert status == 202
    assert len(table.requests("POST", f"/interactions/{begun.id}/")) == 1


async def test_a_recorded_request_that_is_sent_again_later_is_refused(table, url):
    """Even when the bot has been started again and has forgotten that it had it before."""
    public = await table.challenge()
    _, body = a_click(table.discord, public, "Bo")
    headers = table.discord.endpoint.sign(body)
    await table.restart(settings_=settings(endpoint_port=int(url.split(":")[2].split("/")[0])))

    table.watch.advance(endpoint.OLDEST_SECONDS + 1)
    status, _ = await table.discord.endpoint.post(url, body, headers)

    assert status == 401
    assert "Accept" in labels(public)


async def test_only_posts_to_its_path_are_answered(table, port):
    async with aiohttp.ClientSession() as session:
        found = []
        for method, path in (("GET", "/interactions"), ("POST", "/"), ("GET", "/health")):
            async with session.request(method, f"http://127.0.0.1:{port}{path}") as answer:
                found.append(answer.status)

    assert found == [405, 404, 404]


async def test_health_and_figures_tell_of_it(table, url):
    def count(status):
        return ENDPOINT.labels(status)._value.get()

    before = count(202), count(401)
    async with (
        health_of(table.bot) as probes,
        aiohttp.ClientSession() as session,
        session.get(f"{probes}/health") as answer,
    ):
        found = await answer.json()
    await table.challenge()
    await post(table.discord, url, b"{}", **{"X-Signature-Ed25519": "00" * 64})

    assert found["endpoint"] is True
    assert (count(202) - before[0], count(401) - before[1]) == (1, 1)


# Starting.


async def test_a_key_of_another_application_ends_the_start_with_a_sentence(process):
    process._settings["PUBLIC_KEY"] = "0123456789abcdef" * 4

    await process.launch()

    assert await process.until_ended() == 2
    assert process.output.rstrip().endswith(
        "PUBLIC_KEY is another application's. Copy it from the Developer Portal "
        "(General Information), or leave it empty."
    )
    assert "Traceback" not in process.output


async def test_a_port_that_is_taken_ends_the_start_as_what_may_pass(process, port):
    """Another process may be about to end, and an address about to be there."""
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


async def test_a_port_that_the_bot_may_not_have_is_a_wrong_setting(monkeypatch):
    async def refuse(*_, **__):
        raise PermissionError(errno.EACCES, "Permission denied")

    wanted = Endpoint("127.0.0.1", 80, "00" * 32, print, now=time.time)
    monkeypatch.setattr(asyncio.get_running_loop(), "create_server", refuse)

    with pytest.raises(EndpointError, match="can't be used: Permission denied") as refused:
        await wanted.open()

    assert not refused.value.may_pass


@pytest.mark.parametrize("opened", [True, False])
async def test_a_start_says_how_clicks_come(discord, tmp_path, port, opened):
    discord.endpoint.urls = ("https://example.com/interactions",)

    with capture_logs() as logs:
        options = {"settings_": settings(endpoint_port=port)} if opened else {}
        async with seated(discord, tmp_path, **options):
            pass

    said = [line["event"] for line in logs]
    assert ("endpoint open" in said, "clicks go elsewhere" in said) == (opened, not opened)


# Ending.


class NextProcess:
    """What a proxy asks when the bot does not take a request: takes it, and answers it."""

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


async def clicking(discord, message, answers, over):
    """Click as fast as answers come, until it is over; every answer is kept."""
    while not over.is_set():
        answers.append(await discord.person("Bo").click(message, "Withdraw"))


@pytest.mark.parametrize("turns", range(2, 5))
async def test_who_has_just_connected_as_the_port_is_closed_is_answered(port, turns):
    """A connection that is taken, and has no transport yet, would be dropped without a word."""
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


async def test_no_click_is_unanswered_when_a_process_ends_amid_clicks(discord, process, url):
    """What it has taken it answers before it ends, and what it does not take the next one gets."""
    await process.start()
    asked = await discord.person("Ann").slash("pico play", channel="games")
    message = (await asked.settled()).message
    answers, over = [], asyncio.Event()

    async with NextProcess(discord) as following:
        await discord.endpoint.register(url)
        discord.endpoint.urls = (url, following.url)  # which checks no signature
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
