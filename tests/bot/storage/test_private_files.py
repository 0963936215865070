"""The bot's files can be read only by their owner, regardless of the umask and their creator."""

import os

import pytest
from structlog.testing import capture_logs

from bot.cli import warn_of_open_file
from bot.storage import Storage, startup
from tests.support.made_databases import copied
from tests.support.match_records import opened


@pytest.fixture(autouse=True)
def open_umask():
    """A umask that lets everybody read and write new files."""
    before = os.umask(0)
    yield
    os.umask(before)


def modes(folder):
    return {file.name: file.stat().st_mode & 0o777 for file in folder.iterdir()}


@pytest.mark.slow  # it migrates
async def test_database_log_lock_and_folder_are_private(tmp_path):
    folder = tmp_path / "of" / "the bot"

    async with Storage.open(folder / "facedown.sqlite3") as storage:
        await opened(storage)
        found = modes(folder)

    assert set(found) == {
        "facedown.sqlite3",
        "facedown.sqlite3-wal",
        "facedown.sqlite3-shm",
        "facedown.sqlite3.lock",
    }
    assert set(found.values()) == {0o600}
    assert folder.stat().st_mode & 0o777 == 0o700


@pytest.mark.sqlite
async def test_a_readable_database_is_made_private_and_its_folder_left_as_it_is(database):
    database.chmod(0o664)
    database.parent.chmod(0o775)

    async with Storage.open(database):
        pass

    assert set(modes(database.parent).values()) == {0o600}
    assert database.parent.stat().st_mode & 0o777 == 0o775


@pytest.mark.sqlite
async def test_copies_next_to_a_database_are_made_private_and_other_files_left(database):
    """Earlier versions used the umask's permissions for them, and they hold hands and seeds."""
    copies = [f"{database.name}{end}" for end in (".before-0005", ".replaced-1", ".replaced-1-wal")]
    for name in (*copies, "notes.txt"):
        database.with_name(name).touch(0o644)

    async with Storage.open(database):
        found = modes(database.parent)

    assert {found[name] for name in copies} == {0o600}
    assert found["notes.txt"] == 0o644


@pytest.mark.slow  # it migrates
async def test_the_copy_made_by_an_update_is_private(tmp_path):
    file = await copied(tmp_path / "facedown.sqlite3", "0022")

    await startup.migrate(file)

    assert modes(tmp_path)[f"{file.name}.before-0022"] == 0o600


@pytest.mark.parametrize(("mode", "warned"), [(0o600, False), (0o640, True), (0o604, True)])
def test_a_readable_env_file_is_logged_with_the_command_to_fix_it(tmp_path, mode, warned):
    file = tmp_path / ".env"
    file.write_text("DISCORD_TOKEN=secret")
    file.chmod(mode)

    with capture_logs() as lines:
        warn_of_open_file(file)

    assert [line["close_it"] for line in lines] == [f"chmod 600 {file}"] * warned
    assert "secret" not in str(lines)


def test_without_an_env_file_nothing_is_logged(tmp_path):
    with capture_logs() as lines:
        warn_of_open_file(tmp_path / ".env")

    assert lines == []
