"""Deletes old backups from the folder of a new one."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final
from urllib.parse import quote

from bot.storage import private_files, startup
from bot.time_units import DAY_SECONDS

MIN_KEPT: Final = 7
"""The newest backups that stay, however old: if new ones fail, old ones are better than none."""

_DRAFT_SECONDS: Final = DAY_SECONDS
"""Longer than any backup takes: an older draft was left by a process that was killed."""


def delete_old(target: Path, database: Path, *, now: float, seconds: float) -> int:
    """Delete backups older than `seconds` in the folder of `target`; returns how many.

    Other files stay: only databases of ours that are not in use, with the extension of `target`,
    are deleted.
    """
    kept = sorted(_backups(target, database), key=_written, reverse=True)
    old = [backup for backup in kept[MIN_KEPT:] if _written(backup) < now - seconds]
    for backup in old:
        backup.unlink(missing_ok=True)
    for draft in private_files.drafts(target.parent, f"*{target.suffix}"):
        if _written(draft) < now - _DRAFT_SECONDS:
            draft.unlink(missing_ok=True)
    return len(old)


def _backups(target: Path, database: Path) -> Iterator[Path]:
    for file in target.parent.glob("*"):
        lock = private_files.part_of(file, private_files.LOCK)  # a bot has run on it
        if file.suffix == target.suffix and file.is_file() and not lock.exists():
            is_own = database.exists() and file.samefile(database)
            if not is_own and not file.is_symlink() and _is_ours(file):
                yield file


def _is_ours(file: Path) -> bool:
    if not startup.is_sqlite(file):
        return False
    address = f"file:{quote(str(file.resolve()))}?mode=ro&immutable=1"
    try:
        with closing(sqlite3.connect(address, uri=True)) as connection:
            tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            return {name for (name,) in tables} >= startup.OURS
    except sqlite3.Error:
        return False


def _written(file: Path) -> float:
    return file.stat().st_mtime
