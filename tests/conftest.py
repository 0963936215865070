"""Fixtures of the sandbox and of database servers, and the marks of slow and long tests."""

import gc
import os
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

# Log plain tracebacks, as the bot does: rich ones with local variables take seconds.
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
    """Keep the cogs' modules in `sys.modules`: unloading an extension removes them from there."""
    global _modules  # noqa: PLW0603 - as there is one sys.modules
    if len(sys.modules) != _modules:  # otherwise no module has been imported since the last test
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
def pointed(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A monkeypatch that restores discord.py's three addresses after the test."""
    monkeypatch.setattr(library.http.Route, "BASE", library.http.Route.BASE)
    monkeypatch.setattr(library.Asset, "BASE", library.Asset.BASE)
    monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", DiscordWebSocket.DEFAULT_GATEWAY)
    return monkeypatch


def point(monkeypatch: pytest.MonkeyPatch, sandbox: Sandbox) -> None:
    """Point discord.py at the sandbox."""
    monkeypatch.setattr(library.http.Route, "BASE", f"{sandbox.url}/api/v10")
    monkeypatch.setattr(library.Asset, "BASE", sandbox.url)
    monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(sandbox.gateway.url))


@pytest.fixture
async def discord(pointed: pytest.MonkeyPatch) -> AsyncIterator[Sandbox]:
    """A sandbox that discord.py is pointed at.

    After the test, all requests must have been known to the sandbox and valid by Discord's OpenAPI
    document, if DISCORD_OPENAPI has its path.
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
    """A computer for Pico that chooses at once and records its calls."""
    computer = Lowest(PICO)
    monkeypatch.setitem(COMPUTERS, "pico", computer)
    return computer


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A temporary PostgreSQL server with the database that `server_database` uses."""
    cluster = made_servers.started()
    yield cluster
    cluster.remove()


@pytest.fixture(scope="session")
def server_database(cluster: Cluster) -> Iterator[ServerDatabase]:
    """A database on that server, shared by all tests of a session."""
    found = made_servers.database_of(cluster)
    yield found
    found.client.close()


def pytest_configure() -> None:
    """Keep a worker and the processes that it starts on one core, if there is a worker for each.

    Passing a statement to a database's thread and back takes twice the CPU between two cores, and
    the whole suite a sixth more.
    """
    number = os.environ.get("PYTEST_XDIST_WORKER", "").removeprefix("gw")
    if number and hasattr(os, "sched_setaffinity"):  # not on macOS
        cores = sorted(os.sched_getaffinity(0))
        if int(os.environ["PYTEST_XDIST_WORKER_COUNT"]) >= len(cores):
            os.sched_setaffinity(0, {cores[int(number) % len(cores)]})


LEFT_OUT = pytest.StashKey[Counter[str]]()
"""By module: how many tests were left out because PostgreSQL isn't installed."""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if document() is None:
        sentence = f"{VARIABLE} is not set: requests were not checked against Discord's document."
        terminalreporter.write_line(sentence, yellow=True)
    if left_out := terminalreporter.config.stash.get(LEFT_OUT, None):
        sentence = f"{MISSING} ({left_out.total()} tests in {len(left_out)} modules left out)"
        terminalreporter.write_line(sentence, yellow=True)


UNMEASURED = ("tests/sandbox/",)
"""Tests that run hardly any of the measured code, so that coverage would only slow them down."""


SLOW_FOLDERS = {"e2e", "guilds", "live", "privacy", "sandbox", "scheduling", "sharing"}
"""Folders in which nearly every test needs the sandbox, or plays whole matches in a database."""

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
"""The last word in the names of modules whose tests let computers play, sample many deals, compare
fast simulators with the rules, resume matches, or draw every position."""

ALL = pytest.Config.ArgsSource.TESTPATHS
"""The source of pytest's arguments when no tests are named on the command line."""

WAITING = {
    "test_garbled_connections.py",
    "test_gateway.py",
    "test_guest.py",
    "test_private_hands.py",
    "test_processes.py",
    "test_starting.py",
    "test_without_database.py",
}
"""Modules with tests that mostly wait for seconds, for example for a lease to expire."""

LATER_SEED = re.compile(r"-seed[1-9]\d*\]$")
"""In ids of contract tests: a match that isn't the first of its variant."""


def is_slow(item: pytest.Item) -> bool:
    """Whether `make test-fast` leaves a test out, apart from those with an explicit mark."""
    *folders, module = item.nodeid.partition("::")[0].split("/")  # a `Path` would be slow
    return (
        not SLOW_FOLDERS.isdisjoint(folders)
        or "discord" in getattr(item, "fixturenames", ())  # it needs a sandbox
        or "postgresql" in item.keywords  # it also runs on SQLite, without a server
        or getattr(getattr(item, "obj", None), "is_hypothesis_test", False)  # a hundred examples
        or module.removesuffix(".py").rsplit("_", 1)[-1] in SLOW_TOPICS
        or LATER_SEED.search(item.nodeid) is not None
    )


def pytest_collection(session: pytest.Session) -> None:
    """Turn garbage collection off while thousands of tests are collected: they all stay."""
    gc.disable()
    if hasattr(session.config, "workerinput") and session.config.args_source is ALL:
        rewrite_share(session.config)


def pytest_collection_finish() -> None:
    gc.freeze()  # garbage collection never looks at the collected tests
    gc.set_threshold(10_000)  # new objects, as in `bot/cli.py`: most tests start a bot
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> Iterator[None]:
    """Mark tests, and leave out those that can't run on this machine."""
    mark(items)
    yield
    keep_together(config, items)
    if binaries() is None:
        leave_out(config, [item for item in items if "postgresql" in item.keywords], items)


def leave_out(config: pytest.Config, unwanted: list[pytest.Item], items: list[pytest.Item]) -> None:
    """Deselect these tests, and record how many there are."""
    items[:] = [item for item in items if item not in set(unwanted)]
    config.hook.pytest_deselected(items=unwanted)
    config.stash[LEFT_OUT] = Counter(item.nodeid.partition("::")[0] for item in unwanted)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Let a worker of xdist report to its controller what it has left out."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left out"] = dict(session.config.stash.get(LEFT_OUT, {}))


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take over what a worker has left out; it is the same for all workers."""
    node.config.stash[LEFT_OUT] = Counter(getattr(node, "workeroutput", {}).get("left out"))


def mark(items: list[pytest.Item]) -> None:
    """Mark slow tests, and sort the longest first, so that none of them runs alone at the end."""

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
