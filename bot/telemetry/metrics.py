"""Metrics of this process for the bot's owner, without anybody's id."""

import asyncio
from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    Histogram,
    PlatformCollector,
    ProcessCollector,
)

REGISTRY: Final = CollectorRegistry(auto_describe=True)
ProcessCollector(registry=REGISTRY)
PlatformCollector(registry=REGISTRY)
GCCollector(registry=REGISTRY)

UNKNOWN: Final = "unknown"
"""The label for what only forged and old messages name: labels are kept forever."""

LOOK_SECONDS: Final = 0.5
"""Seconds between two measurements of how late the event loop is."""

_SHORT: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
_LONG: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0)

CLICKS: Final = Counter(
    "facedown_clicks",
    "Clicks on buttons and menus, by what they ask for.",
    ["act"],
    registry=REGISTRY,
)
COMMANDS: Final = Counter(
    "facedown_commands",
    "Slash commands and context menus.",
    ["command"],
    registry=REGISTRY,
)
FLOODED: Final = Counter(
    "facedown_flooded",
    "Clicks and commands that came too fast one after the other to be done.",
    registry=REGISTRY,
)
ENDPOINT: Final = Counter(
    "facedown_endpoint_requests",
    "Requests to the interactions endpoint: 202 taken, 401 not signed by Discord, 503 ending.",
    ["status"],
    registry=REGISTRY,
)
ANSWERS: Final = Histogram(
    "facedown_answer_seconds",
    "From the arrival of a click or command until Discord had its first answer.",
    ["kind"],
    registry=REGISTRY,
    buckets=_LONG,
)
REQUESTS: Final = Counter(
    "facedown_requests",
    "Requests to Discord; the status is 0 where no answer came.",
    ["kind", "status"],
    registry=REGISTRY,
)
REFUSED: Final = Counter(
    "facedown_refused_requests",
    "Requests that Discord refused and counts towards a ban of the address, by status.",
    ["status"],
    registry=REGISTRY,
)
REQUEST_SECONDS: Final = Histogram(
    "facedown_request_seconds",
    "Until Discord answered a request.",
    ["kind"],
    registry=REGISTRY,
    buckets=_LONG,
)
MATCHES: Final = Gauge(
    "facedown_matches",
    "Matches that are open, running or paused, and ended ones still to be shown as ended.",
    ["game", "state"],
    registry=REGISTRY,
)
HAPPENED: Final = Counter(
    "facedown_match_events",
    "What has become of matches.",
    ["game", "event"],
    registry=REGISTRY,
)
LAG: Final = Histogram(
    "facedown_loop_lag_seconds",
    "How late the event loop came to what was due.",
    registry=REGISTRY,
    buckets=_SHORT,
)
DATABASE: Final = Histogram(
    "facedown_database_seconds",
    "In line to write, a statement that reads or writes beside a transaction's own, a commit.",
    ["part"],
    registry=REGISTRY,
    buckets=_SHORT,
)
LATENCY: Final = Gauge(
    "facedown_gateway_latency_seconds",
    "From a heartbeat to its echo.",
    ["shard"],
    registry=REGISTRY,
)
SERVERS: Final = Gauge(
    "facedown_servers",
    "Servers whose events reach this process.",
    registry=REGISTRY,
)
SHARDS: Final = Gauge(
    "facedown_shards",
    "Shards that this process holds, where several processes share them.",
    ["process"],
    registry=REGISTRY,
)
LINES: Final = Counter(
    "facedown_log_lines",
    "Lines of the log; an error is a bug, a damaged record or a database that can't be used.",
    ["level"],
    registry=REGISTRY,
)


async def watch_loop() -> None:
    """Measure how late the event loop is, forever."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + LOOK_SECONDS
        await asyncio.sleep(LOOK_SECONDS)
        LAG.observe(max(0.0, loop.time() - due))
