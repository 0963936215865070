"""Checks that a copy of the database fits on the disk, before it's made.

A copy that fills the database's disk would keep a running bot from saving anything.
"""

import shutil
from pathlib import Path
from typing import Final

from bot.storage import private_files

SPARE_SHARE: Final = 0.05
"""The part of its size that must be free in addition: a running bot's log grows during a copy."""

SPARE_BYTES: Final = 16_000_000
"""The bytes that must be free in addition, however small the database is."""


def shortage(database: Path, folder: Path, *, copies: int = 1) -> str | None:
    """Why copies don't fit into a folder, to be read after the database's name; None if they do.

    Counts the space that this process's user may use.
    """
    parts = (database, private_files.part_of(database, "-wal"))
    size = sum(part.stat().st_size for part in parts if part.exists())
    needed = int(size * (copies + SPARE_SHARE)) + SPARE_BYTES
    disk = shutil.disk_usage(folder)
    if disk.total == 0 or disk.free >= needed:  # some file systems report nothing
        return None
    return (
        f"needs {_megabytes(needed)} in {folder.resolve()}, and only {_megabytes(disk.free)} is "
        "free there. Make room first"
    )


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"
