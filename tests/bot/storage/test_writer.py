"""Write transactions: all or nothing, and they return only after the commit."""

import asyncio

import pytest
from sqlalchemy import event, text

from bot.storage import engine
from bot.storage.writer import Writer
from bot.telemetry.metrics import REGISTRY


@pytest.fixture
async def writer(tmp_path):
    writer = Writer(engine.writer(tmp_path / "numbers.sqlite3"))
    async with writer.transaction() as connection:
        await connection.execute(text("CREATE TABLE numbers (n INTEGER PRIMARY KEY)"))
    yield writer
    await writer.dispose()


@pytest.fixture
def commits(writer):
    """A list with one entry per commit from now on."""
    seen = []
    event.listen(writer.engine.sync_engine, "commit", seen.append)
    return seen


async def put(writer, n):
    async with writer.transaction() as connection:
        await connection.execute(text("INSERT INTO numbers VALUES (:n)"), {"n": n})


async def numbers(writer):
    """Return the committed numbers, as another connection sees them."""
    other = engine.readers(writer.engine.url.database)
    try:
        async with other.connect() as connection:
            rows = await connection.execute(text("SELECT n FROM numbers ORDER BY n"))
            return [row.n for row in rows]
    finally:
        await other.dispose()


async def test_a_transaction_is_committed_when_its_block_is_left(writer):
    await put(writer, 1)

    assert await numbers(writer) == [1]


async def test_all_queued_transactions_are_committed(writer, commits):
    await asyncio.gather(*(put(writer, n) for n in range(50)))

    assert await numbers(writer) == list(range(50))
    assert len(commits) == 50


async def test_only_commits_of_writes_are_measured(writer):
    """Emptying the log and rewriting the file only keep others from writing meanwhile."""

    def measured():
        return REGISTRY.get_sample_value("facedown_database_seconds_count", {"part": "commit"})

    before = measured()
    await put(writer, 1)
    await writer.empty_log()
    await writer.rewrite()

    assert measured() == before + 1


async def test_a_transaction_returns_only_after_its_commit(writer):
    order = []
    event.listen(writer.engine.sync_engine, "commit", lambda _: order.append("commit"))

    async def act(n):
        await put(writer, n)
        order.append("told")

    await asyncio.gather(act(1), act(2), act(3))

    assert order == ["commit", "told"] * 3


@pytest.mark.parametrize("failing", [0, 1, 2, 4])
async def test_an_error_rolls_back_only_its_own_transaction(writer, failing):
    async def act(n):
        async with writer.transaction() as connection:
            await connection.execute(text("INSERT INTO numbers VALUES (:n)"), {"n": n})
            if n == failing:
                raise LookupError

    ends = await asyncio.gather(*(act(n) for n in range(5)), return_exceptions=True)

    assert [type(end) for end in ends].count(LookupError) == 1
    assert await numbers(writer) == [n for n in range(5) if n != failing]


async def test_a_failed_commit_raises_and_stores_nothing(writer):
    def fail(_):
        raise OSError("disk full")

    event.listen(writer.engine.sync_engine, "commit", fail)
    ends = await asyncio.gather(*(put(writer, n) for n in range(3)), return_exceptions=True)
    event.remove(writer.engine.sync_engine, "commit", fail)

    assert [str(end) for end in ends] == ["disk full"] * 3
    assert await numbers(writer) == []
    await put(writer, 7)
    assert await numbers(writer) == [7]


async def test_a_failed_commit_of_a_canceled_task_leaves_no_connection_behind(writer):
    def fail(_):
        putting.cancel()
        raise OSError("disk full")

    putting = asyncio.create_task(put(writer, 1))
    event.listen(writer.engine.sync_engine, "commit", fail)
    await asyncio.gather(putting, return_exceptions=True)
    event.remove(writer.engine.sync_engine, "commit", fail)

    assert asyncio.all_tasks() == {asyncio.current_task()}  # not even a task that still closes it
    await put(writer, 7)
    assert await numbers(writer) == [7]


async def test_a_canceled_transaction_in_the_queue_blocks_nobody(writer):
    async with writer.transaction() as connection:
        await connection.execute(text("INSERT INTO numbers VALUES (1)"))
        waiting = [asyncio.create_task(put(writer, n)) for n in (2, 3)]
        await asyncio.sleep(0)
        waiting[0].cancel()
    await asyncio.gather(*waiting, return_exceptions=True)

    assert await numbers(writer) == [1, 3]
