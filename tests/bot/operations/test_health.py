"""The database in `/health` and `/metrics`: whether it's usable, and how long it takes."""

import asyncio
import time
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
from structlog.testing import capture_logs

from bot.errors import StorageUnavailableError
from bot.storage import postgres
from bot.storage.health import in_time, why_unusable
from bot.telemetry import metrics
from bot.telemetry.metrics import DATABASE, HAPPENED, LAG
from tests.support.broken_files import damage, full
from tests.support.failing import fail
from tests.support.leaping import Ahead
from tests.support.match_records import ask, settle
from tests.support.matches import ANN, BEA, begun, opened
from tests.support.storages import storage_of
from tests.support.waiting import until

PATIENCE = 60.0


def observed(histogram):
    return sum(bucket.get() for bucket in histogram._buckets)


@asynccontextmanager
async def held(storage):
    """Keep every writing connection in an open transaction."""
    async with AsyncExitStack() as stack:
        for _ in range(storage._writer.connections):
            await stack.enter_async_context(storage.transaction())
        yield


async def test_a_healthy_database_is_usable(storage):
    assert await why_unusable(storage, PATIENCE) is None


async def test_a_database_with_blocked_writers_does_not_answer(storage):
    async with held(storage):
        with capture_logs() as logs:
            found = await why_unusable(storage, 0.01)

    assert found == "it does not answer"
    assert logs == [
        {"event": "database does not answer", "why": "TimeoutError", "log_level": "warning"}
    ]


@pytest.mark.postgresql
async def test_a_server_that_hangs_does_not_answer(server_database):
    """A sent statement keeps waiting on the server even after its caller has given up."""
    locked, free, clock = asyncio.Event(), asyncio.Event(), Ahead()

    async def lock():
        connection = await postgres.connect(server_database.address, **postgres.UPKEEP)
        async with connection.transaction():
            await connection.execute("LOCK TABLE matches, synced_commands")
            locked.set()
            await free.wait()
        await connection.close()

    def waiting():
        return server_database.ask("SELECT count(*) FROM pg_locks WHERE NOT granted")

    async with storage_of(server_database) as storage:
        locking = asyncio.create_task(lock())
        await locked.wait()
        asked = asyncio.create_task(why_unusable(storage, PATIENCE))
        await until(lambda: waiting() == [(1,)])
        clock.advance(PATIENCE)
        found = await asked
        still_waiting = waiting()
        with pytest.raises(TimeoutError):
            await in_time(live_matches(storage), 0.05)
        free.set()
        await locking
        assert await why_unusable(storage, PATIENCE) is None

    assert found == "it does not answer"
    assert still_waiting == [(1,)]  # so it was reported before the server gave up


@pytest.mark.sqlite
async def test_a_database_that_cannot_be_read_does_not_answer(storage, database):
    database.write_bytes(b"no database any more" * 1000)

    with capture_logs() as logs:
        found = await why_unusable(storage, PATIENCE)

    assert found == "the file is damaged"
    assert [(line["event"], line["why"]) for line in logs] == [
        ("database unavailable", "the file is damaged")
    ]


@pytest.mark.sqlite
async def test_a_full_database_is_unusable_until_there_is_space(storage):
    """That's noticed without any play, by writing as much as a match may need."""
    async with full(storage):
        without = await why_unusable(storage, PATIENCE)

    assert without == "the disk is full"
    assert await why_unusable(storage, PATIENCE) is None


async def test_the_trial_write_leaves_nothing_behind(storage, database):
    before = ask(database, "SELECT count(*) FROM synced_commands")

    await why_unusable(storage, PATIENCE)

    assert ask(database, "SELECT count(*) FROM synced_commands") == before


async def test_known_damage_makes_the_database_unusable_even_if_it_answers(storage):
    with pytest.raises(StorageUnavailableError), storage.trouble.translating(writing=False):
        fail(damage())

    assert await why_unusable(storage, PATIENCE) == "the file is damaged"


async def test_the_database_is_usable_again_once_it_answers(storage):
    async with held(storage):
        await why_unusable(storage, 0.01)

    assert await why_unusable(storage, PATIENCE) is None


async def live_matches(storage):
    async with storage.reading() as reading:
        return await reading.match_lists.count_live()


async def test_live_matches_are_counted_by_game_and_state(storage, matches):
    await begun(matches, interaction=1)
    await begun(matches, interaction=2)
    await opened(matches, interaction=3)

    assert sorted(await live_matches(storage)) == [("pico", "open", 1), ("pico", "running", 2)]


async def test_a_finished_and_settled_match_is_not_live(storage, matches):
    match = await begun(matches)
    await matches.concede(match, ANN)
    shown = await live_matches(storage)
    await settle(storage, match)

    assert shown == [("pico", "over", 1)]
    assert await live_matches(storage) == []


async def test_events_of_a_match_are_logged_and_counted_after_the_commit(matches):
    counts = {what: HAPPENED.labels("pico", what) for what in ("opened", "begun", "over")}
    before = {what: count._value.get() for what, count in counts.items()}

    with capture_logs() as logs:
        match = await begun(matches)
        await matches.concede(match, BEA)

    assert [line for line in logs if line["event"] == "match"] == [
        {"event": "match", "match": match, "game": "pico", "became": what, "log_level": "info"}
        for what in counts
    ]
    after = {what: count._value.get() for what, count in counts.items()}
    assert {what: after[what] - before[what] for what in counts} == dict.fromkeys(counts, 1)


async def test_the_time_taken_by_the_database_is_measured(matches):
    parts = [DATABASE.labels(part) for part in ("read", "write", "wait", "commit")]
    before = [observed(part) for part in parts]

    await matches.public(await opened(matches))

    assert all(observed(part) > was for part, was in zip(parts, before, strict=True))


async def test_the_lag_of_the_event_loop_is_measured(monkeypatch):
    monkeypatch.setattr(metrics, "LOOK_SECONDS", 0.0)
    before = observed(LAG)
    watching = asyncio.create_task(metrics.watch_loop())

    await until(lambda: observed(LAG) >= before + 3, pause=0)
    late = LAG._sum.get()
    time.sleep(0.05)  # noqa: ASYNC251 - nothing else can run meanwhile

    await until(lambda: LAG._sum.get() >= late + 0.05, pause=0)
    watching.cancel()
