"""Our driver for SQLite: each statement switches threads once, with the usual results."""

import sqlite3
from contextlib import closing

import aiosqlite
import pytest
from sqlalchemy import Column, Integer, MetaData, Table, Text, insert, select, text, update
from sqlalchemy.exc import IntegrityError, OperationalError

from bot.storage import engine
from bot.storage.sqlite_driver import FIRST_ROWS

numbers = Table("numbers", MetaData(), Column("n", Integer, primary_key=True), Column("word", Text))


@pytest.fixture
async def writer(tmp_path):
    found = engine.writer(tmp_path / "numbers.sqlite3")
    async with found.begin() as connection:
        await connection.run_sync(numbers.metadata.create_all)
    yield found
    await found.dispose()


@pytest.fixture
async def hops(writer, monkeypatch):
    """The calls that were sent to the driver's thread."""
    found, execute = [], aiosqlite.Connection._execute

    async def counted(self, *args, **options):
        found.append(args)
        return await execute(self, *args, **options)

    monkeypatch.setattr(aiosqlite.Connection, "_execute", counted)
    return found


async def test_a_statement_switches_threads_once(writer, hops):
    async with writer.begin() as connection:
        await connection.execute(insert(numbers), [{"n": 1, "word": "one"}, {"n": 2, "word": None}])
        found = (await connection.execute(select(numbers).order_by(numbers.c.n))).all()
        changed = await connection.execute(update(numbers).values(word="some"))

    assert len(hops) == 3 + 1  # the commit; BEGIN travels with the first statement
    assert found == [(1, "one"), (2, None)]
    assert changed.rowcount == 2


async def test_a_transaction_without_a_statement_switches_no_threads(writer, hops):
    async with writer.connect() as connection:
        await connection.begin()
        await connection.rollback()
        await connection.begin()
        await connection.commit()

    assert hops == []


async def test_uncommitted_changes_are_rolled_back(writer):
    async with writer.connect() as connection:
        await connection.execute(insert(numbers))
        await connection.rollback()
        await connection.execute(insert(numbers).values(n=7))
        await connection.commit()
        await connection.execute(insert(numbers).values(n=8))

    async with writer.connect() as connection:
        assert (await connection.execute(select(numbers.c.n))).scalars().all() == [7]


async def test_nothing_is_written_if_the_transaction_could_not_begin(writer, tmp_path):
    """Not even by the next statement, if the caller continues after the first has failed."""
    async with writer.connect() as connection:
        driver = (await connection.get_raw_connection()).driver_connection
        await driver.execute("PRAGMA busy_timeout=0")
        with closing(sqlite3.connect(tmp_path / "numbers.sqlite3")) as other:
            other.execute("BEGIN IMMEDIATE")
            for _ in range(2):
                with pytest.raises(OperationalError, match="locked"):
                    await connection.execute(insert(numbers))
            other.rollback()
        await connection.execute(insert(numbers).values(n=5))  # now the transaction could begin
        await connection.rollback()
        assert (await connection.execute(select(numbers))).all() == []


async def test_statements_return_and_raise_what_the_usual_driver_does(writer):
    async with writer.begin() as connection:
        returned = await connection.execute(insert(numbers).values(word="a").returning(numbers.c.n))
        assert returned.scalar_one() == 1
        assert (await connection.execute(insert(numbers))).inserted_primary_key == (2,)
        assert (await connection.execute(select(numbers).where(numbers.c.n == 9))).first() is None

    async with writer.connect() as connection:
        await connection.execute(insert(numbers).values(n=3))
        with pytest.raises(IntegrityError) as refused:
            await connection.execute(insert(numbers).values(n=1))
        with pytest.raises(OperationalError, match="no such table"):
            await connection.execute(text("SELECT * FROM letters"))
    assert isinstance(refused.value.orig, sqlite3.IntegrityError)
    async with writer.begin() as connection:  # the one before was not committed
        assert len((await connection.execute(select(numbers))).all()) == 2


@pytest.mark.parametrize("count", [FIRST_ROWS - 1, FIRST_ROWS, FIRST_ROWS + 1, 3 * FIRST_ROWS])
async def test_all_rows_can_be_fetched_at_once_or_in_parts(writer, count):
    every = list(range(1, count + 1))
    async with writer.begin() as connection:
        await connection.execute(insert(numbers), [{"n": n} for n in every])

    async with writer.connect() as connection:
        at_once = (await connection.execute(select(numbers.c.n))).scalars().all()
        streamed = await connection.stream(select(numbers.c.n))
        first = (await streamed.fetchone()).n
        parts = [len(part) async for part in streamed.partitions(100)]
        abandoned = await connection.stream(select(numbers.c.n))
        await abandoned.fetchmany(2)
        await abandoned.close()

    assert at_once == every
    assert first == 1
    assert sum(parts) == count - 1
    assert max(parts) == 100
