"""Copies a whole database to another, from a file to a server or back, and compares the two.

Either all rows are there in the end or none. The source isn't changed. Rows about processes
aren't copied.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Mapping
from contextlib import aclosing, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from pydantic import SecretStr
from sqlalchemy import Table, func, insert, inspect, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.config import location_of
from bot.storage import engine, postgres, private_files, server, startup
from bot.storage.cluster import OF_PROCESSES
from bot.storage.posts import digest_posts, puzzle_posts
from bot.storage.schema import matches, metadata, notices, results, results_sequence, seasons
from bot.storage.startup import UnusableError
from bot.storage.trouble import ERRORS, NOT_VALID, UNUSABLE, refusal

CHUNK: Final = 1000
"""Rows in memory at a time: the longest states have some ten thousand characters."""

_NOTHING: Final = "Nothing was moved"
"""How sentences about a failed move begin."""

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
    with _naming(source):
        async with _source(source) as reading:
            with _naming(target, given_as="TARGET"):
                async with _target(target, reading) as writing:
                    copied = {
                        table.name: await _copy(_rows(reading, table, source), writing, table)
                        for table in _moved_tables()
                    }
                    await _continue_ids(reading, writing)
                    await _compare(writing, copied, target)
    return Moved(copied)


@contextmanager
def _naming(database: Path | SecretStr, given_as: str = "DATABASE") -> Iterator[None]:
    """Turn errors of this database in the block into UnusableError, which names it.

    `given_as` is what an address or path that is not valid was given as.
    """
    try:
        yield
    except UnusableError as error:
        sentence = str(error)
        for beginning, ours in ((UNUSABLE, _NOTHING), (NOT_VALID, f"{given_as} is not valid")):
            if sentence.startswith(beginning):
                raise type(error)(ours + sentence.removeprefix(beginning)) from None
        raise
    except ERRORS as error:
        reason = server.why(error)
        if reason is None:
            raise
        raise UnusableError(refusal(location_of(database), reason, _NOTHING)) from None


def _moved_tables() -> list[Table]:
    return [table for table in metadata.sorted_tables if table not in OF_PROCESSES]


def _same(file: Path, other: Path) -> bool:
    return file.resolve() == other.resolve()


def _same_database_error(place: Path | SecretStr) -> UnusableError:
    return UnusableError(
        f"{_NOTHING}: everything is at {location_of(place)} already. Name another database."
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
            raise UnusableError(f"{_NOTHING}: there is no room for {database}.")


@contextmanager
def _draft(file: Path) -> Iterator[Path]:
    """An empty file that is renamed to `file` if the block succeeds, and deleted otherwise."""
    with startup.locked(file):
        if file.exists():
            raise UnusableError(f"{_NOTHING}: {file} is there. Name a new file.")
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
                f"{_NOTHING}: {place} is not empty; {name} has rows. Name a database without any."
            )


async def _rows(
    connection: AsyncConnection, table: Table, database: Path | SecretStr
) -> AsyncGenerator[list[tuple[object, ...]], None]:
    """All rows of a table, some at a time; an error of reading them names this database."""
    # By id, so that a match comes after the one that it's a rematch of.
    query = select(table).order_by(*table.primary_key.columns)
    with _naming(database):
        async with connection.stream(query) as found:
            async for chunk in found.partitions(CHUNK):
                yield [tuple(row) for row in chunk]


async def _copy(
    chunks: AsyncGenerator[list[tuple[object, ...]], None], writing: AsyncConnection, table: Table
) -> Checksum:
    """Write all rows of a table; returns their checksum."""
    names = [column.name for column in table.columns]
    checksum = Checksum()
    async with aclosing(chunks):  # also if writing fails
        async for rows in chunks:
            for row in rows:
                checksum.add(row)
            values = [dict(zip(names, row, strict=True)) for row in rows]
            await writing.execute(insert(table), values)
    return checksum


async def _compare(
    writing: AsyncConnection, copied: Mapping[str, Checksum], target: Path | SecretStr
) -> None:
    """Raise UnusableError unless the target has exactly the rows that were copied."""
    for table in _moved_tables():
        checksum = Checksum()
        async for rows in _rows(writing, table, target):
            for row in rows:
                checksum.add(row)
        if checksum != copied[table.name]:
            raise UnusableError(
                f"{_NOTHING}: the rows of {table.name} are not the same at {location_of(target)}."
            )


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
