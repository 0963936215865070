"""Clicks and commands that Discord POSTs to an address of ours, instead of using the gateway.

It does so once the Developer Portal knows the address. Any process behind a proxy can take one: it
is answered by the callback route, like one from the gateway.
"""

import asyncio
import json
from collections.abc import Callable
from typing import Any, Final

import structlog
from aiohttp import web
from discord.utils import snowflake_time
from nacl.exceptions import BadSignatureError
from nacl.signing import VerifyKey

from bot.telemetry.logging import server_log
from bot.telemetry.metrics import ENDPOINT

log = structlog.get_logger()

PATH: Final = "/interactions"

MAX_BODY_BYTES: Final = 256 * 1024
"""Several times what an interaction can be within Discord's limits: files come as URLs."""

READING_SECONDS: Final = 3.0
"""Seconds to receive a body; Discord waits no longer for anything, so anybody slower isn't
Discord."""

CONNECTION_SECONDS: Final = 30.0
"""Seconds until a connection is closed; it carries one request, so it needs no longer. Idle or
endless ones would be held open until no more can be opened, not even to Discord."""

OLDEST_SECONDS: Final = 900.0
"""The life of an interaction's token, in seconds. An older one was recorded and sent again: nothing
could be answered to it. Discord documents no age for its signatures (discord-api-docs #6209)."""

SIGNATURE_BYTES: Final = 64
PING: Final = 1
PONG: Final = {"type": 1}


class EndpointError(Exception):
    """The endpoint can't be opened; the message is a sentence for the bot's owner."""

    def __init__(self, sentence: str, *, may_pass: bool = False) -> None:
        super().__init__(sentence)
        self.may_pass = may_pass
        """Whether it may open later, with the same settings: a VPN's address may not be up yet when
        the machine starts, or a process that is just ending may still have the port."""


class Endpoint:
    """A server that checks signatures, hands interactions on, and answers only that they came.

    Each connection carries one request. So when a process ends, a proxy finds its port closed or is
    answered 503, and can safely give the request to the next process.
    """

    def __init__(
        self,
        host: str,
        port: int,
        key: str,
        receive: Callable[[dict[str, Any]], None],
        *,
        now: Callable[[], float],
    ) -> None:
        self._host = host
        self._port = port
        self._key = VerifyKey(bytes.fromhex(key))
        self._receive = receive
        self._now = now
        self._reading: set[asyncio.Task[Any]] = set()
        self.is_open = False
        """Whether requests are accepted; otherwise they are answered 503."""

        app = web.Application(client_max_size=MAX_BODY_BYTES)
        app.router.add_post(PATH, self._serve)
        # Discord signs a body as it's sent. Decompressing it first would let anybody fill the event
        # loop: 1 MB can hold 1,000 MB, and even a body that is too large is decompressed to its
        # end.
        self._runner = web.AppRunner(
            app,
            access_log=None,
            logger=server_log,
            shutdown_timeout=0.1,
            auto_decompress=False,
        )
        self._listening: asyncio.Server | None = None

    async def open(self) -> None:
        """Accept requests from now on; EndpointError if the address can't be used."""
        await self._runner.setup()
        loop, serve = asyncio.get_running_loop(), self._runner.server
        assert serve is not None

        def connected() -> asyncio.Protocol:
            connection = serve()
            loop.call_later(CONNECTION_SECONDS, connection.force_close)
            return connection

        try:
            self._listening = await loop.create_server(
                connected, self._host, self._port, backlog=128
            )
        except OSError as error:
            await self._runner.cleanup()
            where = f"ENDPOINT_PORT {self._port} on {self._host}"
            raise EndpointError(
                f"{where} can't be used: {error.strerror}.",
                may_pass=not isinstance(error, PermissionError),
            ) from error
        self.is_open = True
        log.info("endpoint open", host=self._host, port=self._port)

    async def drain(self) -> None:
        """Accept no more requests, and return when all accepted ones are handed on."""
        self.is_open = False
        if self._listening is not None:
            await _stop_listening(self._listening)
            self._listening = None
        if self._reading:
            await asyncio.wait(self._reading, timeout=READING_SECONDS)

    async def close(self) -> None:
        """Drain, then close the connections that are still open."""
        await self.drain()
        await self._runner.cleanup()

    async def _serve(self, request: web.Request) -> web.Response:
        task = asyncio.current_task()
        assert task is not None
        self._reading.add(task)
        try:
            response = await self._answer(request) if self.is_open else web.Response(status=503)
        finally:
            self._reading.discard(task)
        ENDPOINT.labels(response.status).inc()
        response.force_close()
        return response

    async def _answer(self, request: web.Request) -> web.Response:
        """The response to a request; 401 before parsing anything, unless Discord has signed it."""
        signature, stamp = _signature(request)
        if signature is None:
            return web.Response(status=401)
        try:
            async with asyncio.timeout(READING_SECONDS):
                body = await request.read()
        except TimeoutError:
            return web.Response(status=408)
        except web.HTTPRequestEntityTooLarge:
            return web.Response(status=413)
        except (web.RequestPayloadError, ConnectionError):  # cut off, or not a body
            return web.Response(status=400)
        try:
            self._key.verify(stamp + body, signature)
        except BadSignatureError:
            return web.Response(status=401)
        return await self._take(body)

    async def _take(self, body: bytes) -> web.Response:
        try:
            payload = json.loads(body)
            kind = payload["type"]
            if kind == PING:  # Discord takes no other answer to it (discord-api-docs #7311)
                return web.json_response(PONG)
            if self._now() - snowflake_time(int(payload["id"])).timestamp() > OLDEST_SECONDS:
                log.warning("old interaction refused", hint="is the clock of this machine right?")
                return web.Response(status=401)
            self._receive(payload)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            # Signed, and yet not as documented. It may hold a choice, and so may the error's text.
            why = type(error).__name__
            log.error("interaction not understood", why=why)  # noqa: TRY400
            return web.Response(status=400)
        # Lets the tasks it has started register with the router, which waits for them at the end,
        # before `drain` stops waiting for this request.
        await asyncio.sleep(0)
        return web.Response(status=202)


async def _stop_listening(server: asyncio.Server) -> None:
    """Close the port without losing a connection that was already accepted.

    One that was accepted in this iteration of the event loop gets its transport in the next. If the
    server is closed before, it refuses the transport, and the client hears nothing.
    """
    loop = asyncio.get_running_loop()
    for listening in server.sockets:
        loop.remove_reader(listening.fileno())
    await asyncio.sleep(0)
    server.close()


def _signature(request: web.Request) -> tuple[bytes | None, bytes]:
    """The signature (None if it's missing or malformed) and its timestamp, which is signed too."""
    stamp = request.headers.get("X-Signature-Timestamp", "")
    try:
        signature = bytes.fromhex(request.headers.get("X-Signature-Ed25519", ""))
    except ValueError:
        return None, b""
    if len(signature) != SIGNATURE_BYTES or not stamp:
        return None, b""
    return signature, stamp.encode("utf-8", "surrogateescape")
