"""Before the file is used: nobody else uses it, and its tables are of today."""

import asyncio
import fcntl
import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final, TextIO

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, Connection, StaticPool, create_engine, text
from sqlalchemy.exc import PendingRollbackError
from sqlalchemy.ext.asyncio import create_async_engine

from bot.errors import CorruptRecordError
from bot.storage import private_files, room
from bot.storage.trouble import refusal

MIGRATIONS = Path(__file__).resolve().parents[2] / "migrations"
_HEAD: Final = b"SQLite format 3\0"
"""What every SQLite file with anything in it begins with."""

OURS: Final = frozenset({"alembic_version", "matches", "seats", "moves", "people"})
"""Tables that every revision has."""


class UnusableError(Exception):
    """The database cannot be used; the message says why, to the person who runs the bot."""


class MalformedError(UnusableError):
    """DATABASE names no place for a database; to try again changes nothing."""


class InUseError(UnusableError):
    """Another process works on the same database."""


class NewerError(UnusableError):
    """The database was migrated by a newer version of the bot."""


@contextmanager
def alone(file: Path) -> Iterator[None]:
    """Hold a database that is ours or still to be made, or raise UnusableError."""
    with locked(file):
        # Only under the lock: closing a file takes the locks that SQLite holds on it along.
        try:
            is_other = file.exists() and _head(file) not in {b"", _HEAD}
        except OSError as error:
            raise _refused(file, error) from None
        if is_other:
            raise UnusableError(f"DATABASE is not valid: {file} is no SQLite database.")
        private_files.close_database(file)
        yield


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Hold the database's lock file, or raise InUseError. The system frees it when we die.

    What a restore, a move or an update that was killed has left is a whole database, or part of
    one, that nobody looks for.
    """
    with _lock_file(file) as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InUseError(f"Another process is using {file}. Stop it first.") from None
        private_files.remove_drafts(file)
        yield


def _lock_file(file: Path) -> TextIO:
    """The lock file beside the database, whose folder is made; UnusableError where it cannot be."""
    try:
        if file.is_dir():
            raise MalformedError(f"DATABASE is not valid: {file} is a folder. Name a file in it.")
        if file.exists() and not file.is_file():  # a device would be closed to everybody else
            raise MalformedError(f"DATABASE is not valid: {file} is no file.")
        if file.is_symlink() and not file.exists():
            why = refusal(file, f"it is a link to {file.readlink()}, which isn't there")
            raise UnusableError(f"{why} Mount its disk, or set DATABASE to a file.")
        private_files.make_folder(file.parent)
        lock = private_files.part_of(file, private_files.LOCK)
        private_files.make_file(lock)
        return lock.open("w")
    except OSError as error:
        raise _refused(file, error) from None


def must_be_writable(file: Path) -> None:
    """UnusableError, before SQLite opens it, where a database may be read but not written.

    Beside such a file SQLite leaves a log that may not be written either, and refuses to write with
    that once the file itself may be written again.
    """
    parts = (private_files.part_of(file, part) for part in private_files.PARTS)
    for needed in (file.parent, file, *parts):
        if needed.exists() and not os.access(needed, os.W_OK):
            kind = "folder" if needed.is_dir() else "file"
            raise UnusableError(refusal(needed, f"the bot's user can't write to this {kind}"))


def _refused(file: Path, error: OSError) -> UnusableError:
    why = error.strerror or "it cannot be opened"
    return UnusableError(f"DATABASE is not valid: {file}: {why}.")


def is_sqlite(file: Path) -> bool:
    """Whether this is a file of SQLite's with anything in it."""
    return _head(file) == _HEAD


def _head(file: Path) -> bytes:
    with file.open("rb") as database:
        return database.read(len(_HEAD))


async def migrate(file: Path, target: str = "head") -> None:
    """Bring the file to a revision, in one transaction, after a copy of it was put aside.

    SQLite changes a table by making a new one and dropping the old one; with `foreign_keys` on,
    that drop would cascade and take every row that refers to it along. So this connection has it
    off, and what it enforces is checked before the commit.
    """
    with suppress(OSError):  # SQLite says what is wrong
        private_files.make_file(file)
    upkeep = create_async_engine(
        URL.create("sqlite+aiosqlite", database=str(file)),  # a name may hold what ends an address
        connect_args={"isolation_level": None},
        hide_parameters=True,
    )
    try:
        async with upkeep.connect() as connection:
            # Kept in the file: the first connections would trip over each other in setting it.
            await connection.exec_driver_sql("PRAGMA journal_mode=WAL")
            await connection.exec_driver_sql("PRAGMA foreign_keys=OFF")
            await connection.exec_driver_sql("PRAGMA secure_delete=ON")
            await connection.exec_driver_sql("BEGIN IMMEDIATE")
            try:
                await connection.run_sync(_upgrade, file, target)
            except PendingRollbackError:
                # Alembic drops the table that it was making, also where it was cancelled: that
                # fails, because the transaction has ended with it, and hides the cancellation.
                if (task := asyncio.current_task()) is not None and task.cancelling():
                    raise asyncio.CancelledError from None
                raise
            await connection.exec_driver_sql("COMMIT")
            # A process that was killed may have left in the log what it had deleted.
            await connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        await upkeep.dispose()


