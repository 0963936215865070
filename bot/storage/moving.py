"""Copies a whole database to another, from a file to a server or back, and compares the two.

Either all rows are there in the end or none. The source isn't changed. Rows about processes
aren't copied.
"""

from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from pydantic import SecretStr
from sqlalchemy import Table, func, insert, inspect, select, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.config import location_of
from bot.storage import engine, postgres, private_files, server, startup
from bot.storage.cluster import OF_PROCESSES
from bot.storage.posts import digest_posts, puzzle_posts
from bot.storage.schema import matches, metadata, notices, results, results_sequence, seasons
from bot.storage.startup import UnusableError

CHUNK: Final = 1000
"""Rows in memory at a time: the longest states have some ten thousand characters."""

_CHECKSUM_BITS: Final = 256

_TABLES_WITH_IDS: Final = (matches, notices, seasons, puzzle_posts, digest_posts)
"""The tables whose ids are never reused."""


@dataclass(slots=True)
class Checksum:
    """The number of rows of a table, and a checksum that doesn't depend on their order."""

    rows: int = 0
    sum: int = 0

    def add(self, row: tuple[object, ...]) -> None:
        """Add a row as SQLAlchemy reads it, which is the same from both databases."""
        digest = int.from_bytes(sha256(repr(row).encode()).digest())
        self.rows, self.sum = self.rows + 1, (self.sum + digest) % 2**_CHECKSUM_BITS


@dataclass(frozen=True, slots=True)
class Moved:
    """The checksums of what was copied, by table name."""

    checksums: Mapping[str, Checksum] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        return sum(checksum.rows for checksum in self.checksums.values())

    @property
    def matches(self) -> int:
        return self.checksums[matches.name].rows


async def move(source: Path | SecretStr, target: Path | SecretStr) -> Moved:
    """Copy everything to an empty or new database; UnusableError says why that can't be done."""
    if isinstance(source, Path) and isinstance(target, Path) and _same(source, target):
        raise _same_database_error(target)
    try:
        async with _source(source) as reading, _target(target, reading) as writing:
            copied = {t.name: await _copy(reading, writing, t) for t in _moved_tables()}
            await _continue_ids(reading, writing)
            for table in _moved_tables():
                if await _checksum(writing, table) != copied[table.name]:
                    raise UnusableError(
                        f"Nothing was moved: the rows of {table.name} are not the same at "
                        f"{location_of(target)}."
                    )
    except DBAPIError as error:
        raise server.unusable(target, error) from None
    return Moved(copied)


def _moved_tables() -> list[Table]:
    return [table for table in metadata.sorted_tables if table not in OF_PROCESSES]


def _same(file: Path, other: Path) -> bool:
    return file.resolve() == other.resolve()


def _same_database_error(place: Path | SecretStr) -> UnusableError:
    return UnusableError(
        f"Nothing was moved: everything is at {location_of(place)} already. Name another database."
    )


@asynccontextmanager
async def _source(database: Path | SecretStr) -> AsyncIterator[AsyncConnection]:
    if isinstance(database, SecretStr):
        await server.must_fit(database)
        async with server.exclusive_connection(
            database, isolation_level="REPEATABLE READ"
        ) as connection:
            await connection.run_sync(startup.must_be_of_today, location_of(database))
            yield connection
        return
    with startup.exclusive(database):
        readers = engine.readers(database)
        try:
            async with readers.connect() as connection:
                await connection.run_sync(startup.must_be_of_today, location_of(database))
                yield connection
        finally:
            await readers.dispose()


@asynccontextmanager
async def _target(
    database: Path | SecretStr, source: AsyncConnection
) -> AsyncIterator[AsyncConnection]:
    if isinstance(database, SecretStr):
        await server.must_fit(database)
        if source.dialect.name == "postgresql":
            await _must_be_another(database, source)
        # Released at once: a migration waits for the holder, which would be us if we read there.
        async with server.exclusive_connection(database) as connection:
            await _must_be_empty(connection, location_of(database))
        await server.migrate(database)
        async with server.exclusive_connection(database) as connection:
            await _must_be_empty(connection, location_of(database))
            yield connection
            await connection.commit()
        return
    with _draft(database) as draft:
        await startup.migrate(draft)
        writer = engine.writer(draft)
        try:
            async with writer.connect() as connection:
                yield connection
                await connection.commit()
        finally:
            await writer.dispose()
        # Closing the file writes its log into it, and gives no error if there is no room for that.
        if private_files.part_of(draft, "-wal").exists():
            raise UnusableError(f"Nothing was moved: there is no room for {database}.")


