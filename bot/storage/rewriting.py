"""Rewrites an SQLite file some time after a deletion, for what `secure_delete` doesn't overwrite.

SQLite overwrites rows that are deleted. When it moves rows between the pages of a tree, it may
leave copies of them in the unused part of a page, where a later deletion doesn't find them.
`VACUUM` copies only what is in use. Since when that is needed is in the file's `user_version`,
which nothing else uses, so a restart doesn't lose it.
"""

import os
from pathlib import Path
from typing import Any, Final

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage import disk_space
from bot.time_units import HOUR_SECONDS

_TEMPORARY: Final = ("/var/tmp", "/usr/tmp", "/tmp", ".")  # noqa: S108 - where SQLite looks

_VERSION: Final = text("PRAGMA user_version")


async def note_deletion(connection: AsyncConnection, now: int) -> None:
    """Record that somebody was deleted at this Unix time; does nothing on PostgreSQL."""
    if connection.dialect.name == "sqlite" and await deleted_since(connection) is None:
        await connection.execute(text(f"PRAGMA user_version = {now // HOUR_SECONDS}"))


async def deleted_since(connection: AsyncConnection) -> int | None:
    """The hour of the first deletion since the file was last rewritten; None if there was none."""
    if connection.dialect.name != "sqlite":
        return None
    hours: int = (await connection.execute(_VERSION)).scalar_one()
    return hours * HOUR_SECONDS or None


def shortage(file: Path) -> str | None:
    """Why there isn't enough room, to be read after the file's name; None if there is.

    SQLite makes a copy in its folder for temporary files, and writes it to the log, too.
    """
    temporary = _temporary_folder()
    if temporary.stat().st_dev == file.parent.stat().st_dev:
        return disk_space.shortage(file, file.parent, copies=2)
    return disk_space.shortage(file, file.parent) or disk_space.shortage(file, temporary)


async def rewrite(driver: Any) -> None:  # noqa: ANN401 - aiosqlite's connection
    """Copy what is in use, and replace the content of the file by that; nobody can write meanwhile.

    It's in the log first. The file has it when the log is emptied.
    """
    # Also ends the last statement: the driver keeps it open, and SQLite would refuse.
    await driver.execute_fetchall("SELECT 1")
    await driver.execute_fetchall("VACUUM")
    await driver.execute_fetchall("PRAGMA user_version = 0")


def _temporary_folder() -> Path:
    chosen = (os.environ.get("SQLITE_TMPDIR"), os.environ.get("TMPDIR"))
    folders = [Path(name) for name in (*chosen, *_TEMPORARY) if name]
    return next((folder for folder in folders if folder.is_dir()), Path())
