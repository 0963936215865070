"""Connections and transactions: nothing is lost between processes, writers and readers."""

import asyncio
from contextlib import AsyncExitStack

import pytest
from sqlalchemy.pool import QueuePool

from bot.errors import StorageUnavailableError
from bot.storage import PersonRecord, ResultRecord, Storage, engine
from bot.storage.schema import metadata
from tests.support import made_databases
from tests.support.match_records import (
    ask,
    chosen,
    deal,
    dealt,
    end,
    new,
    opened,
    person_of,
    put_person,
    record_of,
    unsettled,
)
from tests.support.matches import ANN, A, B
from tests.support.waiting import until


@pytest.mark.slow
async def test_of_many_concurrent_updates_none_is_lost(storage):
    """Each one reads before it writes; if it didn't lock first, most updates would be lost."""
    match = await dealt(storage)

    async def count():
        async with storage.transaction() as writing:
            record = await writing.matches.load(match)
            text = str(int(record.choices.get(A, 0)) + 1)
            await writing.moves.choose(match, 0, A, chosen(text))

    await asyncio.gather(*(count() for _ in range(150)))

    assert (await record_of(storage, match)).choices == {A: "150"}


async def test_readers_do_not_wait_for_a_writer_and_see_only_what_is_committed(storage):
    match = await dealt(storage)
    async with asyncio.timeout(60), storage.transaction() as writing:
        await writing.moves.choose(match, 0, A, chosen("9"))

        assert (await record_of(storage, match)).choices == {}
        assert await unsettled(storage) == [match]
        assert (await writing.matches.load(match)).choices == {A: "9"}

    assert (await record_of(storage, match)).choices == {A: "9"}


async def test_many_concurrent_readers_are_all_served(storage):
    match = await dealt(storage)

    found = await asyncio.gather(*(record_of(storage, match) for _ in range(40)))

    assert {record.id for record in found} == {match}


async def test_closing_a_storage_waits_for_reads_to_finish(database):
    is_reading, may_end = asyncio.Event(), asyncio.Event()

    async def read(storage):
        async with storage.reading() as reading:
            is_reading.set()
            await may_end.wait()
            return await reading.guilds.left()

    async with AsyncExitStack() as stack:
        place = getattr(database, "address", database)
        storage = await stack.enter_async_context(Storage.open(place))
        slow = asyncio.create_task(read(storage))
        await is_reading.wait()
        closing = asyncio.create_task(stack.pop_all().aclose())
        done, _ = await asyncio.wait([closing], timeout=0.2)
        may_end.set()
        await closing

    assert done == set()
    assert await slow == {}
    assert pool_of(storage).checkedout() == 0


async def test_a_closed_storage_refuses_transactions_and_opens_no_connection(database):
    async with Storage.open(getattr(database, "address", database)) as storage:
        pass

    with pytest.raises(StorageUnavailableError):
        async with storage.reading():
            pass
    with pytest.raises(StorageUnavailableError):
        async with storage.transaction():
            pass

    assert connections(storage) == 0


async def test_closing_a_storage_refuses_waiting_writers(database):
    async def write(storage):
        async with storage.transaction() as writing:
            is_writing.set()
            await may_end.wait()
            await writing.guilds.note_left(1, 2)

    is_writing, may_end = asyncio.Event(), asyncio.Event()
    async with AsyncExitStack() as stack:
        place = getattr(database, "address", database)
        storage = await stack.enter_async_context(Storage.open(place))
        writers = [asyncio.create_task(write(storage)) for _ in range(storage.writes_at_once)]
        await is_writing.wait()
        late = asyncio.create_task(write(storage))
        await until(lambda: storage.writes_waiting, pause=0)
        closing = asyncio.create_task(stack.pop_all().aclose())
        await asyncio.sleep(0)  # closing has begun and waits for the writers
        may_end.set()
        await closing

    assert await asyncio.gather(*writers) == [None] * len(writers)
    with pytest.raises(StorageUnavailableError):
        await late
    assert connections(storage) == 0


