"""Files that only their owner may read, whatever the umask: they hold hands, seeds and ids."""

import contextlib
import os
import secrets
import stat
from collections.abc import Iterator
from glob import escape
from pathlib import Path
from typing import Final

FILE: Final = 0o600
FOLDER: Final = 0o700

PARTS: Final = ("-wal", "-shm", "-journal")
"""The endings of files that SQLite keeps beside a database, and would apply to any other file with
its name."""

LOCK: Final = ".lock"
"""The ending of the lock file by which one process keeps others off a database."""

BESIDE: Final = ("", *PARTS, LOCK, ".before-*", ".replaced-*")
"""Endings of all files with a database's name, as glob patterns; the last two are copies of it."""

_RANDOM_BYTES: Final = 4


def make_folder(folder: Path) -> None:
    """Create a folder that only its owner may open; an existing one isn't changed."""
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(exist_ok=True)
        folder.chmod(FOLDER)


def make_file(file: Path) -> None:
    """Create an empty file if it's missing, and close it to others before anything is written."""
    if not file.exists():
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT, FILE))
    make_private(file)


@contextlib.contextmanager
def draft(file: Path) -> Iterator[Path]:
    """A new empty file in the folder of `file`, which the caller renames to keep it.

    It's deleted afterwards if it still has its own name.
    """
    made = file.with_name(f".{file.name}.{secrets.token_hex(_RANDOM_BYTES)}")
    os.close(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE))
    try:
        yield made
    finally:
        made.unlink(missing_ok=True)
        remove_parts(made)


def part_of(file: Path, part: str) -> Path:
    """The path of a file that SQLite or the bot keeps beside a database."""
    return file.with_name(f"{file.name}{part}")


def remove_parts(file: Path) -> None:
    """Delete what SQLite keeps beside a file, before another gets its name."""
    for part in PARTS:
        part_of(file, part).unlink(missing_ok=True)


def remove_drafts(file: Path) -> None:
    """Delete drafts of this file left by processes that were killed; nothing may be making one."""
    for left in drafts(file.parent, escape(file.name)):
        with contextlib.suppress(OSError):  # another user's, who has to delete it
            left.unlink()


def drafts(folder: Path, names: str) -> Iterator[Path]:
    """The drafts of files whose names match this glob pattern, with SQLite's files beside them."""
    one = "[0-9a-f]" * (2 * _RANDOM_BYTES)
    for part in ("", *PARTS):
        yield from folder.glob(f".{names}.{one}{part}")


def make_private(file: Path) -> None:
    """Remove everybody else's permissions for a file, if it's ours to change."""
    if is_open_to_others(file):
        with contextlib.suppress(PermissionError):
            file.chmod(stat.S_IMODE(file.stat().st_mode) & FILE)


def is_open_to_others(file: Path) -> bool:
    """Whether anybody but its owner has permissions for this file."""
    return bool(file.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO))


def make_database_private(database: Path) -> None:
    """Close a database to others, with all files that SQLite and the bot keep beside it."""
    for ending in BESIDE:
        for file in database.parent.glob(f"{escape(database.name)}{ending}"):
            if file.is_file():
                make_private(file)
