"""`python -m bot backup FILE` and `restore FILE`: copy the database to a file, and back."""

import argparse
import os
import shlex
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

from pydantic import SecretStr

from bot.storage import postgres, private_files, server, startup
from bot.storage.backup import (
    NotCopiedError,
    UnfitError,
    mark_outdated,
    must_be_ours,
    put_in_place,
    verified_copy,
)
from bot.storage.old_backups import MIN_KEPT, delete_old
from bot.storage.startup import UnusableError
from bot.text import counted
from bot.time_units import DAY_SECONDS

_MAX_DAYS: Final = 3650

_ON_SERVER: Final = (
    "DATABASE is on a PostgreSQL server, whose own tools back it up, even while bots are running:\n"
    "  (umask 077; pg_dump --format=custom --file={file}.part '{address}' && mv {file}.part {file})"
)
_ONTO_SERVER: Final = (
    "DATABASE is on a PostgreSQL server, whose own tools restore it. Stop all bots first:\n"
    "  pg_restore --file=/dev/null {file} && "
    "psql '{address}' --command='DROP SCHEMA public CASCADE' --command='CREATE SCHEMA public'\n"
    "  pg_restore --clean --if-exists --single-transaction --dbname='{address}' {file}\n"
    "  psql '{address}' --command=\"DELETE FROM synced_commands; UPDATE places SET shown = '', "
    "revision = 0; SELECT setval('matches_id_seq', nextval('matches_id_seq') + 10000)\""
)


def add_to(commands: "argparse._SubParsersAction[Any]") -> None:
    """Add both to the commands of `python -m bot`."""
    backup = commands.add_parser(
        "backup", help="copy the database to a file, even while the bot is running"
    )
    backup.add_argument("file", type=Path, metavar="FILE", help="the copy to make")
    backup.add_argument("--force", action="store_true", help="replace a file with that name")
    backup.add_argument(
        "--keep",
        type=_days,
        metavar="DAYS",
        help=(
            "first delete older copies with the same ending from the folder of FILE; the newest "
            f"{MIN_KEPT} stay"
        ),
    )
    backup.set_defaults(begin=partial(_run, work=back_up, on_server=_ON_SERVER))
    restore = commands.add_parser(
        "restore", help="put such a copy in place of the database; stop the bot first"
    )
    restore.add_argument("file", type=Path, metavar="FILE", help="the copy to restore; it is kept")
    restore.add_argument(
        "--force",
        action="store_true",
        help=("even if there is a database; the old one is kept beside it"),
    )
    restore.set_defaults(
        begin=partial(_run, work=put_back, on_server=_ONTO_SERVER), creates_database=True
    )


def back_up(asked: argparse.Namespace, database: Path) -> int:
    """Copy the database, and delete old copies if asked to; an exit status.

    UnusableError if the database is damaged, or none that this version can use.
    """
    target: Path = asked.file
    why = _why_no_copy(target, database, replace=asked.force)
    if why is not None:
        return _refuse(f"{target} {why}")
    # First, and whatever becomes of the new copy: otherwise a full folder would stay full.
    tidied = 0 if asked.keep is None else _delete_old(target, database, asked.keep)
    return max(tidied, _copy(target, database, replace=asked.force))


def _delete_old(target: Path, database: Path, days: int) -> int:
    now, seconds = time.time(), days * DAY_SECONDS
    try:
        deleted = delete_old(target, database, now=now, seconds=seconds)
    except OSError as error:
        return _refuse(f"Old copies in {target.parent} can't be deleted: {error.strerror}.")
    if deleted:
        copies = counted(deleted, "copy", "copies")
        _print(f"Deleted {copies} older than {counted(days, 'day')} from {target.parent}.")
    return 0