@contextmanager
def _draft(file: Path) -> Iterator[Path]:
    """An empty file that is renamed to `file` if the block succeeds, and deleted otherwise."""
    with startup.locked(file):
        if file.exists():
            raise UnusableError(f"Nothing was moved: {file} is there. Name a new file.")
        with private_files.draft(file) as draft:  # private: it will hold hands and seeds
            yield draft
            draft.rename(file)


async def _must_be_another(address: SecretStr, source: AsyncConnection) -> None:
    """Raise UnusableError if the source's session is visible in the target: it's the same database.

    Addresses aren't compared, because different ones can lead to the same database.
    """
    session = await source.execute(
        text("SELECT pid, backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()")
    )
    there = text(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
        "AND pid = :pid AND backend_start = :backend_start"
    )
    upkeep = postgres.upkeep(address)
    try:
        async with upkeep.connect() as connection:
            if (await connection.execute(there, dict(session.mappings().one()))).scalar_one():
                raise _same_database_error(address)
    finally:
        await upkeep.dispose()


async def _must_be_empty(connection: AsyncConnection, place: str) -> None:
    """Raise UnusableError if any table has rows, of whichever version or program it is."""
    names = await connection.run_sync(lambda there: inspect(there).get_table_names())
    for name in sorted(set(names) - {"alembic_version"}):
        found = await connection.execute(select(text("1")).select_from(text(f'"{name}"')).limit(1))
        if found.first() is not None:
            raise UnusableError(
                f"Nothing was moved: {place} is not empty; {name} has rows. Name a database "
                "without any."
            )


async def _copy(reading: AsyncConnection, writing: AsyncConnection, table: Table) -> Checksum:
    """Copy all rows of a table; returns their checksum."""

    async def write(rows: list[tuple[object, ...]]) -> None:
        await writing.execute(insert(table), [dict(zip(names, row, strict=True)) for row in rows])

    names = [column.name for column in table.columns]
    checksum = Checksum()
    # By id, so that a match comes after the one that it's a rematch of.
    async with reading.stream(select(table).order_by(*table.primary_key.columns)) as found:
        async for chunk in found.partitions(CHUNK):
            rows = [tuple(row) for row in chunk]
            for row in rows:
                checksum.add(row)
            await write(rows)
    return checksum


async def _checksum(connection: AsyncConnection, table: Table) -> Checksum:
    checksum = Checksum()
    async with connection.stream(select(table)) as found:
        async for chunk in found.partitions(CHUNK):
            for row in chunk:
                checksum.add(tuple(row))
    return checksum


async def _continue_ids(reading: AsyncConnection, writing: AsyncConnection) -> None:
    """Continue the source's ids, even if the rows with the last ones are gone."""
    for table in _TABLES_WITH_IDS:
        last = await _LAST[reading.dialect.name](reading, table)
        await _SET_LAST[writing.dialect.name](writing, table, last)
    if writing.dialect.name == "postgresql":
        last = (await reading.execute(select(func.max(results.c.sequence)))).scalar_one()
        await _set_sequence(writing, results_sequence.name, last or 0)


async def _last_in_file(connection: AsyncConnection, table: Table) -> int:
    found = await connection.execute(
        text("SELECT seq FROM sqlite_sequence WHERE name = :name"), {"name": table.name}
    )
    return int(found.scalar_one_or_none() or 0)


async def _last_on_server(connection: AsyncConnection, table: Table) -> int:
    query = f"SELECT last_value, is_called FROM {_sequence(table)}"  # noqa: S608 - no input in it
    row = (await connection.execute(text(query))).one()
    return int(row.last_value if row.is_called else row.last_value - 1)


async def _set_last_in_file(connection: AsyncConnection, table: Table, last: int) -> None:
    values = {"name": table.name, "last": last}
    await connection.execute(text("DELETE FROM sqlite_sequence WHERE name = :name"), values)
    await connection.execute(text("INSERT INTO sqlite_sequence VALUES (:name, :last)"), values)


async def _set_last_on_server(connection: AsyncConnection, table: Table, last: int) -> None:
    await _set_sequence(connection, _sequence(table), last)


async def _set_sequence(connection: AsyncConnection, sequence: str, last: int) -> None:
    """Make the next number `last + 1`."""
    await connection.execute(text(f"SELECT setval('{sequence}', {last} + 1, false)"))


def _sequence(table: Table) -> str:
    """The name that PostgreSQL gives the sequence of a table's ids."""
    return f"{table.name}_id_seq"


_LAST: Final[Mapping[str, Callable[..., Any]]] = {
    "sqlite": _last_in_file,
    "postgresql": _last_on_server,
}
_SET_LAST: Final[Mapping[str, Callable[..., Any]]] = {
    "sqlite": _set_last_in_file,
    "postgresql": _set_last_on_server,
}
