"""The sandbox as a fixture, and the check of everything a test made the bot send."""

from collections.abc import AsyncIterator, Iterator

import discord as library
import pytest
import yarl
from discord.gateway import DiscordWebSocket

from sandbox import Sandbox
from tests.support.discord_document import VARIABLE, document, violations


@pytest.fixture
def pointed(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Whatever is changed of discord.py's three addresses is put back after the test."""
    monkeypatch.setattr(library.http.Route, "BASE", library.http.Route.BASE)
    monkeypatch.setattr(library.Asset, "BASE", library.Asset.BASE)
    monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", DiscordWebSocket.DEFAULT_GATEWAY)
    return monkeypatch


def point(monkeypatch: pytest.MonkeyPatch, sandbox: Sandbox) -> None:
    """Let discord.py talk to the sandbox."""
    monkeypatch.setattr(library.http.Route, "BASE", f"{sandbox.url}/api/v10")
    monkeypatch.setattr(library.Asset, "BASE", sandbox.url)
    monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(sandbox.gateway.url))


@pytest.fixture
async def discord(pointed: pytest.MonkeyPatch) -> AsyncIterator[Sandbox]:
    """A sandbox that discord.py is pointed at.

    After the test, all that was sent must agree with Discord's document (where DISCORD_OPENAPI says
    where that is) and must have been known to the sandbox.
    """
    async with Sandbox() as sandbox:
        point(pointed, sandbox)
        yield sandbox
    assert not sandbox.unknown_routes
    assert not violations(sandbox.requests)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if document() is None:
        sentence = f"{VARIABLE} is not set: requests were not checked against Discord's document."
        terminalreporter.write_line(sentence, yellow=True)


UNMEASURED = ("tests/sandbox/",)
"""Where tests run little or nothing of what coverage is measured of, and would only be slowed."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The longest tests first, so that no processor waits for the last of them alone."""

    def rank(item: pytest.Item) -> int:
        return 0 if "death" in item.keywords else 1 if "browser" in item.keywords else 2

    items.sort(key=rank)
    for item in items:
        if rank(item) < 2 or item.path.relative_to(config.rootpath).as_posix().startswith(
            UNMEASURED
        ):
            item.add_marker("no_cover")