def revisions() -> frozenset[str]:
    """The revisions that this version of the bot knows."""
    return frozenset(known.revision for known in _scripts(MIGRATIONS).walk_revisions())


@cache
def shape(revision: str) -> Mapping[tuple[str, str], str]:
    """What the migrations make up to this revision, by kind and name; see `shape_of`."""
    with closing(sqlite3.connect(":memory:")) as memory:
        made = create_engine("sqlite://", creator=lambda: memory, poolclass=StaticPool)
        with made.begin() as connection:
            command.upgrade(_config(connection), revision)
        return MappingProxyType({(kind, name): sql for kind, name, sql in shape_of(memory)})


def shape_of(connection: sqlite3.Connection) -> Iterator[tuple[str, str, str]]:
    """Everything in a database but what SQLite keeps for itself: its kind, name and definition.

    Of a table that is its columns: in which order its constraints stand, Alembic leaves open.
    """
    query = "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    for kind, name, sql in connection.execute(query):
        columns = connection.execute("SELECT * FROM pragma_table_xinfo(?) ORDER BY cid", (name,))
        shape = repr(columns.fetchall()) if kind == "table" else (sql or "").replace('"', "")
        yield kind, name, "".join(shape.split())


def _upgrade(connection: Connection, file: Path, target: str) -> None:
    last = _last_numbers(connection)
    if not upgrade(
        connection, str(file), target, aside=lambda revision: _copy_aside(file, revision)
    ):
        return
    # A table that is made anew goes on after the numbers of its rows, also where newer rows are
    # gone; but the buttons of a deleted match still stand, and must never fit another one.
    for name, number in last.items():
        connection.execute(
            text("UPDATE sqlite_sequence SET seq = :number WHERE name = :name AND seq < :number"),
            {"name": name, "number": number},
        )
    broken = connection.execute(text("PRAGMA foreign_key_check")).all()
    if broken:
        tables = ", ".join(sorted({str(row[0]) for row in broken}))
        raise CorruptRecordError(f"after the migration, rows of {tables} refer to nothing")


def _last_numbers(connection: Connection) -> dict[str, int]:
    """By table whose numbers are never given again: the last one that was given."""
    if not connection.execute(
        text("SELECT 1 FROM sqlite_master WHERE name = 'sqlite_sequence'")
    ).first():
        return {}  # nothing has been made yet
    rows = connection.execute(text("SELECT name, seq FROM sqlite_sequence"))
    return {row.name: row.seq for row in rows}


def _copy_aside(file: Path, revision: str) -> None:
    """Keep the database as it is: a copy that has this name is whole."""
    aside = file.with_name(f"{file.name}.before-{revision}")
    if (why := room.lack(file, file.parent)) is not None:
        raise UnusableError(f"An update puts a copy beside the database. {file} {why}.")
    try:
        with private_files.draft(file) as draft:
            with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(draft)) as copy:
                source.backup(copy)
            private_files.remove_parts(aside)  # of a copy that was there, and gives way
            draft.replace(aside)
    except OSError as error:
        raise _refused(aside, error) from None


def upgrade(
    connection: Connection,
    place: str,
    target: str,
    *,
    aside: Callable[[str], None] | None = None,
) -> bool:
    """Bring the tables of this connection to a revision; whether they were not there yet.

    `aside` is called with the revision before rows are changed. NewerError names the place.
    """
    present = MigrationContext.configure(connection).get_current_revision()
    if present == _scripts(MIGRATIONS).as_revision_number(target):
        return False
    if present is not None:
        if present not in revisions():
            raise NewerError(
                f"{place} is at revision {present}, so a newer version of the bot has used it. "
                "Run that version, or set another DATABASE."
            )
        if aside is not None:
            aside(present)
    command.upgrade(_config(connection), target)
    return True


def must_be_of_today(connection: Connection, place: str) -> None:
    """UnusableError unless the tables of this connection are those of this version."""
    present = MigrationContext.configure(connection).get_current_revision()
    newest = _scripts(MIGRATIONS).get_current_head()
    if present is None:
        raise UnusableError(f"{place} is no database of Facedown.")
    if present != newest:
        newer = "an older" if present in revisions() else "a newer"
        raise UnusableError(
            f"{place} is at revision {present}, which {newer} version of the bot has made. Start "
            "this version with it once, or use the newest version."
        )


@cache
def _scripts(folder: Path) -> ScriptDirectory:
    """The migrations in a folder. To know their order takes running each of them as a module."""
    return ScriptDirectory(str(folder))


def _config(connection: Connection) -> Config:
    config = Config()
    config.attributes["connection"] = connection
    config.set_main_option("script_location", str(MIGRATIONS))
    return config
