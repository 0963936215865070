"""REST over HTTP: reads requests, answers them as Discord does, and logs both."""

import asyncio
import json
import logging
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any

from aiohttp import BodyPartReader, web

from sandbox.bot_token import BotToken
from sandbox.errors import DiscordError, refusal
from sandbox.events import Event
from sandbox.faults import Fault
from sandbox.payload_reader import Upload
from sandbox.ratelimits import limited, open_headers
from sandbox.request_log import LoggedRequest
from sandbox.rest import PREFIX, Found, Request, Route, Services, find, is_known

log = logging.getLogger(__name__)

GATEWAY_PAGE = "<html><head><title>{status}</title></head><body>cloudflare</body></html>"
"""The body, instead of JSON, when the proxy in front of Discord's API fails."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The status, JSON body and headers of an answer."""

    status: int
    body: Any
    headers: Mapping[str, str]


class Api:
    """The REST API at /api/v10, and the log of its requests."""

    def __init__(self, services: Services, token: BotToken) -> None:
        self._services = services
        self._token = token
        self.requests: list[LoggedRequest] = []
        self.pending: list[LoggedRequest] = []
        """The requests that are being answered."""

        self.unknown_routes: list[str] = []
        """What the sandbox lacks: the method and path of a request, or what a body asked for."""

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Answer a request below /api/ as Discord does, also if its route doesn't exist."""
        if not request.path.startswith(f"{PREFIX}/"):
            error = refusal(50041) if request.path.startswith("/api/v") else refusal(0)
            return _response(Outcome(error.status, error.body, {}))
        logged = LoggedRequest(
            method=request.method,
            path=request.path.removeprefix(PREFIX),
            query=dict(request.query),
            at=self._services.world.clock.now(),
        )
        found = find(request.method, request.rel_url.path_safe.removeprefix(PREFIX))
        if found is not None:
            logged.route, logged.counted = found[0].name, not found[0].is_open
        self.requests.append(logged)
        self.pending.append(logged)
        try:
            return await self._answer(found, request, logged)
        except (ConnectionError, web.RequestPayloadError):
            # The bot disconnected before its request was complete: nothing to log or to answer.
            self.requests.remove(logged)
            return web.Response(status=400)
        finally:
            self.pending.remove(logged)
            self._services.world.events.emit(Event(kind="request", subject=logged))

    async def _answer(
        self, found: Found | None, request: web.Request, logged: LoggedRequest
    ) -> web.StreamResponse:
        uploads = await read_body(request, logged)
        ban = self._services.limits.ban() if self._services.faults.rate_limits else None
        if ban is not None:
            logged.status = 429
            return _banned(ban)
        carry_out = partial(self._outcome, found, request, logged, uploads)
        fault = self._services.faults.take(logged.method, logged.path, logged.json)
        outcome = carry_out() if fault is None else await _with_fault(fault, carry_out)
        if outcome is None:
            if request.transport is not None:
                request.transport.abort()
            return web.Response(status=500)
        logged.status, logged.response = outcome.status, outcome.body
        scope = outcome.headers.get("X-RateLimit-Scope")
        self._services.limits.note_status(logged.status, scope)
        return _response(outcome)

    def _outcome(
        self,
        found: Found | None,
        request: web.Request,
        logged: LoggedRequest,
        uploads: "list[Upload] | DiscordError",
    ) -> Outcome:
        headers: dict[str, str] = {}
        # Time also passes without `Clock.advance`, which would archive them.
        self._services.world.archive_idle_threads()
        try:
            if found is None:
                raise self._unknown(logged)
            route, parameters = found
            headers = self._authorize(route, request, parameters)
            if isinstance(uploads, DiscordError):
                raise uploads
            call = Request(
                services=self._services,
                parameters=parameters,
                query=logged.query,
                body=logged.json,
                uploads=uploads,
            )
            reply = route.handler(call)
        except NotImplementedError as unsupported:
            self.unknown_routes.append(str(unsupported))
            return Outcome(501, {"message": str(unsupported), "code": 0}, headers)
        except DiscordError as error:
            return Outcome(error.status, error.body, headers | error.headers)
        return Outcome(reply.status, reply.body, headers)

    def _authorize(
        self, route: Route, request: web.Request, parameters: dict[str, str]
    ) -> dict[str, str]:
        """Check the token and rate limits; returns the headers, raises DiscordError (401, 429)."""
        given = request.headers.get("Authorization")
        if given != f"Bot {self._token.value}" and not (route.is_open and given is None):
            raise DiscordError(401, 0, "401: Unauthorized")
        if not self._services.faults.rate_limits:
            return open_headers(route.name)
        major = route.major(parameters)
        return self._services.limits.check(route.name, major, counted=not route.is_open)

    def _unknown(self, logged: LoggedRequest) -> DiscordError:
        self.unknown_routes.append(f"{logged.method} {logged.path}")
        log.warning("The sandbox has no route %s %s", logged.method, logged.path)
        if is_known(logged.path):
            return DiscordError(405, 0, "405: Method Not Allowed")
        return refusal(0)


