"""One process at a time can use a database file, and unusable files are reported."""

import asyncio
import errno
import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from aiosqlite import Cursor

from bot.storage import Storage, startup
from bot.storage.startup import InUseError, UnusableError
from tests.support.failing import fail
from tests.support.made_databases import copied
from tests.support.match_records import ask, change, unsettled

ROOT = Path(__file__).resolve().parents[3]

HOLD = """
import sys, time
from pathlib import Path
from bot.storage.startup import exclusive
with exclusive(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


@contextmanager
def another_process(file):
    """Start a process that holds the file until it's killed or its stdin closes."""
    holder = subprocess.Popen(  # noqa: S603 - our own interpreter with our own lines
        [sys.executable, "-c", HOLD, str(file)],
        env={"PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with holder:
        assert holder.stdout.readline() == "held\n"
        try:
            yield holder
        finally:
            holder.kill()


@pytest.fixture
def file(tmp_path):
    return tmp_path / "data" / "facedown.sqlite3"


@pytest.mark.slow
async def test_a_second_process_on_the_same_file_is_refused_until_the_first_is_killed(file):
    with another_process(file) as holder:
        with pytest.raises(InUseError) as refused:
            async with Storage.open(file):
                pass
        assert str(refused.value) == f"Another process is using {file}. Stop it first."
        assert not file.exists()

        os.kill(holder.pid, signal.SIGKILL)
        holder.wait()

        async with Storage.open(file) as storage:
            assert await unsettled(storage) == []


async def test_a_start_on_a_file_deletes_clicks_that_were_left_for_another_process(file):
    """Only a server has other processes; an earlier move brought such rows along."""
    file.parent.mkdir()
    await copied(file)
    row = """INSERT INTO handed (id, process, payload, at) VALUES (1, 'ended', '"t0ken"', 1.5)"""
    change(file, row)

    async with Storage.open(file):
        pass

    assert ask(file, "SELECT count(*) FROM handed") == [(0,)]
    assert b"t0ken" not in file.read_bytes()


def test_the_same_process_cannot_hold_a_file_twice(file):
    with startup.exclusive(file), pytest.raises(InUseError), startup.exclusive(file):
        pass


def test_leftovers_of_a_killed_restore_or_update_are_deleted_at_the_next_start(file):
    """They hold hands and seeds, and nobody would notice files whose names start with a dot."""
    file.parent.mkdir()
    left = [file.with_name(f".{file.name}.0123abcd{part}") for part in ("", "-journal", "-wal")]
    others = [file.with_name(name) for name in (f".{file.name}.notes", ".other.sqlite3.0123abcd")]
    for one in (*left, *others):
        one.write_text("something")

    with startup.exclusive(file):
        assert {one for one in (*left, *others) if one.exists()} == set(others)


def test_two_files_side_by_side_are_two_databases(file):
    with startup.exclusive(file), startup.exclusive(file.with_name("other.sqlite3")):
        pass


def test_a_file_is_free_again_after_an_error(file):
    with pytest.raises(ZeroDivisionError), startup.exclusive(file):
        fail(ZeroDivisionError())

    with startup.exclusive(file):
        pass


def test_a_folder_is_refused_as_a_database(file):
    folder = file.parent
    folder.mkdir()

    with pytest.raises(UnusableError) as refused, startup.exclusive(folder):
        pass

    assert str(refused.value) == (
        f"DATABASE is not valid: {folder} is a folder. Name a file in it."
    )
    assert list(folder.parent.iterdir()) == [folder]


def test_a_device_is_refused_as_a_database_and_unchanged(file):
    """A bot that runs as root would otherwise make it private, like its own files."""
    file.parent.mkdir()
    file.symlink_to("/dev/null")

    with pytest.raises(UnusableError) as refused, startup.exclusive(file):
        pass

    assert str(refused.value) == f"DATABASE is not valid: {file} isn't a file."
    assert list(file.parent.iterdir()) == [file]


@pytest.mark.parametrize("there", ["big", ""], ids=["no file", "no folder"])
async def test_a_dangling_link_is_refused_as_a_new_database(file, tmp_path, there):
    """Its disk may not be mounted; an empty database would then be on the wrong disk."""
    (tmp_path / there).mkdir(exist_ok=True)
    file.parent.mkdir()
    file.symlink_to("../big/facedown.sqlite3")

    with pytest.raises(UnusableError) as refused:
        async with Storage.open(file):
            pass

    assert str(refused.value) == (
        f"DATABASE cannot be used: {file}: it is a link to ../big/facedown.sqlite3, which isn't "
        "there. Mount its disk, or name another file."
    )
    assert list(file.parent.iterdir()) == [file]
    assert not any((tmp_path / there).glob("*.sqlite3*"))


def test_a_folder_that_cannot_be_created_is_reported(tmp_path):
    (tmp_path / "data").write_text("a file where the folder should be")
    file = tmp_path / "data" / "facedown.sqlite3"

    with pytest.raises(UnusableError) as refused, startup.exclusive(file):
        pass

    assert str(refused.value) == f"DATABASE is not valid: {file}: File exists."


def test_an_impossible_file_name_is_reported(tmp_path):
    """A file in another user's folder takes the same path, but the tests may run as root."""
    file = tmp_path / ("x" * 300)

    with pytest.raises(UnusableError) as refused, startup.exclusive(file):
        pass

    assert str(refused.value) == f"DATABASE is not valid: {file}: File name too long."


def test_a_database_that_belongs_to_another_user_is_reported(file, monkeypatch):
    """For example one that root restored, next to a lock of the bot's own user."""

    def unreadable(file):
        raise PermissionError(errno.EACCES, "Permission denied", str(file))

    file.parent.mkdir()
    file.touch()
    monkeypatch.setattr(startup, "_head", unreadable)

    with pytest.raises(UnusableError) as refused, startup.exclusive(file):
        pass

    assert str(refused.value) == f"DATABASE is not valid: {file}: Permission denied."


@pytest.mark.parametrize(
    ("ending", "kind"), [("", "file"), ("-wal", "file"), ("-shm", "file"), (None, "folder")]
)
async def test_a_file_or_folder_without_write_permission_is_reported_and_unchanged(
    file, monkeypatch, ending, kind
):
    """SQLite would create a log next to it that can't be written either, and keep it."""
    file.parent.mkdir()
    await copied(file)
    needed = file.parent if ending is None else file.with_name(f"{file.name}{ending}")
    needed.touch()
    before = sorted(file.parent.iterdir())
    access = os.access
    # Stands in for file permissions, which root ignores.
    monkeypatch.setattr(os, "access", lambda each, mode: each != needed and access(each, mode))

    with pytest.raises(UnusableError) as refused:
        async with Storage.open(file):
            pass

    assert str(refused.value) == (
        f"DATABASE cannot be used: {needed}: the bot's user can't write to this {kind}."
    )
    assert sorted(file.parent.iterdir()) == sorted({*before, file.with_name(f"{file.name}.lock")})


async def test_a_file_that_is_not_a_database_is_refused_and_unchanged(tmp_path):
    file = tmp_path / "letter.txt"
    file.write_text("Dear Ann, this is no database, but it is longer than a head.")

    with pytest.raises(UnusableError, match=r"letter\.txt isn't a SQLite database\.$"):
        async with Storage.open(file):
            pass

    assert file.read_text().startswith("Dear Ann")


@pytest.mark.slow  # it migrates
async def test_an_empty_file_becomes_a_database(file):
    file.parent.mkdir()
    file.touch()

    async with Storage.open(file) as storage:
        assert await unsettled(storage) == []


@pytest.mark.slow  # it migrates
async def test_special_characters_in_a_file_name_are_taken_literally(tmp_path):
    file = tmp_path / "what?is#this%20.sqlite3"

    async with Storage.open(file) as storage:
        assert await unsettled(storage) == []

    assert {path.name.removesuffix(".lock") for path in tmp_path.iterdir()} == {file.name}


@pytest.mark.slow
async def test_a_canceled_update_raises_only_the_cancellation(tmp_path, monkeypatch):
    """Alembic then can't drop the table it was filling, because the transaction has ended."""
    file = await copied(tmp_path / "facedown.sqlite3", "0006")
    execute, filled = Cursor.execute, []

    async def cancelled_while_it_fills(cursor, statement, *values):
        if statement.startswith("INSERT INTO _alembic_tmp_"):
            filled.append(statement)
            asyncio.current_task().cancel()
        return await execute(cursor, statement, *values)

    monkeypatch.setattr(Cursor, "execute", cancelled_while_it_fills)
    update = asyncio.create_task(startup.migrate(file))
    await asyncio.wait({update})

    assert len(filled) == 1
    assert update.cancelled()
    monkeypatch.undo()
    await startup.migrate(file)
