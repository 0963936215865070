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
"""What SQLite keeps beside a file, and would read into whatever takes that file's name."""

LOCK: Final = ".lock"
"""The file beside a database by which one process keeps others out."""

BESIDE: Final = ("", *PARTS, LOCK, ".before-*", ".replaced-*")
"""What stands by the name of a database, with these endings; the last two are copies of it."""

_RANDOM_BYTES: Final = 4


def make_folder(folder: Path) -> None:
    """Make a folder that only its owner may look into; one that is there stays as it is."""
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(exist_ok=True)
        folder.chmod(FOLDER)


def make_file(file: Path) -> None:
    """Make an empty file, unless it is there, before anybody writes into it."""
    if not file.exists():
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT, FILE))
    close_to_others(file)


@contextlib.contextmanager
def draft(file: Path) -> Iterator[Path]:
    """An empty file beside where this one is to stand, which the caller gives that name.

    It is gone afterwards if it still has its own.
    """
    made = file.with_name(f".{file.name}.{secrets.token_hex(_RANDOM_BYTES)}")
    os.close(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE))
    try:
        yield made
    finally:
        made.unlink(missing_ok=True)
        remove_parts(made)


def part_of(file: Path, part: str) -> Path:
    """One of the files that SQLite or the bot keeps beside a database."""
    return file.with_name(f"{file.name}{part}")


def remove_parts(file: Path) -> None:
    """Remove what SQLite keeps beside a file, before another one takes its name."""
    for part in PARTS:
        part_of(file, part).unlink(missing_ok=True)


def remove_drafts(file: Path) -> None:
    """Remove what was left where somebody was killed who made this file; nobody does so now."""
    for left in drafts(file.parent, escape(file.name)):
        with contextlib.suppress(OSError):  # somebody else's, who is to remove it
            left.unlink()


def drafts(folder: Path, names: str) -> Iterator[Path]:
    """The drafts in a folder, and what SQLite keeps beside them, of files with names like this."""
    one = "[0-9a-f]" * (2 * _RANDOM_BYTES)
    for part in ("", *PARTS):
        yield from folder.glob(f".{names}.{one}{part}")


def close_to_others(file: Path) -> None:
    """Take from everybody but its owner what they may do with a file, if it is ours to change."""
    if is_open_to_others(file):
        with contextlib.suppress(PermissionError):
            file.chmod(stat.S_IMODE(file.stat().st_mode) & FILE)


def is_open_to_others(file: Path) -> bool:
    """Whether anybody but its owner may read or write this file."""
    return bool(file.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO))


def close_database(database: Path) -> None:
    """The same for a database and all that SQLite and we keep beside it."""
    for ending in BESIDE:
        for file in database.parent.glob(f"{escape(database.name)}{ending}"):
            if file.is_file():
                close_to_others(file)
