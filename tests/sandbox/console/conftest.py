"""A sandbox with its page, the page's WebSocket without a browser, and the page in Chromium.

All fixtures run in one event loop, so that all tests can share one Chromium, which takes longer to
start than most of them take.
"""

import asyncio
import json
from typing import Any

import aiohttp
import discord as library
import pytest
import pytest_asyncio
import yarl
from discord.gateway import DiscordWebSocket

from sandbox.console import Console
from sandbox.messages import Flag
from sandbox.payload_reader import MessagePayload
from sandbox.posting import new_message, post
from tests.support import browser
from tests.support.sandboxes import quick_sandbox
from tests.support.showcase_bot import Showcase


@pytest_asyncio.fixture(loop_scope="session")
async def console():
    """The page of a running sandbox."""
    sandbox = quick_sandbox()
    made = Console(sandbox)
    async with sandbox:
        sandbox.clock.freeze()  # no answer is too late on a slow machine; tests move the clock
        yield made
        await made.close()


class Page:
    """The state of a page, built from the server's messages as the browser does."""

    def __init__(self, stream):
        self.stream = stream
        self.panes: dict[str, Any] = {
            side: {"head": {}, "order": [], "messages": {}} for side in ("left", "right")
        }
        self.raw = {"left": "", "right": ""}
        self.panel = {"lines": []}
        self.world = {}
        self.replies = {}
        self.number = 0

    async def watch(self, side, person, channel=None):
        """Let a pane show a channel as somebody sees it."""
        await self.send(kind="watch", pane=side, member=str(person.id), channel=channel)
        await self.until(
            lambda: self.panes[side]["head"].get("member", {}).get("id") == str(person.id)
        )

    async def send(self, **message):
        await self.stream.send_str(json.dumps(message))

    async def ask(self, **message):
        self.number += 1
        number = self.number
        await self.send(number=number, **message)
        await self.until(lambda: number in self.replies)
        return self.replies[number]

    def act(self, person, verb, **details):
        return self.ask(kind="act", verb=verb, member=str(person.id), **details)

    def order(self, verb, **details):
        return self.ask(kind="panel", verb=verb, **details)

    async def until(self, holds):
        async with asyncio.timeout(60):
            while not holds():
                text = await self.stream.receive_str()
                self.hear(json.loads(text), text)

    def hear(self, news, text):
        match news["kind"]:
            case "reply":
                self.replies[news["to"]] = news["reply"]
            case "world":
                self.world = news
            case "panel":
                lines = news.pop("lines", {"list": []})["list"]
                self.panel = {**self.panel, **news, "lines": [*self.panel["lines"], *lines]}
            case "pane":
                self.raw[news["pane"]] += text
                pane = self.panes[news["pane"]]
                pane["head"] = news.get("head", pane["head"])
                pane["order"] = news.get("order", pane["order"])
                pane["messages"] |= news.get("messages", {})
            case kind:
                pytest.fail(f"the page has heard of {kind}, which it doesn't know")

    def texts(self, side):
        pane = self.panes[side]
        return [pane["messages"][number]["content"] for number in pane["order"]]

    async def shows(self, side, text):
        await self.until(lambda: text in self.texts(side))


@pytest_asyncio.fixture(loop_scope="session")
async def page(console):
    """A page connected to the sandbox without a browser."""
    address = f"{console.sandbox.url}/console/socket"
    async with aiohttp.ClientSession() as session, session.ws_connect(address) as stream:
        yield Page(stream)


@pytest.fixture
def people(console):
    return {person.name: person for person in console.sandbox.clients}


@pytest.fixture
def ann(people):
    return people["Ann"]


@pytest.fixture
def bo(people):
    return people["Bo"]


@pytest.fixture
def write(console):
    """A function that lets the bot send a message."""
    world = console.sandbox.world

    def write(place, text, only=None, reference=None):
        channel = world.channel(place)
        message = new_message(world, channel, world.bot)
        message.reference = reference
        if only is not None:
            message.ephemeral_to = only.id
            message.flags = int(Flag.EPHEMERAL)
        return post(world, channel, message, MessagePayload(content=text))

    return write


@pytest_asyncio.fixture(loop_scope="session")
async def bot(console, pointed):
    """The showcase, connected and with its commands registered."""
    sandbox = console.sandbox
    pointed.setattr(library.http.Route, "BASE", f"{sandbox.url}/api/v10")
    pointed.setattr(library.Asset, "BASE", sandbox.url)
    pointed.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(sandbox.gateway.url))
    async with Showcase() as client:
        running = asyncio.create_task(client.start(sandbox.token))
        await sandbox.ready()
        yield client
        await client.close()
        await running


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium():
    async with browser.chromium() as chromium:
        yield chromium


@pytest_asyncio.fixture(loop_scope="session")
async def window(chromium, console, bot):
    """The page in a browser window, with the bot online; its console must show no errors."""
    tab = await chromium.new_page(viewport={"width": 1400, "height": 900}, reduced_motion="reduce")
    tab.set_default_timeout(browser.PATIENCE)
    problems = []
    tab.on("pageerror", lambda error: problems.append(str(error)))
    tab.on("console", lambda line: problems.append(line.text) if line.type == "error" else None)
    tab.on(
        "request",
        lambda request: problems.append(request.url) if _is_foreign(request, console) else None,
    )
    await tab.goto(console.sandbox.url)
    await tab.locator('[data-pane="right"] [data-channel-name="games"]').wait_for()
    yield tab
    assert not problems


class Answers:
    """Passes on what the server sends to a page, at once or when `release` is called."""

    def __init__(self):
        self.held = None

    def connect(self, page):
        server = page.connect_to_server()
        server.on_message(lambda text: self.pass_on(page, text))

    def pass_on(self, page, text):
        if self.held is None:
            page.send(text)
        else:
            self.held.append((page, text))

    def hold(self):
        self.held = []

    def release(self):
        held, self.held = self.held, None
        for page, text in held:
            page.send(text)


@pytest_asyncio.fixture(loop_scope="session")
async def answers(window):
    """The server's answers to this window, which the test can hold back."""
    made = Answers()
    await window.route_web_socket("**/console/socket", made.connect)
    await window.reload()
    await window.locator('[data-pane="left"] [data-channel-name="games"]').wait_for()
    return made


@pytest.fixture
def left(window):
    return window.locator('[data-pane="left"]')


@pytest.fixture
def right(window):
    return window.locator('[data-pane="right"]')


def _is_foreign(request, console):
    """Whether a request of the page goes to a host other than the sandbox."""
    return not request.url.startswith((console.sandbox.url, "data:"))
