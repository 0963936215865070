"""A move that fails names the database that it failed at, and what would help."""

import sqlite3
from contextlib import closing

import pytest
from pydantic import SecretStr
from sqlalchemy.event import listen

from bot.storage import engine, moving
from bot.storage.startup import UnusableError
from tests.bot.storage.test_migrations import fill
from tests.support.made_databases import copied
from tests.support.match_records import ask, change

pytestmark = pytest.mark.slow


@pytest.fixture
async def file(tmp_path):
    copy = await copied(tmp_path / "facedown.sqlite3")
    fill(copy)
    return copy


@pytest.fixture
def target(server_database):
    server_database.empty()
    return server_database


async def refusal(source, target):
    with pytest.raises(UnusableError) as refused:
        await moving.move(source, target)
    return str(refused.value)


def damage(file, table):
    """Overwrite the first page of a table."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        ((size,),) = connection.execute("PRAGMA page_size")
        ((page,),) = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)
        )
    with file.open("r+b") as opened:
        opened.seek((page - 1) * size)
        opened.write(b"\xff" * size)


@pytest.mark.parametrize("table", ["moves", "alembic_version"])
async def test_a_damaged_source_is_named_with_what_helps(file, target, table):
    damage(file, table)

    assert await refusal(file, target.address) == (
        f"Nothing was moved: {file}: the file is damaged. Put a backup in its place: "
        "python -m bot restore --force FILE"
    )
    assert ask(target, "SELECT count(*) FROM matches") == [(0,)]


async def test_a_target_without_room_is_named(file, tmp_path, monkeypatch):
    writer, new = engine.writer, tmp_path / "new.sqlite3"
    change(file, "UPDATE matches SET state = hex(zeroblob(50000))")

    def small(draft):
        made = writer(draft)
        listen(made.sync_engine, "connect", fill_up)
        return made

    monkeypatch.setattr(engine, "writer", small)

    assert await refusal(file, new) == f"Nothing was moved: {new}: the disk is full."
    assert not new.exists()


def fill_up(connection, _):
    """Let a file become no larger than it is."""
    connection.cursor().execute("PRAGMA max_page_count = 1")


async def test_a_missing_database_on_the_server_is_not_called_that_of_the_setting(file, cluster):
    assert await refusal(file, cluster.address("nowhere")) == (
        "Nothing was moved: postgresql:///nowhere: the server has no database with this name. "
        "Make one with createdb."
    )


async def test_a_file_of_an_older_version_must_be_updated_first(target, tmp_path):
    old = await copied(tmp_path / "old.sqlite3", "0012")

    assert await refusal(old, target.address) == (
        f"{old} is at revision 0012, which an older version of the bot has made. Start this "
        "version with it once."
    )


async def test_a_file_of_a_newer_version_is_left_to_that_version(file, target):
    """Starting this version with it wouldn't help: a start refuses the file too."""
    change(file, "UPDATE alembic_version SET version_num = '9999'")

    assert await refusal(file, target.address) == (
        f"{file} is at revision 9999, so a newer version of the bot has used it. Use that "
        "version, or another database."
    )


async def test_a_malformed_address_to_move_to_is_not_called_that_of_the_setting(file):
    told = await refusal(file, SecretStr("postgres://x"))

    assert told.startswith("TARGET is not valid: it must look like postgresql://user:password@")


async def test_a_folder_to_move_to_is_not_called_that_of_the_setting(file, tmp_path):
    assert await refusal(file, tmp_path) == (
        f"TARGET is not valid: {tmp_path} is a folder. Name a file in it."
    )


async def test_a_malformed_setting_is_still_called_by_its_name(tmp_path):
    told = await refusal(SecretStr("postgres://x"), tmp_path / "new.sqlite3")

    assert told.startswith("DATABASE is not valid: it must look like postgresql://user:password@")


async def test_a_file_of_another_program_is_not_moved(target, tmp_path):
    other = tmp_path / "other.sqlite3"
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE songs (name)")

    assert await refusal(other, target.address) == f"{other} isn't a Facedown database."
