"""Databases that SQLite can't use: on a full disk, read-only, unreadable or damaged."""

import sqlite3
from contextlib import asynccontextmanager

from sqlalchemy import event


async def pragma(storage, statement):
    """Run `PRAGMA statement` on the writer's connection; the first column of its row, or None."""
    async with storage._writer._line, storage._writer.engine.connect() as connection:
        raw = await connection.get_raw_connection()
        cursor = await raw.driver_connection.execute(f"PRAGMA {statement}")
        row = await cursor.fetchone()
        await cursor.close()
    return None if row is None else row[0]


@asynccontextmanager
async def full(storage):
    """Leave no room for another page in the file."""
    await pragma(storage, f"max_page_count = {await pragma(storage, 'page_count')}")
    yield
    await pragma(storage, f"max_page_count = {2**30}")


@asynccontextmanager
async def read_only(storage):
    """Refuse every write, also on connections that are opened meanwhile."""
    is_over = False

    def forbid_writes(driver, _):
        if not is_over:
            driver.execute("PRAGMA query_only = ON").close()

    # Never removed: another connection may be opening at that moment.
    event.listen(storage._writer.engine.sync_engine, "connect", forbid_writes)
    await pragma(storage, "query_only = ON")
    yield
    is_over = True
    await pragma(storage, "query_only = OFF")


@asynccontextmanager
async def unreadable(storage):
    """Make every read transaction fail with a disk I/O error."""
    reading = storage.reading

    @asynccontextmanager
    async def failing():
        with storage.trouble.translating(writing=False):
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorcode = sqlite3.SQLITE_IOERR_READ
            raise error
        yield  # type: ignore[unreachable]  # makes this a generator

    storage.reading = failing
    yield
    storage.reading = reading


@asynccontextmanager
async def lost_answers(storage):
    """Break the connection after each commit: it is carried out, but not confirmed."""
    dialect = storage._writer.engine.dialect
    commit = dialect.do_commit

    def lose(connection):
        commit(connection)
        raise ConnectionResetError

    dialect.do_commit = lose
    yield
    dialect.do_commit = commit


def damage():
    """The error that SQLite raises for a malformed page."""
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
    """Overwrite the fourth page of a database file."""
    with file.open("r+b") as writing:
        writing.seek(3 * 4096)
        writing.write(b"\xff" * 4096)
