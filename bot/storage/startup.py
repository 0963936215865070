"""Prepares the SQLite file: locks it against other processes, and migrates it."""

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
from bot.storage import disk_space, private_files
from bot.storage.trouble import NOT_VALID, refusal

MIGRATIONS = Path(__file__).resolve().parents[2] / "migrations"
_HEAD: Final = b"SQLite format 3\0"
"""The first bytes of every non-empty SQLite file."""

OURS: Final = frozenset({"alembic_version", "matches", "seats", "moves", "people"})
"""Tables that every revision has."""


class UnusableError(Exception):
    """The database can't be used; the message says why, to the person who runs the bot."""


class MalformedError(UnusableError):
    """DATABASE can't be the place of a database; retrying changes nothing."""


class InUseError(UnusableError):
    """Another process is using the database."""


class NewerError(UnusableError):
    """The database was migrated by a newer version of the bot."""


@contextmanager
def exclusive(file: Path) -> Iterator[None]:
    """Hold the lock of a database that is ours or doesn't exist yet, or raise UnusableError."""
    with locked(file):
        # Only under the lock: closing a file also releases SQLite's locks on it.
        try:
            is_other = file.exists() and _head(file) not in {b"", _HEAD}
        except OSError as error:
            raise _unusable(file, error) from None
        if is_other:
            raise UnusableError(f"{NOT_VALID}: {file} isn't a SQLite database.")
        private_files.make_database_private(file)
        yield


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Hold the database's lock file, or raise InUseError; the system releases it when we die.

    Deletes what a killed restore, move or update has left: drafts under names that nothing looks
    for.
    """
    with _lock_file(file) as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InUseError(f"Another process is using {file}. Stop it first.") from None
        private_files.remove_drafts(file)
        yield


def _lock_file(file: Path) -> TextIO:
    """Open the lock file beside the database and create its folder; UnusableError if that fails."""
    try:
        if file.is_dir():
            raise MalformedError(f"{NOT_VALID}: {file} is a folder. Name a file in it.")
        if file.exists() and not file.is_file():  # a device would lose everybody else's permissions
            raise MalformedError(f"{NOT_VALID}: {file} isn't a file.")
        if file.is_symlink() and not file.exists():
            why = refusal(file, f"it is a link to {file.readlink()}, which isn't there")
            raise UnusableError(f"{why} Mount its disk, or name another file.")
        private_files.make_folder(file.parent)
        lock = private_files.part_of(file, private_files.LOCK)
        private_files.make_file(lock)
        return lock.open("w")
    except OSError as error:
        raise _unusable(file, error) from None


def must_be_writable(file: Path) -> None:
    """Raise UnusableError if a database can be read but not written, before SQLite opens it.

    SQLite would leave a log beside such a file that can't be written either, and with that log
    refuse writes even after the file's permissions are repaired.
    """
    parts = (private_files.part_of(file, part) for part in private_files.PARTS)
    for needed in (file.parent, file, *parts):
        if needed.exists() and not os.access(needed, os.W_OK):
            kind = "folder" if needed.is_dir() else "file"
            raise UnusableError(refusal(needed, f"the bot's user can't write to this {kind}"))


def _unusable(file: Path, error: OSError) -> UnusableError:
    why = error.strerror or "it cannot be opened"
    return UnusableError(f"{NOT_VALID}: {file}: {why}.")


def is_sqlite(file: Path) -> bool:
    """Whether this is a non-empty SQLite file."""
    return _head(file) == _HEAD


def _head(file: Path) -> bytes:
    with file.open("rb") as database:
        return database.read(len(_HEAD))


async def migrate(file: Path, target: str = "head") -> None:
    """Migrate the file to a revision, in one transaction, after putting a copy of it aside.

    SQLite changes a table by creating a new one and dropping the old one; with `foreign_keys` on,
    that drop would cascade and delete every row that refers to it. So it's off on this connection,
    and checked before the commit.
    """
    with suppress(OSError):  # SQLite reports what is wrong
        private_files.make_file(file)
    upkeep = create_async_engine(
        URL.create("sqlite+aiosqlite", database=str(file)),  # a name may contain what ends a URL
        connect_args={"isolation_level": None},
        hide_parameters=True,
    )
    try:
        async with upkeep.connect() as connection:
            # Stored in the file: connections that set it at the same time would conflict.
            await connection.exec_driver_sql("PRAGMA journal_mode=WAL")
            await connection.exec_driver_sql("PRAGMA foreign_keys=OFF")
            await connection.exec_driver_sql("PRAGMA secure_delete=ON")
            await connection.exec_driver_sql("BEGIN IMMEDIATE")
            try:
                await connection.run_sync(_upgrade, file, target)
            except PendingRollbackError:
                # Alembic drops the table it was creating, even after a cancellation: that fails,
                # because the transaction has ended with it, and hides the cancellation.
                if (task := asyncio.current_task()) is not None and task.cancelling():
                    raise asyncio.CancelledError from None
                raise
            await connection.exec_driver_sql("COMMIT")
            # A process that was killed may have left deleted data in the log.
            await connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        await upkeep.dispose()


def revisions() -> frozenset[str]:
    """The revisions that this version of the bot knows."""
    return frozenset(known.revision for known in _scripts(MIGRATIONS).walk_revisions())


@cache
def shape(revision: str) -> Mapping[tuple[str, str], str]:
    """What the migrations create up to this revision: definitions by kind and name.

    In the form of `shape_of`.
    """
    with closing(sqlite3.connect(":memory:")) as memory:
        engine = create_engine("sqlite://", creator=lambda: memory, poolclass=StaticPool)
        with engine.begin() as connection:
            command.upgrade(_config(connection), revision)
        return MappingProxyType({(kind, name): sql for kind, name, sql in shape_of(memory)})


def shape_of(connection: sqlite3.Connection) -> Iterator[tuple[str, str, str]]:
    """Everything in a database except SQLite's own tables: kind, name and definition.

    The definition of a table is its columns, because Alembic doesn't fix the order of constraints.
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
    # A table that is created again continues after its highest id, even if newer rows were deleted;
    # but buttons of a deleted match still exist, and must never act on another one.
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
    """The last id given out, by table whose ids are never reused."""
    if not connection.execute(
        text("SELECT 1 FROM sqlite_master WHERE name = 'sqlite_sequence'")
    ).first():
        return {}  # nothing has been created yet
    rows = connection.execute(text("SELECT name, seq FROM sqlite_sequence"))
    return {row.name: row.seq for row in rows}


