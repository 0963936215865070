"""Files with the tables of a revision and no rows, made once for all workers of a run.

Migrating takes a second, in which SQLite makes most tables anew several times. And no bot in the
process of the tests waits for the disk: a fifth of the time of most.
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
    """Let a commit be in the memory of the machine: nobody cuts the power here."""
    engine.SYNCHRONOUS = "OFF"


def keep(factory: pytest.TempPathFactory) -> None:
    """Keep the files where each worker of this run finds them."""
    own = factory.getbasetemp()
    _folders[:] = [own.parent if "PYTEST_XDIST_WORKER" in os.environ else own]


async def copied(file: Path, revision: str = "head") -> Path:
    """Make the file one of a revision, today's unless another is named."""
    if not _folders:  # no run of tests
        await startup.migrate(file, revision)
        return file
    with _place(f"{revision}.sqlite3") as made:
        if not made.exists():
            begun = made.with_suffix(".begun")
            await startup.migrate(begun, revision)
            begun.rename(made)
    return Path(shutil.copy(made, file))


def once(name: str, make: Callable[[Path], object]) -> Path:
    """The file of this name, which is made by whoever asks first."""
    with _place(name) as made:
        if not made.exists():
            begun = made.with_suffix(".begun")
            make(begun)
            begun.rename(made)
    return made


@contextmanager
def _place(name: str) -> Iterator[Path]:
    """Where the file of this name is for all workers; whoever comes meanwhile waits for it."""
    (folder,) = _folders
    with (folder / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder / name
