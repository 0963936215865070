"""The sandbox as a fixture, and the check of everything a test made the bot send."""

import gc
import re
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import discord as library
import pytest
import structlog
import yarl
from discord.gateway import DiscordWebSocket

from games.computers import COMPUTERS
from games.pico import PICO
from sandbox import Sandbox
from tests.support import compiled, made_databases, made_servers
from tests.support.cluster import MISSING, Cluster, ServerDatabase, binaries
from tests.support.discord_document import VARIABLE, document, violations
from tests.support.groups import keep_together
from tests.support.ports import free_port
from tests.support.rewritten import rewrite_share
from tests.support.sandboxes import quick_sandbox
from tests.support.thinking import Lowest

# What is logged of an error is its lines, as in the bot: drawing all that it knew takes seconds.
structlog.configure(
    processors=[
        *structlog.get_config()["processors"][:-1],
        structlog.dev.ConsoleRenderer(
            colors=False, exception_formatter=structlog.dev.plain_traceback
        ),
    ]
)


_cogs: dict[str, ModuleType] = {}
_modules = 0


@contextmanager
def known_cogs() -> Iterator[None]:
    """Unloading a cog forgets its modules, which the tests have imported: remember them."""
    global _modules  # noqa: PLW0603 - as there is one sys.modules
    if len(sys.modules) != _modules:  # else they are those of before the last test
        _modules = len(sys.modules)
        _cogs.update((name, sys.modules[name]) for name in sys.modules if name.startswith("cogs"))
    yield
    sys.modules.update(_cogs)


@pytest.fixture(autouse=True)
def _known_cogs() -> Iterator[None]:
    with known_cogs():
        yield


compiled.share()
made_databases.trust_memory()


@pytest.fixture(scope="session", autouse=True)
def _made_databases(tmp_path_factory: pytest.TempPathFactory) -> None:
    made_databases.keep(tmp_path_factory)


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
    async with quick_sandbox() as sandbox:
        point(pointed, sandbox)
        yield sandbox
    assert not sandbox.unknown_routes
    assert not violations(sandbox.requests)


@pytest.fixture
def port() -> int:
    return free_port()


@pytest.fixture
def lowest(monkeypatch: pytest.MonkeyPatch) -> Lowest:
    """The computer of Pico is one that chooses at once and notes what it was asked."""
    computer = Lowest(PICO)
    monkeypatch.setitem(COMPUTERS, "pico", computer)
    return computer


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL server of our own."""
    cluster = made_servers.started()
    yield cluster
    cluster.remove()


@pytest.fixture(scope="session")
def server_database(cluster: Cluster) -> Iterator[ServerDatabase]:
    """A database on that server, for one test after the other."""
    found = made_servers.database_of(cluster)
    yield found
    found.client.close()


LEFT_OUT = pytest.StashKey[Counter[str]]()
"""How many tests were left out of each module because PostgreSQL is not installed."""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if document() is None:
        sentence = f"{VARIABLE} is not set: requests were not checked against Discord's document."
        terminalreporter.write_line(sentence, yellow=True)
    if left_out := terminalreporter.config.stash.get(LEFT_OUT, None):
        sentence = f"{MISSING} ({left_out.total()} tests in {len(left_out)} modules left out)"
        terminalreporter.write_line(sentence, yellow=True)


UNMEASURED = ("tests/sandbox/",)
"""Where tests run little or nothing of what coverage is measured of, and would only be slowed."""


SLOW_FOLDERS = {"e2e", "guilds", "live", "privacy", "sandbox", "scheduling", "sharing"}
"""Where nearly every test needs the sandbox, or plays whole matches in a database."""

SLOW_TOPICS = {
    "choices",
    "coach",
    "computer",
    "computers",
    "conservation",
    "determinization",
    "equilibrium",
    "jobs",
    "pictures",
    "pool",
    "reopenings",
    "state",
    "wins",
    "yardstick",
}
"""How the names of modules end whose tests let computers play, sample many deals, compare the quick
simulators with the rules, resume matches, or draw every position."""

ALL = pytest.Config.ArgsSource.TESTPATHS
"""How pytest is called where no tests are named."""

WAITING = {
    "test_garbled_connections.py",
    "test_gateway.py",
    "test_guest.py",
    "test_private_hands.py",
    "test_processes.py",
    "test_starting.py",
    "test_without_database.py",
}
"""Where many a test waits for seconds and computes little, as for a lease to end."""

LATER_SEED = re.compile(r"-seed[1-9]\d*\]$")
"""A match of the contract tests beyond the first of its variant."""


def is_slow(item: pytest.Item) -> bool:
    """Whether `make test-fast` leaves a test out, besides those that are marked one by one."""
    *folders, module = item.nodeid.partition("::")[0].split("/")  # a path would be dear
    return (
        not SLOW_FOLDERS.isdisjoint(folders)
        or "discord" in getattr(item, "fixturenames", ())  # it needs a sandbox
        or "postgresql" in item.keywords  # the same runs on SQLite, with no server to wait for
        or getattr(getattr(item, "obj", None), "is_hypothesis_test", False)  # a hundred examples
        or module.removesuffix(".py").rsplit("_", 1)[-1] in SLOW_TOPICS
        or LATER_SEED.search(item.nodeid) is not None
    )


def pytest_collection(session: pytest.Session) -> None:
    """Look for no garbage while thousands of tests are collected: all of it stays."""
    gc.disable()
    if hasattr(session.config, "workerinput") and session.config.args_source is ALL:
        rewrite_share(session.config)


def pytest_collection_finish() -> None:
    gc.freeze()  # nor later among what was collected
    gc.set_threshold(10_000)  # new objects, as for a bot (`bot/cli.py`): most tests start one
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> Iterator[None]:
    """Mark tests, and of those that were asked for leave out what cannot run here."""
    mark(items)
    yield
    keep_together(config, items)
    if binaries() is None:
        leave_out(config, [item for item in items if "postgresql" in item.keywords], items)


def leave_out(config: pytest.Config, unwanted: list[pytest.Item], items: list[pytest.Item]) -> None:
    """Take these out, and remember how many they are."""
    items[:] = [item for item in items if item not in set(unwanted)]
    config.hook.pytest_deselected(items=unwanted)
    config.stash[LEFT_OUT] = Counter(item.nodeid.partition("::")[0] for item in unwanted)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A worker of xdist tells who started it what it has left out."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left out"] = dict(session.config.stash.get(LEFT_OUT, {}))


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """All workers have left out the same."""
    node.config.stash[LEFT_OUT] = Counter(getattr(node, "workeroutput", {}).get("left out"))


def mark(items: list[pytest.Item]) -> None:
    """Mark what is slow; the longest tests first, so that no processor waits for the last alone."""

    def rank(item: pytest.Item) -> int:
        if "death" in item.keywords:
            return 0
        if "browser" in item.keywords:
            return 1
        return 2 if item.nodeid.partition("::")[0].rpartition("/")[2] in WAITING else 3

    items.sort(key=rank)
    for item in items:
        if "cluster" in getattr(item, "fixturenames", ()):
            item.add_marker("postgresql")
        if is_slow(item):
            item.add_marker("slow")
        if rank(item) < 2 or item.nodeid.startswith(UNMEASURED):
            item.add_marker("no_cover")
