"""A gateway connection that can't be read or is closed at once is replaced; the bot lives on."""

import asyncio
from collections import deque

import pytest
from structlog.testing import capture_logs

from sandbox.sessions import Connection

HELLO = 10


@pytest.fixture(autouse=True)
def waits(monkeypatch):
    """Skip the library's pauses before it reconnects; the list grows by one for each pause."""
    asked = []

    def delay(_):
        asked.append(1)
        return 0

    monkeypatch.setattr("discord.backoff.ExponentialBackoff.delay", delay)
    return asked


async def still_there(table):
    """Wait until a command has been answered."""
    async with asyncio.timeout(10):  # a client that has stopped never answers
        answer = await table.person("Ann").slash("games", channel="games")
    assert answer.message is not None


def connection(table):
    (session,) = table.discord.gateway.sessions.values()
    return session.connection


async def reconnected(table, times=1):
    gateway = table.discord.gateway
    await table.discord.until(lambda: gateway.identified + gateway.resumed > times)
    await table.discord.ready()


GARBLED = {
    "no JSON": "<html>",
    "JSON that breaks off": '{"op":0,"t":"GUILD_',
    "a list": "[1, 2]",
    "nothing": "null",
    "a damaged stream": b"\x00\x01rubbish\x00\x00\xff\xff",
}


@pytest.mark.parametrize("frame", GARBLED.values(), ids=GARBLED)
async def test_a_garbled_connection_is_resumed(table, frame):
    with capture_logs() as logs:
        connection(table).send_raw(frame)
        await reconnected(table)
        await still_there(table)

    assert table.discord.gateway.identified == 1  # nothing sent meanwhile is lost
    assert [line["event"] for line in logs if line["log_level"] == "warning"] == [
        "connection garbled"
    ]


async def test_a_connection_with_nothing_readable_is_not_resumed_forever(table, monkeypatch, waits):
    """What can't be read comes again with each resumption; a new session begins without it."""
    send, garbled = Connection.send, []

    def after_hello(self, payload):
        send(self, payload)
        if payload["op"] == HELLO and not garbled:
            garbled.append(self)
            self.send_raw("<html>")

    monkeypatch.setattr(Connection, "send", after_hello)
    connection(table).send_raw("<html>")
    await table.discord.until(lambda: table.discord.gateway.identified == 2)
    await table.discord.ready()
    await still_there(table)

    assert waits == [1]


async def test_a_gateway_that_closes_connections_at_once_is_tried_again(table, monkeypatch, waits):
    """As in an outage: first it can't be reached, then its proxy closes connections."""
    trouble = deque(["refused", "hung up", "hung up"])
    connect, send = table.bot.http.ws_connect, Connection.send

    async def refused_first(url):
        if trouble and trouble[0] == "refused":
            trouble.popleft()
            raise ConnectionRefusedError
        return await connect(url)

    def hanging_up(self, payload):
        if trouble and payload["op"] == HELLO:
            trouble.popleft()
            self.close(1001)
        else:
            send(self, payload)

    monkeypatch.setattr(table.bot.http, "ws_connect", refused_first)
    monkeypatch.setattr(Connection, "send", hanging_up)

    table.discord.gateway.drop()
    await table.discord.until(lambda: table.discord.gateway.identified == 2)
    await table.discord.ready()
    await still_there(table)

    assert not trouble
    assert waits == [1, 1, 1]


async def test_a_session_whose_resumption_is_refused_is_given_up_after_a_pause(
    table, monkeypatch, waits
):
    """The gateway may be gone for good, so a session with another one begins."""
    send, hung_up = Connection.send, []

    def hanging_up(self, payload):
        if payload["op"] == HELLO and not hung_up:
            hung_up.append(self)
            self.close(1001)
        else:
            send(self, payload)

    monkeypatch.setattr(Connection, "send", hanging_up)

    connection(table).send_raw("<html>")  # the library answers this by resuming
    await table.discord.until(lambda: table.discord.gateway.identified == 2)
    await table.discord.ready()
    await still_there(table)

    assert waits == [1]
    assert table.discord.gateway.resumed == 0
