"""Copies of the SQLite database: made while it's in use, checked, and restored.

A copy with its final name is complete: it's made and checked under a temporary name in the same
folder, and only then renamed.
"""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote

from bot.storage import disk_space, private_files, startup

_MATCHES_SINCE_BACKUP: Final = 10_000
"""How many matches are assumed to be opened since a backup if the replaced database can't say."""

LOCKED_SECONDS: Final = 30.0
"""How long a copy waits for a program that locks the database; writers of the bot don't."""


class UnfitError(Exception):
    """A file that can't be copied or restored; the message continues a sentence after its name."""


class NotCopiedError(UnfitError):
    """There is no room for the copy, or no permission; nothing is wrong with the database."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """What a database holds, for people who are about to rely on a copy."""

    revision: str
    matches: int


@contextmanager
def verified_copy(source: Path, target: Path) -> Iterator[tuple[Path, Contents]]:
    """A checked copy of a database, in the folder of `target`.

    It's one state of the database, and writers aren't blocked meanwhile. The caller renames it to
    keep it; otherwise it's deleted at the end. Only its owner may read it, because it holds hands
    and seeds. Raises UnfitError if the source is damaged, locked or not ours, and, before anything
    is written, NotCopiedError if there is not enough room.
    """
    _must_be_a_database(source)
    if (why := disk_space.shortage(source, target.parent)) is not None:
        raise NotCopiedError(why)
    with private_files.draft(target) as draft:
        with _as_unfit_errors():
            _copy(source, draft)
            contents = _examine(draft)
        yield draft, contents


def mark_outdated(draft: Path, replaced: Path) -> None:
    """Make the next start on this copy update Discord, where things have changed since the backup.

    The messages of matches in play are edited to what the copy says, and the commands are sent
    again. New matches get none of the numbers that were given out since the backup: the buttons of
    those matches are still in their messages, and would act on them.
    """
    number = "SELECT max(seq) FROM sqlite_sequence WHERE name = 'matches'"
    try:
        with closing(sqlite3.connect(f"file:{quote(str(replaced))}?mode=ro", uri=True)) as other:
            (last,) = other.execute(number).fetchone()
    except sqlite3.Error:
        last = None
    with _as_unfit_errors(), closing(sqlite3.connect(draft)) as copy, copy:
        copy.execute("DELETE FROM synced_commands")
        # An older copy may not have the column yet.
        columns = {name for _, name, *_ in copy.execute("PRAGMA table_info(places)")}
        doubt = "shown = '', revision = 0" if "revision" in columns else "shown = ''"
        copy.execute(
            f"UPDATE places SET {doubt}"  # noqa: S608 - no input in it
            " WHERE match IN (SELECT id FROM matches WHERE NOT settled)"
        )
        (own,) = copy.execute(number).fetchone()
        known = own or 0
        last_used = known + _MATCHES_SINCE_BACKUP if last is None or last < known else last
        copy.execute("DELETE FROM sqlite_sequence WHERE name = 'matches'")
        copy.execute("INSERT INTO sqlite_sequence VALUES ('matches', ?)", (last_used,))


def put_in_place(draft: Path, database: Path) -> Path | None:
    """Make this file the database; returns where the old one is kept, or None if there was none.

    Nothing else may use the database meanwhile. At every moment a complete database exists under
    one name or the other.
    """
    aside = _free_name(database)
    existed = database.exists()
    if existed:
        _checkpoint(database)
        private_files.make_database_private(database)
        _link_aside(database, aside)
    # If the old database's log stayed, SQLite would apply it to the new one.
    for part in private_files.PARTS:
        kept = private_files.part_of(database, part)
        if kept.exists():
            kept.rename(private_files.part_of(aside, part))
    draft.replace(database)
    return aside if existed else None


def _link_aside(database: Path, aside: Path) -> None:
    """Give the database's content a second name."""
    try:
        os.link(database, aside)
    except FileExistsError:
        raise
    except OSError:  # file systems such as exFAT have no hard links
        with private_files.draft(database) as draft:
            shutil.copyfile(database, draft)
            draft.rename(aside)


