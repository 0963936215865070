"""Fixtures for commands: a database with two finished matches, and a backup of it."""

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
    """Runs `python -m bot` with these arguments on the database; returns the status and output."""
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
    """A database file with two finished matches, to copy for each test."""
    file = shutil.copy(tables, tmp_path_factory.mktemp("over") / "over.sqlite3")

    async def fill():
        async with Storage.open(file) as storage:
            for n in (1, 2):
                await finished(storage, n, (ANN, BEA), (1, 2))

    asyncio.run(fill())
    return file


@pytest.fixture
def played(over, database):
    """The database, with two finished matches."""
    return shutil.copy(over, database)


@pytest.fixture
def nearly_full(monkeypatch):
    """Pretends that every disk has only this many bytes free."""

    def leave(free, total=10**12):
        usage = SimpleNamespace(total=total, used=total - free, free=free)
        monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)

    return leave


@pytest.fixture
def saved(played, tmp_path):
    """A backup of the database with two finished matches."""
    target = tmp_path / "saved.sqlite3"
    with backup.verified_copy(played, target) as (draft, _):
        return draft.rename(target)
