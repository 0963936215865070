"""Requests of the smoke test: one after the other, each with Discord's whole answer."""

import asyncio
import json
from collections.abc import Callable, Coroutine, Iterator, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, Final

import aiohttp
import discord
from discord.http import HTTPClient, Route

from bot.messaging.failures import Failure, UndeliveredError, translating_discord_errors

PAUSE_SECONDS: Final = 0.5
"""Seconds between two requests, so that a run takes a small part of a bot's rate limit."""

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What Discord answered, and what discord.py made of it."""

    status: int
    headers: Mapping[str, str]
    body: Any
    value: Any = None
    """What discord.py's method returned."""

    error: discord.DiscordException | None = None
    """What it raised."""

    @property
    def ok(self) -> bool:
        return self.status < 300

    @property
    def code(self) -> int:
        """Discord's JSON error code; 0 if there is none."""
        return int(self.body.get("code", 0)) if isinstance(self.body, dict) else 0

    @property
    def failure(self) -> Failure | None:
        """The failure that the bot's delivery reads it as; None if it knows none for it."""
        try:
            with translating_discord_errors():
                if self.error is not None:
                    raise self.error
        except UndeliveredError as error:
            return error.failure
        except discord.DiscordException:
            return None
        return None

    def __str__(self) -> str:
        if self.ok or not isinstance(self.body, dict):
            return str(self.status)
        problem = next(_problems(self.body.get("errors"), ()), "")
        summary = f"{self.status}, code {self.code}: {self.body.get('message', '')}"
        return f"{summary} ({problem})" if problem else summary


def _problems(errors: object, path: tuple[str, ...]) -> Iterator[str]:
    """The fields that Discord complains about, each with its reason."""
    if not isinstance(errors, dict):
        return
    for key, inner in errors.items():
        if key == "_errors":
            for problem in inner:
                yield f"{'.'.join(path) or 'form'}: {problem.get('message', '')}"
        else:
            yield from _problems(inner, (*path, str(key)))


class Requests:
    """Observes the requests of discord.py's client, as its `http_trace`.

    So the methods that are tried are those that the bot calls, and yet status, headers and the
    whole answer can be seen.
    """

    def __init__(self, pause: float) -> None:
        self._pause = pause
        self._last: aiohttp.ClientResponse | None = None
        self.count = 0
        self.trace = aiohttp.TraceConfig()
        self.trace.on_request_end.append(self._remember)

    async def ask(self, request: Coroutine[Any, Any, Any]) -> Answer:
        """Make a request and return the answer, even if that is a refusal."""
        answer = await self._answer(request)
        await asyncio.sleep(self._pause)
        return answer

    async def ask_once(self, http: HTTPClient, route: Route, body: Json) -> Answer:
        """Make a request once, even if discord.py would wait for a rate limit and repeat it."""
        before, http.max_ratelimit_timeout = http.max_ratelimit_timeout, 1.0
        try:
            return await self.ask(http.request(route, json=body))
        finally:
            http.max_ratelimit_timeout = before

    async def make(
        self, request: Coroutine[Any, Any, Any], note: Callable[[Answer], None]
    ) -> Answer:
        """Make a request that creates something, and note that in any case.

        Cancelling waits for the answer: what isn't noted would not be deleted.
        """

        async def made() -> Answer:
            answer = await self._answer(request)
            if answer.ok:
                note(answer)
            return answer

        task = asyncio.create_task(made())
        try:
            answer = await asyncio.shield(task)
        finally:
            if not task.done():
                await asyncio.wait({task})
        await asyncio.sleep(self._pause)
        return answer

    async def _answer(self, request: Coroutine[Any, Any, Any]) -> Answer:
        self._last = value = error = None
        try:
            value = await request
        except (discord.HTTPException, discord.RateLimited) as refused:
            error = refused
        response: aiohttp.ClientResponse | None = self._last
        if response is None:
            raise ConnectionError("the request was not sent")
        # discord.py has read the whole body, so the response still has it.
        text = await response.text()
        is_json = response.content_type == "application/json"
        return Answer(
            status=response.status,
            headers=response.headers,
            body=json.loads(text) if text and is_json else text,
            value=value,
            error=error,
        )

    async def _remember(
        self,
        session: aiohttp.ClientSession,
        context: SimpleNamespace,
        request: aiohttp.TraceRequestEndParams,
    ) -> None:
        del session, context
        if "/api/" in request.url.path:  # not the gateway
            self._last = request.response
            self.count += 1
