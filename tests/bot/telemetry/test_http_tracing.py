"""Metrics of requests to Discord by kind, and of the time until people are answered."""

from types import SimpleNamespace

import aiohttp
import discord
import pytest
from aiohttp import web
from cachetools import FIFOCache

from bot.telemetry import refused_requests
from bot.telemetry.http_tracing import Tracing, kind
from bot.telemetry.metrics import ANSWERS, REQUEST_SECONDS, REQUESTS
from bot.telemetry.refused_requests import RequestsStoppedError

TOKEN = "aW50ZXJhY3Rpb246MTI"  # noqa: S105 - made up


@pytest.mark.parametrize(
    ("method", "path", "expected"),
    [
        ("PATCH", "/channels/12/messages/34", "PATCH /channels/{}/messages/{}"),
        ("POST", f"/interactions/12/{TOKEN}/callback", "POST /interactions/{}/{}/callback"),
        ("DELETE", f"/webhooks/12/{TOKEN}/messages/34", "DELETE /webhooks/{}/{}/messages/{}"),
        ("GET", "/users/@me", "GET /users/@me"),
        ("PUT", "/applications/12/commands", "PUT /applications/{}/commands"),
        ("GET", "/something/new", "GET /{}/{}"),
    ],
)
def test_requests_are_counted_by_kind_without_ids(method, path, expected):
    assert kind(method, f"/api/v10{path}") == expected


def test_an_address_outside_the_api_counts_as_the_gateway():
    assert kind("GET", "/?v=10&encoding=json") == "gateway"


def total(counter, *labels):
    return counter.labels(*labels)._value.get()


def observed(histogram, *labels):
    return sum(bucket.get() for bucket in histogram.labels(*labels)._buckets)


class Discord:
    """Sends requests to a server that stands in for Discord."""

    def __init__(self, url, session):
        self._url = url
        self._session = session

    async def ask(self, path, method="POST"):
        async with self._session.request(method, f"{self._url}/api/v10{path}") as answer:
            return answer.status


@pytest.fixture
def watched():
    return Tracing()


@pytest.fixture
async def server(watched):
    async def answer(request):
        if "cut" in request.path:
            request.transport.abort()
        forbidden = 403 if "forbidden" in request.path else 200
        return web.Response(status=404 if "gone" in request.path else forbidden)

    app = web.Application()
    app.router.add_route("*", "/{rest:.*}", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = runner.addresses[0]
    async with aiohttp.ClientSession(trace_configs=[watched.config]) as session:
        yield Discord(f"http://{host}:{port}", session)
    await runner.cleanup()


async def test_a_request_is_counted_with_its_status_and_duration(server):
    labels = ("POST /channels/{}/{}", 404)
    before = total(REQUESTS, *labels), observed(REQUEST_SECONDS, labels[0])

    await server.ask("/channels/12/gone")

    after = total(REQUESTS, *labels), observed(REQUEST_SECONDS, labels[0])
    assert (after[0] - before[0], after[1] - before[1]) == (1, 1)


async def test_a_request_without_an_answer_is_counted_with_status_zero(server):
    labels = ("POST /channels/{}/{}", 0)
    before = total(REQUESTS, *labels)

    with pytest.raises(aiohttp.ClientError):
        await server.ask("/channels/12/cut")

    assert total(REQUESTS, *labels) == before + 1


def interaction(number, what=discord.InteractionType.component):
    return SimpleNamespace(id=number, type=what)


@pytest.mark.parametrize(
    ("what", "named"),
    [
        (discord.InteractionType.component, "click"),
        (discord.InteractionType.application_command, "command"),
        (discord.InteractionType.autocomplete, "autocomplete"),
        (discord.InteractionType.modal_submit, "modal"),
        (discord.InteractionType.ping, "other"),
    ],
)
async def test_the_time_until_the_first_answer_is_recorded_once(server, watched, what, named):
    before = observed(ANSWERS, named)

    watched.arrived(interaction(12, what))
    await server.ask(f"/interactions/12/{TOKEN}/callback")
    await server.ask(f"/webhooks/1/{TOKEN}/messages/@original", "PATCH")
    await server.ask(f"/interactions/12/{TOKEN}/callback")

    assert observed(ANSWERS, named) == before + 1


async def test_a_refused_answer_does_not_count_as_an_answer(server, watched):
    before = observed(ANSWERS, "click")

    watched.arrived(interaction(12))
    await server.ask("/interactions/12/gone/callback")

    assert observed(ANSWERS, "click") == before


async def test_interactions_that_are_never_answered_are_dropped_in_the_end(server, watched):
    watched._waiting = FIFOCache(2)
    before = observed(ANSWERS, "click")

    for number in (12, 13, 14):
        watched.arrived(interaction(number))
    for number in (12, 13, 14):
        await server.ask(f"/interactions/{number}/{TOKEN}/callback")

    assert observed(ANSWERS, "click") == before + 2


async def test_refusals_are_counted_and_can_stop_a_request_before_it_is_sent(
    server, watched, monkeypatch
):
    monkeypatch.setattr(refused_requests, "MAX_REFUSED", 2)
    monkeypatch.setattr(refused_requests, "CALM", 0)
    assert await server.ask("/channels/12/forbidden") == 403
    assert await server.ask("/channels/12/forbidden") == 403
    labels = ("POST /channels/{}/{}", 200)
    before = total(REQUESTS, *labels)

    with pytest.raises(RequestsStoppedError):
        await server.ask("/channels/12/messages")

    assert total(REQUESTS, *labels) == before
    assert await server.ask(f"/interactions/12/{TOKEN}/callback") == 200
    assert await server.ask(f"/webhooks/1/{TOKEN}/messages/@original", "PATCH") == 200