@pytest.mark.sqlite
async def test_a_closed_storage_refuses_to_empty_its_log(database):
    async with Storage.open(database) as storage:
        pass

    with pytest.raises(StorageUnavailableError):
        await storage.empty_log()

    assert connections(storage) == 0


async def test_two_cancellations_while_connecting_leave_no_connection_open(database):
    async def read(storage):
        async with storage.reading() as reading:
            await reading.guilds.left()

    async with Storage.open(getattr(database, "address", database)) as storage:
        pool = pool_of(storage)
        task = asyncio.create_task(read(storage))
        for _ in range(2):  # it has started to connect
            await asyncio.sleep(0)
        for _ in range(2):
            task.cancel()
            await asyncio.sleep(0)
        with pytest.raises(asyncio.CancelledError):
            await task

        assert pool.checkedout() == 0

    assert pool.checkedin() == 0


def pool_of(storage: Storage) -> QueuePool:
    """The connections that only read."""
    pool = storage._readers.pool
    assert isinstance(pool, QueuePool)
    return pool


def connections(storage):
    """Return how many connections a storage has open."""
    pools = (storage._readers.pool, storage._writer.engine.pool)
    return sum(pool.checkedin() + pool.checkedout() for pool in pools)


async def test_a_failed_transaction_leaves_no_trace(storage, database):
    match = await dealt(storage)
    before = {table: ask(database, f'SELECT * FROM "{table}"') for table in metadata.tables}  # noqa: S608

    async def fail():
        async with storage.transaction() as writing:
            await writing.moves.choose(match, 0, A, chosen("9"))
            await writing.matches.advance(match, 0, deal("next", schema=2))
            on = await writing.matches.load(match)
            await writing.matches.leave(on, B, deal("without B", schema=2), why="resigned")
            line = ResultRecord(seat=A, user=ANN, rank=1, score=9, won=1, drawn=0, lost=0)
            await end(writing, match, "over", 2000, [line])
            await writing.challenges.open(new(5), 1000)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()

    assert before == {table: ask(database, f'SELECT * FROM "{table}"') for table in before}  # noqa: S608
    assert await opened(storage, 5) is not None


async def test_a_canceled_transaction_leaves_no_trace_and_frees_the_lock(storage):
    match = await dealt(storage)
    written = asyncio.Event()

    async def write():
        async with storage.transaction() as writing:
            await writing.moves.choose(match, 0, A, chosen("9"))
            written.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(write())
    await written.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    async with asyncio.timeout(60), storage.transaction() as writing:
        assert (await writing.matches.load(match)).choices == {}


async def test_committed_data_is_there_in_the_next_process(database):
    database = getattr(database, "address", database)
    async with Storage.open(database) as storage:
        match = await dealt(storage)
        await put_person(storage, ANN, PersonRecord(dm_channel=5, dm_closed_at=None))

    async with Storage.open(database) as storage:
        assert (await record_of(storage, match)).state == "first"
        assert (await person_of(storage, ANN)).dm_channel == 5


@pytest.mark.sqlite
async def test_every_connection_to_sqlite_has_the_safe_settings(storage, monkeypatch):
    """A commit is on the disk before it returns, foreign keys hold, and readers don't block."""
    monkeypatch.setattr(engine, "SYNCHRONOUS", made_databases.PROMISED)
    for connections in (storage._writer.engine, storage._readers):
        async with connections.connect() as connection:
            told = [
                (await connection.exec_driver_sql(f"PRAGMA {name}")).scalar_one()
                for name in ("journal_mode", "synchronous", "foreign_keys")
            ]
        assert told == ["wal", 2, 1]


@pytest.mark.slow  # it migrates
async def test_a_new_file_is_switched_to_wal_before_anybody_uses_it(tmp_path):
    """If the first two connections both switched a new file to WAL, each could find it locked."""
    file = tmp_path / "fresh.sqlite3"

    async with Storage.open(file) as storage:
        assert ask(file, "PRAGMA journal_mode") == [("wal",)]
        await asyncio.gather(
            unsettled(storage), opened(storage), unsettled(storage), person_of(storage, ANN)
        )