def _copy_aside(file: Path, revision: str) -> None:
    """Put a copy of the database aside; a copy with the final name is complete."""
    aside = file.with_name(f"{file.name}.before-{revision}")
    if (why := disk_space.shortage(file, file.parent)) is not None:
        raise UnusableError(f"An update puts a copy beside the database. {file} {why}.")
    try:
        with private_files.draft(file) as draft:
            with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(draft)) as copy:
                source.backup(copy)
            private_files.remove_parts(aside)  # of an older copy, which is replaced
            draft.replace(aside)
    except OSError as error:
        raise _unusable(aside, error) from None


def upgrade(
    connection: Connection,
    place: str,
    target: str,
    *,
    aside: Callable[[str], None] | None = None,
) -> bool:
    """Migrate the tables of this connection to a revision; returns whether anything was done.

    `aside` is called with the old revision before rows are changed. NewerError names `place`.
    """
    present = MigrationContext.configure(connection).get_current_revision()
    if present == _scripts(MIGRATIONS).as_revision_number(target):
        return False
    if present is not None:
        if present not in revisions():
            raise _newer_error(place, present)
        if aside is not None:
            aside(present)
    command.upgrade(_config(connection), target)
    return True


def must_be_of_today(connection: Connection, place: str) -> None:
    """Raise UnusableError unless the tables of this connection are at this version's revision."""
    present = MigrationContext.configure(connection).get_current_revision()
    newest = _scripts(MIGRATIONS).get_current_head()
    if present is None:
        raise UnusableError(f"{place} isn't a Facedown database.")
    if present not in revisions():
        raise _newer_error(place, present)
    if present != newest:
        raise UnusableError(
            f"{place} is at revision {present}, which an older version of the bot has made. Start "
            "this version with it once."
        )


def _newer_error(place: str, revision: str) -> NewerError:
    return NewerError(
        f"{place} is at revision {revision}, so a newer version of the bot has used it. Use that "
        "version, or another database."
    )


@cache
def _scripts(folder: Path) -> ScriptDirectory:
    """The migrations in a folder; cached, because ordering them runs each as a module."""
    return ScriptDirectory(str(folder))


def _config(connection: Connection) -> Config:
    config = Config()
    config.attributes["connection"] = connection
    config.set_main_option("script_location", str(MIGRATIONS))
    return config
