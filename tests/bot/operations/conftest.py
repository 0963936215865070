"""What is run on a database in which two matches are over, and a backup of it."""

import asyncio
import shutil
import sys
from types import SimpleNamespace

import pytest

from bot import cli
from bot.storage import Storage, backup
from tests.support.match_records import finished
from tests.support.matches import ANN, BEA


@pytest.fixture
def command(monkeypatch, database, tmp_path, capsys):
    """Runs `python -m bot` with these words on the database; status and sentence."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE", str(database))

    def begin(*words):
        capsys.readouterr()
        monkeypatch.setattr(sys, "argv", ["facedown", *map(str, words)])
        status = cli.main()
        said = capsys.readouterr()
        return status, said.out + said.err

    return begin


@pytest.fixture(scope="module")
def over(tables, tmp_path_factory):
    """A file in which two matches are over, to be copied."""
    file = shutil.copy(tables, tmp_path_factory.mktemp("over") / "over.sqlite3")

    async def fill():
        async with Storage.open(file) as storage:
            for n in (1, 2):
                await finished(storage, n, (ANN, BEA), (1, 2))

    asyncio.run(fill())
    return file


@pytest.fixture
def played(over, database):
    """The database, in which two matches are over."""
    return shutil.copy(over, database)


@pytest.fixture
def nearly_full(monkeypatch):
    """Leaves so many bytes free on every disk."""

    def leave(free, total=10**12):
        usage = SimpleNamespace(total=total, used=total - free, free=free)
        monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)

    return leave


@pytest.fixture
def saved(played, tmp_path):
    """A backup of it."""
    target = tmp_path / "saved.sqlite3"
    with backup.verified_copy(played, target) as (draft, _):
        return draft.rename(target)
