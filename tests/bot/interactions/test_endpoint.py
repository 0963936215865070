"""Unsigned requests: they take no time, and their senders can't fill the log."""

import asyncio
import gzip
import logging
import time

import pytest
from nacl.signing import SigningKey

from bot.interactions import endpoint
from bot.interactions.endpoint import MAX_BODY_BYTES, PATH, Endpoint
from bot.telemetry.metrics import ENDPOINT
from tests.support.waiting import until

LARGE = gzip.compress(b" " * (MAX_BODY_BYTES + 1))


@pytest.fixture
async def opened(port):
    key = SigningKey.generate().verify_key.encode().hex()
    opened = Endpoint("127.0.0.1", port, key, lambda payload: None, now=time.time)
    await opened.open()
    yield opened
    await opened.close()


async def asking(port, body, length=None, **named):
    """A connection on which a body with an invalid signature was sent."""
    headers = {
        "Host": "x",
        "X-Signature-Timestamp": "1",
        "X-Signature-Ed25519": "00" * 64,
        "Content-Length": len(body) if length is None else length,
        **named,
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"POST {PATH} HTTP/1.1\r\n{lines}\r\n".encode() + body)
    await writer.drain()
    return reader, writer


@pytest.mark.usefixtures("opened")
@pytest.mark.parametrize("body", [LARGE, b"no gzip"])
async def test_no_body_is_decompressed_before_its_signature_is_checked(port, caplog, body):
    reader, writer = await asking(port, body, **{"Content-Encoding": "gzip"})

    line = await asyncio.wait_for(reader.readline(), 30)

    writer.close()
    await writer.wait_closed()
    assert b" 401 " in line
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


async def test_a_connection_that_breaks_during_a_body_is_not_logged_as_an_error(
    opened, port, caplog
):
    before = ENDPOINT.labels(400)._value.get()
    _, writer = await asking(port, b"{", length=100)
    await until(lambda: opened._reading)

    writer.transport.abort()
    await until(lambda: not opened._reading)

    assert ENDPOINT.labels(400)._value.get() == before + 1
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


@pytest.mark.usefixtures("opened")
@pytest.mark.parametrize(
    "sent",
    [
        b"POST / HTTP/1.1\r\nHo st x\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ],
    ids=["header", "chunk"],
)
async def test_a_malformed_request_is_not_logged_as_an_error(port, caplog, sent):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(sent)

    line = await asyncio.wait_for(reader.readline(), 30)

    writer.close()
    await writer.wait_closed()
    assert b" 400 " in line
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


async def test_an_error_of_ours_is_logged(opened, port, caplog, monkeypatch):
    monkeypatch.setattr(opened, "_answer", None)
    _, writer = await asking(port, b"")
    await until(lambda: caplog.records)

    writer.close()
    await writer.wait_closed()
    assert "Error handling request" in caplog.text


@pytest.mark.parametrize("sent", [b"", b"POST /inter"], ids=["nothing", "half a line"])
async def test_a_connection_without_a_request_is_closed(port, monkeypatch, sent):
    monkeypatch.setattr(endpoint, "CONNECTION_SECONDS", 0.05)
    opened = Endpoint(
        "127.0.0.1", port, SigningKey.generate().verify_key.encode().hex(), list, now=time.time
    )
    await opened.open()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(sent)

    rest = await asyncio.wait_for(reader.read(), 30)

    writer.close()
    await opened.close()
    assert rest == b""