def _must_be_a_database(file: Path) -> None:
    if not file.exists():
        raise UnfitError("is not there")
    if not file.is_file():
        raise UnfitError("isn't a file")
    if file.stat().st_size == 0:
        raise UnfitError("is empty")
    try:
        is_one = startup.is_sqlite(file)
    except OSError as error:
        raise UnfitError(f"can't be read: {error.strerror}") from None
    if not is_one:
        raise UnfitError("isn't a SQLite database")


def _copy(source: Path, draft: Path) -> None:
    # mode=rw: if the file was just removed, no new one is created.
    address = f"file:{quote(str(source.resolve()))}?mode=rw"
    if not os.access(source, os.W_OK):
        address = address.replace("mode=rw", "mode=ro")
    reading = sqlite3.connect(address, uri=True, timeout=LOCKED_SECONDS)
    with closing(reading) as old, closing(sqlite3.connect(draft)) as new:
        # In one step: with several, each commit of a running bot would restart it.
        old.backup(new, progress=_must_not_be_locked)
        new.execute("PRAGMA journal_mode=DELETE")  # one file, which can be read anywhere


def _must_not_be_locked(status: int, _remaining: int, _total: int) -> None:
    """UnfitError if a step has waited in vain: `backup` would repeat it without end."""
    if status in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        raise UnfitError("is in use by another program, which locks it")


def _examine(file: Path) -> Contents:
    with closing(sqlite3.connect(file)) as connection:
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        if not {name for (name,) in tables} >= startup.OURS:
            raise UnfitError("isn't a Facedown database")
        problems = connection.execute("PRAGMA integrity_check(1)").fetchall()
        if problems != [("ok",)]:
            raise UnfitError(f"is damaged: {' '.join(problems[0][0].split())}")
        broken = connection.execute("PRAGMA foreign_key_check").fetchone()
        if broken is not None:
            raise UnfitError(f"is damaged: rows of {broken[0]} refer to nothing")
        (revision,) = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        if revision not in startup.revisions():
            raise UnfitError(f"is of revision {revision}, so a newer version of the bot made it")
        (matches,) = connection.execute("SELECT count(*) FROM matches").fetchone()
    return Contents(revision=revision, matches=matches)


def must_be_ours(draft: Path, revision: str) -> None:
    """Raise UnfitError if the database holds anything that our migrations don't create.

    A trigger or view would run with every statement of ours; a changed index or table would affect
    many of them.
    """
    expected = startup.shape(revision)
    with _as_unfit_errors(), closing(sqlite3.connect(draft)) as connection:
        for kind, name, shape in startup.shape_of(connection):
            if expected.get((kind, name)) != shape:
                raise UnfitError(f"holds something that isn't ours: the {kind} {name}")


@contextmanager
def _as_unfit_errors() -> Iterator[None]:
    """Turn SQLite's errors about a file into UnfitError."""
    try:
        yield
    except sqlite3.OperationalError as error:  # no room, or no permission
        raise NotCopiedError(f"cannot be copied: {error}") from None
    except (sqlite3.DatabaseError, TypeError) as error:
        raise UnfitError(f"is damaged: {error}") from None


def _checkpoint(database: Path) -> None:
    """Write a database's log into it, as closing it does, unless it's damaged."""
    if not startup.is_sqlite(database):
        return  # SQLite might truncate the log of a file that it can't read
    try:
        with closing(sqlite3.connect(database)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.Error:
        return  # it's kept as it is, with its log


def _free_name(database: Path) -> Path:
    """A name that is free for the database that is replaced."""
    n = 1
    while (aside := database.with_name(f"{database.name}.replaced-{n}")).exists():
        n += 1
    return aside
