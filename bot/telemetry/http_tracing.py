"""Counts requests to Discord by kind, and measures how soon people are answered."""

import re
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, Final

import aiohttp
import discord
from cachetools import FIFOCache

from bot.telemetry.metrics import ANSWERS, REQUEST_SECONDS, REQUESTS
from bot.telemetry.refused_requests import RefusedRequests

MAX_WAITING: Final = 1024
"""Interactions that wait for their answer; one that never gets any must not stay forever."""

_WORDS: Final = frozenset(
    {
        "@me",
        "@original",
        "applications",
        "bot",
        "callback",
        "channels",
        "commands",
        "emojis",
        "gateway",
        "guilds",
        "interactions",
        "members",
        "messages",
        "oauth2",
        "threads",
        "users",
        "webhooks",
    }
)
_API: Final = re.compile(r"/api/v\d+(/.*)")
_ANSWER: Final = re.compile(r"/(?:interactions|webhooks)/.*")
_CALLBACK: Final = re.compile(r"/interactions/(\d+)/[^/]+/callback")

KINDS: Final = {
    discord.InteractionType.application_command: "command",
    discord.InteractionType.component: "click",
    discord.InteractionType.autocomplete: "autocomplete",
    discord.InteractionType.modal_submit: "modal",
}


def kind(method: str, path: str) -> str:
    """The kind of a request, without ids and tokens: `PATCH /channels/{}/messages/{}`.

    Only known words stay. The path also holds the tokens of interactions, which are secret and must
    not get into metrics.
    """
    route = _API.fullmatch(path)
    if route is None:
        return "gateway"
    parts = (part if part in _WORDS else "{}" for part in route[1].split("/")[1:])
    return f"{method} /{'/'.join(parts)}"


class Tracing:
    """Watches the requests of one client, and stops them if too many are refused."""

    def __init__(self, processes: Callable[[], int] = lambda: 1) -> None:
        self.refused = RefusedRequests(processes=processes)
        self._waiting: FIFOCache[int, tuple[str, float]] = FIFOCache(MAX_WAITING)
        self.config = aiohttp.TraceConfig()
        self.config.on_request_start.append(self._begin)
        self.config.on_request_end.append(self._end)
        self.config.on_request_exception.append(self._fail)

    def arrived(self, interaction: discord.Interaction[Any]) -> None:
        """Start measuring how long this interaction waits for its answer."""
        self._waiting[interaction.id] = (KINDS.get(interaction.type, "other"), time.perf_counter())

    async def _begin(
        self,
        session: aiohttp.ClientSession,
        context: SimpleNamespace,
        request: aiohttp.TraceRequestStartParams,
    ) -> None:
        del session
        asked = _API.fullmatch(request.url.path)
        if asked is not None:
            # An exception here stops the request before it's made, also one of discord.py's own.
            self.refused.check(is_answer=_ANSWER.fullmatch(asked[1]) is not None)
        context.began = time.perf_counter()

    async def _end(
        self,
        session: aiohttp.ClientSession,
        context: SimpleNamespace,
        request: aiohttp.TraceRequestEndParams,
    ) -> None:
        del session
        what = kind(request.method, request.url.path)
        REQUESTS.labels(what, request.response.status).inc()
        REQUEST_SECONDS.labels(what).observe(time.perf_counter() - context.began)
        scope = request.response.headers.get("X-RateLimit-Scope")
        self.refused.note(request.response.status, scope)
        if request.response.ok:
            self._answered(request.url.path)

    async def _fail(
        self,
        session: aiohttp.ClientSession,
        context: SimpleNamespace,
        request: aiohttp.TraceRequestExceptionParams,
    ) -> None:
        del session, context
        REQUESTS.labels(kind(request.method, request.url.path), 0).inc()

    def _answered(self, path: str) -> None:
        callback = _CALLBACK.search(path)
        if callback is not None and (interaction := int(callback[1])) in self._waiting:
            what, since = self._waiting.pop(interaction)
            ANSWERS.labels(what).observe(time.perf_counter() - since)