async def _with_fault(fault: Fault, carry_out: Callable[[], Outcome]) -> Outcome | None:
    """The outcome of a request under a fault; None if the connection is to be dropped."""
    if not fault.after:
        await asyncio.sleep(fault.delay)
    answers_normally = not fault.drop and fault.status is None
    outcome = carry_out() if fault.after or answers_normally else None
    if fault.after:
        await asyncio.sleep(fault.delay)
    if outcome is not None and fault.body is not None and isinstance(outcome.body, dict):
        outcome = Outcome(outcome.status, outcome.body | fault.body, outcome.headers)
    if fault.instead is not ...:
        status = fault.status or (outcome.status if outcome is not None else 500)
        return Outcome(status, fault.instead, {"Via": "1.1 google"})
    if fault.drop or fault.status is None:
        return outcome if answers_normally else None
    if fault.status == 429:
        error = limited(fault.retry_after)
        return Outcome(429, error.body, error.headers | {"X-RateLimit-Scope": "shared"})
    body = {"message": f"{fault.status}: ordered", "code": fault.code}
    if fault.status >= 500 and not fault.code:
        return Outcome(fault.status, GATEWAY_PAGE.format(status=fault.status), {})
    return Outcome(fault.status, body, {})


def _banned(ban: timedelta) -> web.Response:
    """Cloudflare's answer, given before Discord sees the request: no JSON, and no Via header."""
    headers = {"Retry-After": str(math.ceil(ban.total_seconds()))}
    return web.Response(status=429, text="error code: 1015", headers=headers)


def _response(outcome: Outcome) -> web.Response:
    if outcome.status == 204:
        return web.Response(status=204, headers=outcome.headers)
    if isinstance(outcome.body, str):
        return web.Response(status=outcome.status, text=outcome.body, content_type="text/html")
    # Exactly this content type: discord.py doesn't parse JSON if it has a charset.
    return web.Response(
        status=outcome.status,
        body=json.dumps(outcome.body, separators=(",", ":")).encode(),
        headers={**outcome.headers, "Content-Type": "application/json"},
    )


async def read_body(request: web.Request, logged: LoggedRequest) -> "list[Upload] | DiscordError":
    """The files that a request uploads, or the error to refuse it with; sets `logged.json`."""
    try:
        if request.headers.get("Content-Type", "").startswith("multipart/form-data"):
            logged.multipart = True
            return await _read_multipart(request, logged)
        raw = await request.read()
        if raw:
            logged.json = _parse(raw)
    except DiscordError as unreadable:
        return unreadable
    return []


async def _read_multipart(request: web.Request, logged: LoggedRequest) -> list[Upload]:
    uploads: list[Upload] = []
    async for part in await request.multipart():
        if not isinstance(part, BodyPartReader):
            raise refusal(50109)
        raw = bytes(await part.read(decode=False))
        if part.filename is None:
            if part.name != "payload_json":
                raise refusal(50109)
            logged.json = _parse(raw)
            continue
        content_type = part.headers.get("Content-Type", "application/octet-stream")
        name = part.name or ""
        number = name.removeprefix("files[").removesuffix("]")
        index = int(number) if name.startswith("files[") and number.isdigit() else len(uploads)
        uploads.append(Upload(index, part.filename, content_type, raw))
        logged.files.append((part.filename, content_type))
    return uploads


def _parse(raw: bytes) -> Any:  # noqa: ANN401 - JSON
    try:
        return json.loads(raw)
    except ValueError:
        raise refusal(50109) from None
