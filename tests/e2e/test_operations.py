"""What the bot's owner sees of it: /health, /metrics, and an orderly shutdown."""

import asyncio
import contextlib
import logging
import os
import re
import signal
import socket

import aiohttp
import pytest
from prometheus_client.parser import text_string_to_metric_families
from structlog.testing import capture_logs

from bot.operations.health import HealthServer
from bot.telemetry.metrics import LATENCY
from sandbox import Fault
from tests.support.drawing import Blank
from tests.support.health import health_of
from tests.support.processes import Process
from tests.support.services import bot_of
from tests.support.tables import database
from tests.support.waiting import until

HANGING = 3600.0


@pytest.fixture
async def probes(table):
    await table.bot.wait_until_ready()
    async with health_of(table.bot) as probes:
        yield probes


async def get(probes, path, **headers):
    """The status, content type and text of an answer."""
    async with (
        aiohttp.ClientSession() as session,
        session.get(f"{probes}{path}", headers=headers) as answer,
    ):
        return answer.status, answer.headers["Content-Type"], await answer.text()


async def figures(probes):
    """Every metric, by its name and its label values, sorted by label name."""
    _, _, text = await get(probes, "/metrics")
    return {
        (sample.name, *(value for _, value in sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


async def test_a_bot_that_people_can_play_with_is_healthy(probes):
    status, kind, text = await get(probes, "/health")

    assert (status, text) == (200, '{"gateway": true, "database": true, "requests": true}')
    assert kind.startswith("application/json")


async def test_a_bot_that_is_not_connected_yet_is_unhealthy(table):
    async with (
        bot_of(table.bot.services.storage, Blank()) as starting,
        health_of(starting) as probes,
    ):
        status, _, text = await get(probes, "/health")

    assert (status, text) == (503, '{"gateway": false, "database": true, "requests": true}')


async def test_a_bot_that_has_lost_its_connection_is_unhealthy(table, probes):
    for shard in table.bot.shards.values():
        await shard.disconnect()

    status, _, text = await get(probes, "/health")

    assert (status, text) == (503, '{"gateway": false, "database": true, "requests": true}')


async def test_a_bot_whose_database_does_not_answer_is_unhealthy(table):
    await table.bot.wait_until_ready()
    async with (
        health_of(table.bot, patience=0.01) as probes,
        table.bot.services.storage.transaction(),  # a transaction that takes forever
    ):
        status, _, text = await get(probes, "/health")

    assert (status, text) == (
        503,
        '{"gateway": true, "database": false, "requests": true, "why": "it does not answer"}',
    )


async def test_clicks_commands_and_matches_are_counted(table, probes):
    before = await figures(probes)

    public = await table.match()
    await table.play("Ann")
    await table.person("Ann").forge(public, custom_id="f1:1:0:conjure:")
    await table.person("Ann").slash("leaderboard", channel="games", game="pico")

    after = await figures(probes)
    grown = {name: value - before.get(name, 0) for name, value in after.items()}
    assert grown["facedown_clicks_total", "accept"] == 1
    assert grown["facedown_clicks_total", "pick"] == 1
    assert grown["facedown_clicks_total", "unknown"] == 1
    assert grown["facedown_commands_total", "pico play"] == 1
    assert grown["facedown_commands_total", "leaderboard"] == 1
    assert grown["facedown_answer_seconds_count", "click"] == 3
    assert grown["facedown_answer_seconds_count", "command"] == 2
    callback = ("facedown_requests_total", "POST /interactions/{}/{}/callback")
    # Discord sends back neither an edited hand nor a "thinking" message.
    assert (grown[*callback, "200"], grown[*callback, "204"]) == (3, 2)
    assert after["facedown_matches", "pico", "running"] == 1
    assert grown["facedown_match_events_total", "begun", "pico"] == 1
    assert grown["facedown_database_seconds_count", "commit"] > 0


async def test_the_latency_of_a_shard_that_was_given_up_is_not_reported(probes):
    """Another process is connected to that shard and reports its own."""
    LATENCY.labels(7).set(0.1)

    told = await figures(probes)

    assert ("facedown_gateway_latency_seconds", "7") not in told


async def test_no_metric_holds_an_id_or_a_secret(table, probes):
    public = await table.match()
    await table.trick("Ann", "Bo")
    await table.hand("Ann", public)
    ((seed,),) = table.sql("SELECT seed FROM matches")

    _, _, text = await get(probes, "/metrics")

    assert seed not in text
    labels = re.findall(r'="([^"]*)"', text)
    assert [label for label in labels if re.search(r"\d{15}|[A-Za-z0-9+_-]{40}", label)] == []


async def test_collectors_that_ask_for_openmetrics_get_that_format(probes):
    status, kind, text = await get(
        probes, "/metrics", Accept="application/openmetrics-text; version=1.0.0"
    )

    assert status == 200
    assert kind.startswith("application/openmetrics-text")
    assert text.endswith("# EOF\n")


@pytest.mark.parametrize(
    ("accept", "status"),
    [
        ('application/openmetrics-text;version="', 200),
        ("text/plain;version=1.x", 200),
        ("x" * 20_000, 400),
    ],
    ids=["quote", "letter", "long"],
)
async def test_a_malformed_request_by_a_collector_is_not_logged_as_an_error(
    probes, caplog, accept, status
):
    reader, writer = await asyncio.open_connection("127.0.0.1", int(probes.rpartition(":")[2]))
    writer.write(f"GET /metrics HTTP/1.1\r\nHost: x\r\nAccept: {accept}\r\n\r\n".encode())

    line = await asyncio.wait_for(reader.readline(), 30)

    writer.close()
    await writer.wait_closed()
    assert f" {status} ".encode() in line
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


async def test_only_this_machine_can_reach_the_metrics(probes):
    with pytest.raises(aiohttp.ClientConnectorError):
        await get(probes.replace("127.0.0.1", "127.0.0.2"), "/health")


async def test_a_port_in_use_does_not_keep_the_bot_from_running(table):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]

        with capture_logs() as logs:
            async with HealthServer(table.bot, table.bot.services.storage, port):
                public = await table.match()

    (line,) = [line for line in logs if line["event"] == "no health or metrics"]
    assert {"port": port, "log_level": "warning"}.items() <= line.items()
    assert "METRICS_PORT" in line["hint"]
    assert "Round 1" in public.text


@pytest.fixture
async def process(discord, tmp_path):
    process = Process(discord, await database(tmp_path), tmp_path / "bot.log")
    yield process
    await process.clear_away()


async def answering(discord, path):
    """Wait until the bot has requested this path and is waiting for the answer."""
    await until(lambda: any(path in exchange.path for exchange in discord._api.pending), 60)


@pytest.mark.parametrize(
    "path", ["/users/@me", pytest.param("/gateway/bot", marks=pytest.mark.long)]
)
async def test_a_bot_that_is_told_to_stop_while_it_starts_stops_in_order(discord, process, path):
    discord.faults.add(Fault(path=f"^{path}$", delay=HANGING))
    starting = asyncio.create_task(process.start())
    await answering(discord, path)

    status = await process.stop()

    starting.cancel()
    assert status == 0
    assert "stopping" in process.output
    assert "Traceback" not in process.output


async def test_a_bot_stops_in_time_even_if_its_workers_hang(discord, process):
    await process.start()
    answer = await discord.person("Ann").slash("pico rules", channel="games")
    await answer.settled()  # with a picture, so a worker exists
    workers = process.children()
    for pid in workers:
        os.kill(pid, signal.SIGSTOP)

    status = await process.stop_alone()

    for pid in workers:
        with contextlib.suppress(ProcessLookupError):  # the bot may have killed it
            os.kill(pid, signal.SIGCONT)
    assert len(workers) > 0
    assert status == 0
    assert "ended in haste" in process.output
    assert "Traceback" not in process.output


async def test_a_bot_serves_health_on_the_configured_port(discord, tmp_path, port):
    process = Process(
        discord, await database(tmp_path), tmp_path / "bot.log", METRICS_PORT=str(port)
    )
    await process.start()
    address = f"http://127.0.0.1:{port}/metrics"
    async with aiohttp.ClientSession() as session, session.get(address) as answer:
        text = await answer.text()

    await process.stop()

    assert "facedown_loop_lag_seconds_bucket" in text
    assert "process_open_fds" in text
