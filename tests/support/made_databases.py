"""Database files with the tables of a revision and no rows, created once for all workers of a run.

Migrating takes a second, because SQLite recreates most tables several times. Here too: no bot in
the process of the tests waits for the disk, which would take a fifth of the time of most tests.
"""

import fcntl
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from bot.storage import engine, startup

PROMISED: Final = engine.SYNCHRONOUS

_folders: list[Path] = []


def trust_memory() -> None:
    """Let commits return before the data is on disk: no test cuts the power."""
    engine.SYNCHRONOUS = "OFF"


def keep(factory: pytest.TempPathFactory) -> None:
    """Keep the files in a folder that all workers of this run share."""
    own = factory.getbasetemp()
    _folders[:] = [own.parent if "PYTEST_XDIST_WORKER" in os.environ else own]


async def copied(file: Path, revision: str = "head") -> Path:
    """Create this file with the tables of a revision, by default the current one."""
    if not _folders:  # not called by pytest
        await startup.migrate(file, revision)
        return file
    with _locked(f"{revision}.sqlite3") as made:
        if not made.exists():
            unfinished = made.with_suffix(".unfinished")
            await startup.migrate(unfinished, revision)
            unfinished.rename(made)
    return Path(shutil.copy(made, file))


def once(name: str, make: Callable[[Path], object]) -> Path:
    """The shared file of this name, which the first caller creates."""
    with _locked(name) as made:
        if not made.exists():
            unfinished = made.with_suffix(".unfinished")
            make(unfinished)
            unfinished.rename(made)
    return made


@contextmanager
def _locked(name: str) -> Iterator[Path]:
    """The path of the shared file of this name, locked for other workers meanwhile."""
    (folder,) = _folders
    with (folder / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder / name
