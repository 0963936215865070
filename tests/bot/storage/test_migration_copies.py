"""The copy that an update makes next to the database: complete, or not there at all."""

import resource
import shutil
import sqlite3
from contextlib import closing
from types import SimpleNamespace

import pytest

from bot.storage import startup
from tests.support.made_databases import copied

pytestmark = pytest.mark.slow

BEFORE = "0022"


@pytest.fixture
async def file(tmp_path):
    """A database that the next start will migrate."""
    file = await copied(tmp_path / "facedown.sqlite3", BEFORE)
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("INSERT INTO synced_commands VALUES (5, 'six', NULL)")
    return file


@pytest.fixture
def aside(file):
    """The path of its copy."""
    return file.with_name(f"{file.name}.before-{BEFORE}")


def contents(file):
    with closing(sqlite3.connect(file)) as connection:
        return list(connection.iterdump())


async def test_a_copy_that_runs_out_of_space_leaves_nothing_behind(file):
    before, most = contents(file), resource.getrlimit(resource.RLIMIT_FSIZE)

    resource.setrlimit(resource.RLIMIT_FSIZE, (file.stat().st_size // 2, most[1]))
    try:
        with pytest.raises(sqlite3.OperationalError):
            await startup.migrate(file)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, most)

    assert contents(file) == before
    assert [path.name for path in file.parent.iterdir()] == [file.name]


async def test_an_update_without_space_for_its_copy_is_refused_and_writes_nothing(
    file, monkeypatch
):
    before = contents(file)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(total=10**9, free=10**6))

    with pytest.raises(startup.UnusableError) as refused:
        await startup.migrate(file)

    assert str(refused.value).startswith(
        f"An update puts a copy beside the database. {file} needs "
    )
    assert contents(file) == before
    assert [path.name for path in file.parent.iterdir()] == [file.name]


async def test_a_copy_does_not_read_the_log_of_the_one_it_replaces(file, aside):
    """For example if somebody opened that copy with a tool that was killed."""
    before = contents(file)
    looking = sqlite3.connect(shutil.copy(file, aside))
    looking.execute("PRAGMA journal_mode=WAL")
    looking.execute("DELETE FROM synced_commands")
    looking.commit()
    log = aside.with_name(f"{aside.name}-wal")
    kept = log.read_bytes()
    looking.close()
    shutil.copy(file, aside)
    log.write_bytes(kept)

    await startup.migrate(file)

    assert contents(aside) == before


async def test_a_copy_that_cannot_be_created_is_named_in_the_error(file, aside):
    before = contents(file)
    aside.mkdir()

    with pytest.raises(startup.UnusableError) as refused:
        await startup.migrate(file)

    assert str(refused.value) == f"DATABASE is not valid: {aside}: Is a directory."
    assert contents(file) == before
