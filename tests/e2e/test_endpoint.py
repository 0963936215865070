"""Clicks and commands that arrive at the interactions endpoint, at the wire."""

import asyncio
import json

import aiohttp
import pytest
from nacl.signing import SigningKey
from structlog.testing import capture_logs

from bot.interactions import endpoint
from bot.telemetry.metrics import ENDPOINT
from tests.support.health import health_of
from tests.support.services import settings
from tests.support.tables import labels, seated


@pytest.fixture
def url(port):
    return f"http://127.0.0.1:{port}{endpoint.PATH}"


@pytest.fixture
async def table(discord, tmp_path, port, url):
    """A table whose bot gets all interactions through its endpoint."""
    async with seated(discord, tmp_path, settings_=settings(endpoint_port=port)) as table:
        await discord.endpoint.register(url)
        yield table


def by_gateway(discord):
    """The interactions sent over the gateway, of all shards."""
    sent = (d for session in discord.gateway.sessions.values() for d in session.sent)
    return [dispatch for dispatch in sent if dispatch["t"] == "INTERACTION_CREATE"]


async def post(discord, url, body, **changes):
    """The HTTP status of the answer to this body; signed unless the headers are changed."""
    status, _ = await discord.endpoint.post(url, body, {**discord.endpoint.sign(body), **changes})
    return status


def a_click(discord, message, name="Ann"):
    """An interaction of this person with the first button that isn't a link, and its body."""
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


async def test_commands_autocompletion_and_refusals_also_work_through_the_endpoint(table):
    ann = table.person("Ann")
    public = await table.match()
    asked = await ann.slash("season start", channel="games", name="Winter")
    await ann.click(asked.message, "Start the season")

    choices = await ann.autocomplete("leaderboard", "season", "Win", channel="games")
    refused = await table.person("Cleo").forge(public, custom_id="f1:1:0:pick:3")

    assert [choice["name"] for choice in choices] == ["Winter"]
    assert refused.ephemeral
    assert by_gateway(table.discord) == []


async def test_a_request_that_discord_did_not_sign_is_refused_and_does_nothing(table, url):
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


async def test_a_request_without_a_signature_is_refused_before_its_body_is_read(table, port):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"POST /interactions HTTP/1.1\r\nHost: x\r\nContent-Length: 9999999\r\n\r\n")

    line = await asyncio.wait_for(reader.readline(), 30)

    writer.close()
    await writer.wait_closed()
    assert b" 401 " in line


async def test_a_body_has_a_size_limit_and_a_time_limit(table, port, url, monkeypatch):
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
async def test_a_signed_body_that_is_no_interaction_is_logged_without_its_content(table, url, body):
    with capture_logs() as logs:
        assert await post(table.discord, url, body) == 400

    (line,) = [line for line in logs if line["event"] != "ready"]  # the bot has just started
    assert line.keys() == {"event", "why", "log_level"}
    assert "secret" not in str(line)


async def test_shutdown_waits_for_an_interaction_after_one_turn_of_the_loop(table):
    """discord.py starts its tasks before it returns, so shutdown knows that they are running."""
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


async def test_an_interaction_delivered_both_ways_is_handled_once(table, url):
    public = await table.challenge()
    begun, body = a_click(table.discord, public, "Bo")

    table.discord.gateway.deliver(begun.guild.id, json.loads(body))
    status = await post(table.discord, url, body)
    await begun.answered.wait()
    await table.settled()

    assert status == 202
    assert len(table.requests("POST", f"/interactions/{begun.id}/")) == 1


async def test_a_recorded_request_that_is_replayed_later_is_refused(table, url):
    """Even if the bot was restarted meanwhile and no longer knows that it has seen it."""
    public = await table.challenge()
    _, body = a_click(table.discord, public, "Bo")
    headers = table.discord.endpoint.sign(body)
    await table.restart(settings_=settings(endpoint_port=int(url.split(":")[2].split("/")[0])))

    table.watch.advance(endpoint.OLDEST_SECONDS + 1)
    status, _ = await table.discord.endpoint.post(url, body, headers)

    assert status == 401
    assert "Accept" in labels(public)


async def test_only_posts_to_its_path_are_accepted(table, port):
    async with aiohttp.ClientSession() as session:
        found = []
        for method, path in (("GET", "/interactions"), ("POST", "/"), ("GET", "/health")):
            async with session.request(method, f"http://127.0.0.1:{port}{path}") as answer:
                found.append(answer.status)

    assert found == [405, 404, 404]


async def test_health_and_metrics_report_the_endpoint(table, url):
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
