"""Copies of the database: made while it is in use, examined, and put in its place.

A copy that stands somewhere is whole: it is made beside where it is to stand, examined there, and
takes its name only then.
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

from bot.storage import private_files, room, startup

_NUMBERS_LOST: Final = 10_000
"""Matches that may have been opened since a backup, where no database tells how many."""


class UnfitError(Exception):
    """A file of which there can be no good copy; the message goes on after the file's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """What a database holds, as far as somebody wants to know before relying on it."""

    revision: str
    matches: int


@contextmanager
def copied(source: Path, target: Path) -> Iterator[tuple[Path, Contents]]:
    """A copy of a database in use or at rest, examined, in the folder of its target.

    It is one state of the database, and nobody who writes to that waits meanwhile. The caller
    gives it another name to keep it; else it is gone afterwards. Only its owner may read it: it
    holds hands and seeds. UnfitError where the source is damaged or not ours, and before anything
    is written where there is no room.
    """
    _must_be_a_database(source)
    if (why := room.lack(source, target.parent)) is not None:
        raise UnfitError(why)
    with private_files.draft(target) as draft:
        with _told():
            _copy(source, draft)
            contents = _examine(draft)
        yield draft, contents


def make_doubtful(draft: Path, replaced: Path) -> None:
    """Let the next start on this copy look at all that Discord shows, which went on without it.

    The messages of matches in play are edited to what the copy says, and the commands are sent
    again. New matches get none of the numbers that were given out since: the buttons of those
    matches are still in their messages, and would fit.
    """
    number = "SELECT max(seq) FROM sqlite_sequence WHERE name = 'matches'"
    try:
        with closing(sqlite3.connect(f"file:{quote(str(replaced))}?mode=ro", uri=True)) as other:
            (last,) = other.execute(number).fetchone()
    except sqlite3.Error:
        last = None
    with _told(), closing(sqlite3.connect(draft)) as copy, copy:
        copy.execute("DELETE FROM synced_commands")
        # The revision came later than the rest, and a copy may be older.
        columns = {name for _, name, *_ in copy.execute("PRAGMA table_info(places)")}
        doubt = "shown = '', revision = 0" if "revision" in columns else "shown = ''"
        copy.execute(
            f"UPDATE places SET {doubt}"  # noqa: S608 - our own words
            " WHERE match IN (SELECT id FROM matches WHERE NOT settled)"
        )
        (own,) = copy.execute(number).fetchone()
        known = own or 0
        go_on = known + _NUMBERS_LOST if last is None or last < known else last
        copy.execute("DELETE FROM sqlite_sequence WHERE name = 'matches'")
        copy.execute("INSERT INTO sqlite_sequence VALUES ('matches', ?)", (go_on,))


def put_in_place(draft: Path, database: Path) -> Path | None:
    """Let this file be the database from now on; where the old one is kept, if there was one.

    Nobody else may use it meanwhile. At every moment there is a whole database by the one name or
    the other.
    """
    aside = _free_name(database)
    existed = database.exists()
    if existed:
        _fold_in(database)
        private_files.close_database(database)
        _keep(database, aside)
    # Left where it is, the log of the old database would be read into the new one.
    for part in private_files.PARTS:
        kept = private_files.part_of(database, part)
        if kept.exists():
            kept.rename(private_files.part_of(aside, part))
    draft.replace(database)
    return aside if existed else None


def _keep(database: Path, aside: Path) -> None:
    """Let what is in a database stand by another name too."""
    try:
        os.link(database, aside)
    except FileExistsError:
        raise
    except OSError:  # file systems such as exFAT have no links
        with private_files.draft(database) as draft:
            shutil.copyfile(database, draft)
            draft.rename(aside)


def _must_be_a_database(file: Path) -> None:
    if not file.exists():
        raise UnfitError("is not there")
    if not file.is_file():
        raise UnfitError("is no file")
    if file.stat().st_size == 0:
        raise UnfitError("is empty")
    try:
        is_one = startup.is_sqlite(file)
    except OSError as error:
        raise UnfitError(f"can't be read: {error.strerror}") from None
    if not is_one:
        raise UnfitError("is no SQLite database")


def _copy(source: Path, draft: Path) -> None:
    # Without creating it, should somebody just have taken it away.
    address = f"file:{quote(str(source.resolve()))}?mode=rw"
    if not os.access(source, os.W_OK):
        address = address.replace("mode=rw", "mode=ro")
    with closing(sqlite3.connect(address, uri=True)) as old, closing(sqlite3.connect(draft)) as new:
        # In one step: in several, each commit of a running bot would make it begin again.
        old.backup(new)
        new.execute("PRAGMA journal_mode=DELETE")  # one file, which can be read where it lies


def _examine(file: Path) -> Contents:
    with closing(sqlite3.connect(file)) as connection:
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        if not {name for (name,) in tables} >= startup.OURS:
            raise UnfitError("is a database, but not one of Facedown")
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
    """UnfitError where there is anything in a database that our migrations do not make.

    A trigger or a view would run with every statement of ours; an index or a table of another
    shape, with many.
    """
    expected = startup.shape(revision)
    with _told(), closing(sqlite3.connect(draft)) as connection:
        for kind, name, shape in startup.shape_of(connection):
            if expected.get((kind, name)) != shape:
                raise UnfitError(f"holds something that isn't ours: the {kind} {name}")


@contextmanager
def _told() -> Iterator[None]:
    """Turn what SQLite finds wrong with a file into an UnfitError."""
    try:
        yield
    except sqlite3.OperationalError as error:  # no room, no permission, held by somebody else
        raise UnfitError(f"cannot be copied: {error}") from None
    except (sqlite3.DatabaseError, TypeError) as error:
        raise UnfitError(f"is damaged: {error}") from None


def _fold_in(database: Path) -> None:
    """Write the log of a database into it, as closing it does, unless it is damaged."""
    if not startup.is_sqlite(database):
        return  # SQLite might empty the log of what it cannot read
    try:
        with closing(sqlite3.connect(database)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.Error:
        return  # it is kept as it is, with its log


def _free_name(database: Path) -> Path:
    """Where a database can be kept that gives way to another."""
    n = 1
    while (aside := database.with_name(f"{database.name}.replaced-{n}")).exists():
        n += 1
    return aside
