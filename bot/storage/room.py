"""The room that a copy of the database takes, asked for before it is made.

A copy that fills the disk of the database would keep a running bot from saving anything.
"""

import shutil
from pathlib import Path
from typing import Final

from bot.storage import private_files

SPARE_SHARE: Final = 0.05
"""Of its size, that has to be free besides: a running bot's log grows while it is copied."""

SPARE_BYTES: Final = 16_000_000
"""What has to be free besides, however small the database is."""


def lack(database: Path, folder: Path) -> str | None:
    """Why a copy does not fit into a folder, to go on after the database's name; None if it does.

    What counts is the room that the user of this process may take.
    """
    parts = (database, private_files.part_of(database, "-wal"))
    size = sum(part.stat().st_size for part in parts if part.exists())
    needed = int(size * (1 + SPARE_SHARE)) + SPARE_BYTES
    disk = shutil.disk_usage(folder)
    if disk.total == 0 or disk.free >= needed:  # some file systems do not tell
        return None
    return (
        f"needs {_megabytes(needed)} in {folder.resolve()}, and only {_megabytes(disk.free)} is "
        "free there. Make room first"
    )


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"