def _copy(target: Path, database: Path, *, replace: bool) -> int:
    try:
        private_files.make_folder(target.parent)
        with verified_copy(database, target) as (draft, contents):
            _move_to(draft, target, replace=replace)
    except UnfitError as error:
        sentence = f"No backup was made: {database} {error}."
        if not isinstance(error, NotCopiedError):
            raise UnusableError(sentence) from None
        return _refuse(sentence)
    except OSError as error:
        return _refuse(f"No backup was made: {target}: {error.strerror}.")
    megabytes = target.stat().st_size / 1e6
    return _print(f"{target}: a copy with {_count(contents.matches)}, {megabytes:.1f} MB.")


def _days(words: str) -> int:
    """A number of days; ArgumentTypeError for anything else."""
    if words.isascii() and words.isdigit() and 0 < int(words) <= _MAX_DAYS:
        return int(words)
    raise argparse.ArgumentTypeError(f"must be a number of days from 1 to {_MAX_DAYS}")


def put_back(asked: argparse.Namespace, database: Path) -> int:
    """Replace the database with a copy; an exit status. InUseError while a bot runs on it."""
    source: Path = asked.file
    if _same(source, database):
        return _refuse(f"{source} is the database itself. Name a copy of it.")
    with startup.locked(database):
        if database.exists() and not asked.force:
            return _refuse(
                f"There is already a database at {database}. With --force, the copy takes its "
                "place, and the old one is kept beside it."
            )
        try:
            with verified_copy(source, database) as (draft, contents):
                must_be_ours(draft, contents.revision)
                mark_outdated(draft, database)
                aside = put_in_place(draft, database)
        except UnfitError as error:
            return _refuse(f"Nothing was restored: {source} {error}.")
        except OSError as error:
            return _refuse(f"Nothing was restored: {database}: {error.strerror}.")
    sentence = f"{database} is now the copy from {source}: {_count(contents.matches)}."
    if aside is not None:
        sentence += f" The old one is kept as {aside}."
    return _print(sentence)


def _why_no_copy(target: Path, database: Path, *, replace: bool) -> str | None:
    """Why a copy can't have this name, as the rest of a sentence; None if it can."""
    if _same(target, database):
        return "is the database itself. Name another file for the copy."
    if _belongs(target, database):
        return "belongs to the database itself. Name another file for the copy."
    if target.is_dir():
        return "is a folder. Name a file in it."
    if target.exists() and not target.is_file():  # a device would be replaced by the copy
        return "isn't a file. Name another one."
    if target.exists() and not replace:
        return "already exists. Name another file, or use --force to replace it."
    return None


def _move_to(draft: Path, target: Path, *, replace: bool) -> None:
    """Give a copy its name; FileExistsError if a file has that name by now, unless `replace`."""
    if replace:
        draft.replace(target)
    else:
        try:
            os.link(draft, target)
        except FileExistsError:
            raise
        except OSError:  # file systems such as exFAT have no links
            os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, private_files.FILE))
            draft.replace(target)


def _run(
    asked: argparse.Namespace,
    database: Path | SecretStr,
    *,
    work: Callable[[argparse.Namespace, Path], int],
    on_server: str,
) -> int:
    """Do this work on a file; for a server, print the commands that do it, without the password.

    MalformedError if it's unclear what part of the address is the password.
    """
    if isinstance(database, Path):
        return work(asked, database)
    server.must_be_clear(database)
    address = postgres.without_password(database)
    return _refuse(on_server.format(address=address, file=shlex.quote(str(asked.file))))


def _same(file: Path, database: Path) -> bool:
    return file.exists() and database.exists() and file.samefile(database)


def _belongs(file: Path, database: Path) -> bool:
    """Whether a file is, or would be, what SQLite or the bot keeps beside a database."""
    endings = (*private_files.PARTS, private_files.LOCK)
    beside = (private_files.part_of(database, ending) for ending in endings)
    return any(file.resolve() == one.resolve() or _same(file, one) for one in beside)


def _print(sentence: str) -> int:
    sys.stdout.write(f"{sentence}\n")
    return 0


def _refuse(sentence: str) -> int:
    sys.stderr.write(f"{sentence}\n")
    return 1


def _count(matches: int) -> str:
    return counted(matches, "match", "matches", separator=",")
