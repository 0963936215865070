"""How the sandbox POSTs interactions to a bot's endpoint, as Discord does."""

import asyncio
import json

import pytest
from aiohttp import web
from nacl.exceptions import BadSignatureError
from nacl.signing import VerifyKey

from sandbox.endpoint import UnverifiedError
from tests.support.sandboxes import quick_sandbox


class Program:
    """A web server that answers everything with one status, or that checks signatures."""

    def __init__(self, key=None, *, status=202, pong=None, breaks=False):
        self._key = key and VerifyKey(bytes.fromhex(key))
        self._status = status
        self._pong = {"type": 1} if pong is None else pong
        self._breaks = breaks
        self.heard = []

    async def serve(self, request):
        body, headers = await request.read(), request.headers
        if self._key is not None:
            try:
                signature = bytes.fromhex(headers["X-Signature-Ed25519"])
                self._key.verify(headers["X-Signature-Timestamp"].encode() + body, signature)
            except BadSignatureError:
                return web.Response(status=401)
        payload = json.loads(body)
        if payload["type"] == 1:
            return web.json_response(self._pong)
        self.heard.append(payload)
        if self._breaks:
            request.transport.abort()
        return web.Response(status=self._status)

    async def __aenter__(self):
        app = web.Application()
        app.router.add_post("/", self.serve)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        host, port = self._runner.addresses[0]
        self.url = f"http://{host}:{port}/"
        return self

    async def __aexit__(self, *error):
        await self._runner.cleanup()


@pytest.fixture
async def sandbox():
    async with quick_sandbox() as sandbox:
        sandbox.clock.freeze()
        yield sandbox


def start(sandbox):
    """Start an autocomplete interaction, which needs no registered command."""
    ann = sandbox.person("Ann")
    games = sandbox.world.channel("games")
    return sandbox.interactions.start(4, ann.user, games, {"id": "1", "name": "x", "type": 1})


async def test_a_url_is_accepted_if_it_answers_a_ping_and_refuses_a_forged_one(sandbox):
    async with Program(sandbox.endpoint.public_key) as program:
        await sandbox.endpoint.register(program.url)

        interaction = start(sandbox)
        await asyncio.gather(*sandbox.endpoint._posting)

    assert [heard["id"] for heard in program.heard] == [str(interaction.id)]
    assert not interaction.failed


async def test_a_started_interaction_is_sent_even_if_the_url_is_removed_meanwhile(sandbox):
    async with Program(sandbox.endpoint.public_key) as program:
        await sandbox.endpoint.register(program.url)

        interaction = start(sandbox)
        await sandbox.endpoint.register()
        await asyncio.gather(*sandbox.endpoint._posting)

    assert [heard["id"] for heard in program.heard] == [str(interaction.id)]


@pytest.mark.parametrize(("checks", "pong"), [(False, None), (True, {}), (True, {"type": 4})])
async def test_other_urls_are_refused(sandbox, checks, pong):
    key = sandbox.endpoint.public_key if checks else None
    async with Program(key, pong=pong) as program:
        with pytest.raises(UnverifiedError):
            await sandbox.endpoint.register(program.url)

    assert sandbox.endpoint.urls == ()


async def test_the_next_url_is_tried_if_nothing_listens_or_a_process_is_shutting_down(sandbox):
    async with Program() as gone:
        pass
    async with Program(status=503) as ending, Program() as there:
        sandbox.endpoint.urls = (gone.url, ending.url, there.url)

        interactions = [start(sandbox) for _ in range(3)]
        await asyncio.gather(*sandbox.endpoint._posting)

    assert len(there.heard) == 3
    assert not any(interaction.failed for interaction in interactions)


async def test_the_next_url_is_tried_if_a_connection_breaks(sandbox):
    async with Program(breaks=True) as breaking, Program() as there:
        sandbox.endpoint.urls = (breaking.url, there.url)

        interactions = [start(sandbox) for _ in range(2)]
        await asyncio.gather(*sandbox.endpoint._posting)

    assert len(there.heard) == 2
    assert breaking.heard  # it may have handled the interaction
    assert not any(interaction.failed for interaction in interactions)


@pytest.mark.parametrize("status", [400, 401, 500, 503])
async def test_an_interaction_that_no_url_accepts_fails_at_once(sandbox, status):
    async with Program(status=status) as program:
        sandbox.endpoint.urls = (program.url,)

        interaction = start(sandbox)
        await sandbox.interactions.answered(interaction)

    assert interaction.failed


async def test_double_delivery_goes_to_two_different_urls(sandbox):
    sandbox.faults.deliver_twice = True
    async with Program() as one, Program() as other:
        sandbox.endpoint.urls = (one.url, other.url)

        start(sandbox)
        await asyncio.gather(*sandbox.endpoint._posting)

    assert one.heard == other.heard
    assert len(one.heard) == 1


async def test_a_double_delivery_succeeds_if_one_url_accepts_it(sandbox):
    sandbox.faults.deliver_twice = True
    async with Program() as one, Program(status=400) as other:
        sandbox.endpoint.urls = (one.url, other.url)

        interaction = start(sandbox)
        await asyncio.gather(*sandbox.endpoint._posting)

    assert 400 in dict(sandbox.endpoint.answers).values()
    assert not interaction.failed
