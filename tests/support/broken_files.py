"""Databases that SQLite cannot use: their disk is full, they are read-only, unreadable, damaged."""

import sqlite3
from contextlib import asynccontextmanager

from sqlalchemy import event


async def pragma(storage, statement):
    """Set something of the connection that writes; what the statement gives."""
    async with storage._writer._line, storage._writer.engine.connect() as connection:
        raw = await connection.get_raw_connection()
        cursor = await raw.driver_connection.execute(f"PRAGMA {statement}")
        row = await cursor.fetchone()
        await cursor.close()
    return None if row is None else row[0]


@asynccontextmanager
async def full(storage):
    """There is no room for another page."""
    await pragma(storage, f"max_page_count = {await pragma(storage, 'page_count')}")
    yield
    await pragma(storage, f"max_page_count = {2**30}")


@asynccontextmanager
async def read_only(storage):
    """Nothing can be written, not even where there is room within a page, nor if opened anew."""
    is_over = False

    def only_to_read(driver, _):
        if not is_over:
            driver.execute("PRAGMA query_only = ON").close()

    # Not removed afterwards: another connection may be just being made.
    event.listen(storage._writer.engine.sync_engine, "connect", only_to_read)
    await pragma(storage, "query_only = ON")
    yield
    is_over = True
    await pragma(storage, "query_only = OFF")


@asynccontextmanager
async def unreadable(storage):
    """No transaction that reads gets what it asks for."""
    reading = storage.reading

    @asynccontextmanager
    async def failing():
        with storage.trouble.translating(writing=False):
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorcode = sqlite3.SQLITE_IOERR_READ
            raise error
        yield

    storage.reading = failing
    yield
    storage.reading = reading


@asynccontextmanager
async def lost_answers(storage):
    """What is committed stays so, but nobody hears of it: the connection breaks before."""
    dialect = storage._writer.engine.dialect
    commit = dialect.do_commit

    def lose(connection):
        commit(connection)
        raise ConnectionResetError

    dialect.do_commit = lose
    yield
    dialect.do_commit = commit


def damage():
    """What SQLite raises for a page that is none."""
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE t (x)")
    data = bytearray(connection.serialize())
    data[4096:4104] = b"nonsense"
    connection.deserialize(bytes(data))
    try:
        connection.execute("SELECT * FROM t").fetchall()
    except sqlite3.DatabaseError as error:
        return error
    finally:
        connection.close()
    raise AssertionError("SQLite reads anything")


def overwrite_page(file):
    """Overwrite a page in the middle."""
    with file.open("r+b") as writing:
        writing.seek(3 * 4096)
        writing.write(b"\xff" * 4096)
