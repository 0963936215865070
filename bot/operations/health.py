"""`/health` and `/metrics` for the owner's monitoring tools, on this machine only."""

import asyncio
import contextlib
import math
from collections.abc import Callable, Sequence
from typing import Final, Self

import structlog
from aiohttp import web
from prometheus_client.exposition import choose_encoder
from prometheus_client.registry import Collector

from bot.client import Facedown
from bot.errors import StorageUnavailableError
from bot.storage import Storage
from bot.storage.health import PATIENCE_SECONDS, in_time, why_unusable
from bot.telemetry.logging import server_log
from bot.telemetry.metrics import LATENCY, MATCHES, REGISTRY, SERVERS, watch_loop

log = structlog.get_logger()

HOST: Final = "127.0.0.1"


class HealthServer:
    """A small HTTP server beside the bot; if its port is taken, the bot runs without it."""

    def __init__(
        self, bot: Facedown, storage: Storage, port: int, *, patience: float = PATIENCE_SECONDS
    ) -> None:
        self._bot = bot
        self._storage = storage
        self._port = port
        self._patience = patience
        app = web.Application()
        app.router.add_get("/health", self._health)
        app.router.add_get("/metrics", self._metrics)
        self._runner = web.AppRunner(app, access_log=None, logger=server_log, shutdown_timeout=0.1)
        self._watching: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, HOST, self._port).start()
        except OSError as error:
            log.warning(
                "no health or metrics",
                port=self._port,
                why=error.strerror,
                hint="set METRICS_PORT to another port, or to 0",
            )
        self._watching = asyncio.create_task(watch_loop())
        return self

    async def __aexit__(self, *_of_error: object) -> None:
        if self._watching is not None:
            self._watching.cancel()
        await self._runner.cleanup()

    async def _health(self, request: web.Request) -> web.Response:
        """200 if people can play, otherwise 503; the JSON body says what works in either case."""
        del request
        why = await why_unusable(self._storage, self._patience)
        checks: dict[str, bool | str] = {
            "gateway": self._bot.is_connected(),
            "database": why is None,
            "requests": not self._bot.tracing.refused.stopped,
        }
        if self._bot.endpoint is not None:
            checks["endpoint"] = self._bot.endpoint.is_open
        healthy = all(checks.values())
        if why is not None:
            checks["why"] = why
        leases = self._bot.leases
        shared = {}
        if leases is not None:
            shared = {
                "process": leases.name,
                "processes": leases.processes,
                "shards": sorted(leases.held),
            }
        return web.json_response({**checks, **shared}, status=200 if healthy else 503)

    async def _metrics(self, request: web.Request) -> web.Response:
        counted: Sequence[tuple[str, str, int]] = ()
        # Other metrics say that the database is in trouble.
        with contextlib.suppress(StorageUnavailableError, TimeoutError):
            counted = await in_time(self._count(), self._patience)
        MATCHES.clear()
        for game, state, number in counted:
            MATCHES.labels(game, state).set(number)
        SERVERS.set(len(self._bot.guilds))
        LATENCY.clear()  # a shard that isn't here may be another process's
        for shard, latency in self._bot.latencies:
            if math.isfinite(latency):
                LATENCY.labels(shard).set(latency)
        encode, content_type = _encoder(request.headers.get("Accept", ""))
        return web.Response(body=encode(REGISTRY), headers={"Content-Type": content_type})

    async def _count(self) -> Sequence[tuple[str, str, int]]:
        async with self._storage.reading() as reading:
            return await reading.match_lists.count_live()


def _encoder(accept: str) -> tuple[Callable[[Collector], bytes], str]:
    """How to encode metrics for this Accept header, and the content type of that."""
    try:
        return choose_encoder(accept)
    except TypeError:  # the library compares versions that may not be numbers
        return choose_encoder("")
