"""Moving a database to a server and back: all rows arrive, or nothing is moved."""

import asyncio
import os
import sqlite3
import subprocess
import sys

import pytest
from pydantic import SecretStr

from bot import cli
from bot.config import DatabaseSettings, read
from bot.storage import Storage, moving, server, startup
from bot.storage.cluster import HandedInteraction
from bot.storage.private_files import is_open_to_others
from bot.storage.schema import metadata
from bot.storage.startup import InUseError, UnusableError
from tests.bot.storage.test_migrations import fill
from tests.support.cluster import binaries
from tests.support.match_records import NOBODY, ask, change, opened, record_of
from tests.support.storages import storage_of
from tests.support.waiting import until

pytestmark = pytest.mark.slow


NOT_MOVED = {"processes": [], "shards": [], "identifies": [], "handed": []}


@pytest.fixture
def target(server_database):
    server_database.empty()
    return server_database


@pytest.fixture
def file(tables, tmp_path):
    """A file with rows in every table, whose newest matches have been deleted."""
    copy = tmp_path / "facedown.sqlite3"
    copy.write_bytes(tables.read_bytes())
    fill(copy)
    change(copy, "UPDATE sqlite_sequence SET seq = 41 WHERE name = 'matches'")
    return copy


def rows_of(database):
    """Return every row of every table, with booleans as numbers, in the same order on both."""
    found = {}
    for table in metadata.sorted_tables:
        columns = ", ".join(f'"{column.name}"' for column in table.columns)
        rows = ask(database, f"SELECT {columns} FROM {table.name}")  # noqa: S608 - our own names
        plain = [tuple(int(v) if isinstance(v, bool) else v for v in row) for row in rows]
        found[table.name] = sorted(map(repr, plain))
    return found


async def refusal(source, target):
    with pytest.raises(UnusableError) as refused:
        await moving.move(source, target)
    return str(refused.value)


async def test_every_row_moves_to_a_server_and_back(file, target, tmp_path):
    before = rows_of(file)

    moved = await moving.move(file, target.address)
    back = tmp_path / "back.sqlite3"
    again = await moving.move(target.address, back)

    assert all(before.values())
    assert rows_of(file) == before
    before |= NOT_MOVED
    assert rows_of(target) == rows_of(back) == before
    assert moved == again
    assert moved.rows == sum(len(rows) for rows in before.values())
    assert back.stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in tmp_path.glob("*back*")) == [
        "back.sqlite3",
        "back.sqlite3.lock",
    ]


async def test_what_belongs_to_processes_is_not_moved(target, tmp_path):
    """Clicks hold tokens and names, and nothing would ever delete them from a file.

    Back on a server, leases of that time would count the time on the file as an absence.
    """
    async with storage_of(target) as storage, storage.coordinating() as writing:
        await writing.cluster.hand_over([HandedInteraction(1, "ended", {"token": "t0ken"})])
        await writing.cluster.set_up_shards(2)
        await writing.cluster.renew("ended", 60.0)
        await writing.cluster.identify_in(0, 5.0)
    back = tmp_path / "back.sqlite3"

    await moving.move(target.address, back)

    assert b"t0ken" not in back.read_bytes()
    assert {name: rows for name, rows in rows_of(back).items() if rows}.keys().isdisjoint(NOT_MOVED)


async def test_numbering_continues_where_it_was(file, target, tmp_path):
    """The number of a deleted match is never reused, not even after a move."""
    back = tmp_path / "back.sqlite3"
    await moving.move(file, target.address)
    await moving.move(target.address, back)

    async with storage_of(target) as storage:
        assert await opened(storage, 77) == 42
    async with Storage.open(back) as storage:
        assert await opened(storage, 77) == 42
    assert target.ask("SELECT nextval('results_sequence'), nextval('seasons_id_seq')") == [(4, 2)]


async def test_a_server_with_rows_is_refused_and_unchanged(file, target):
    async with storage_of(target) as storage:
        await opened(storage)
    before = rows_of(target)

    told = await refusal(file, target.address)

    assert told == (
        "Nothing was moved: postgresql:///facedown is not empty; matches has rows. Name a database "
        "without any."
    )
    assert rows_of(target) == before


async def test_a_server_with_rows_of_an_older_version_is_refused_before_it_is_migrated(
    file, cluster
):
    older = cluster.make("older")
    try:
        await server.migrate(older.address, "0030")
        older.script(
            "INSERT INTO servers (guild, threads, games_off, time_off_barred) "
            "VALUES (5, false, '', '')"
        )

        told = await refusal(file, older.address)

        assert told.startswith("Nothing was moved: postgresql:///older is not empty; servers has ")
        assert older.ask("SELECT version_num FROM alembic_version") == [("0030",)]
    finally:
        older.close()
        cluster.drop("older")


async def test_an_existing_file_is_refused_and_unchanged(target, tmp_path):
    there = tmp_path / "there.sqlite3"
    there.write_text("a letter")

    assert await refusal(target.address, there) == (
        f"Nothing was moved: {there} is there. Name a new file."
    )
    assert there.read_text() == "a letter"


async def test_a_file_in_use_by_a_bot_is_not_moved(file, target):
    with startup.exclusive(file), pytest.raises(InUseError) as refused:
        await moving.move(file, target.address)
    assert str(refused.value) == f"Another process is using {file}. Stop it first."


@pytest.mark.parametrize("moves_to_it", [True, False])
async def test_a_server_in_use_by_a_bot_is_refused_as_source_and_target(
    file, target, tmp_path, moves_to_it
):
    async with Storage.open(target.address) as storage:
        assert await record_of(storage, NOBODY) is None  # makes it connect
        ways = (file, target.address) if moves_to_it else (target.address, tmp_path / "new.sqlite3")
        told = await refusal(*ways)

    assert told == "A bot is using postgresql:///facedown. Stop it first."
    assert not (tmp_path / "new.sqlite3").exists()


async def test_a_server_is_not_moved_onto_itself(target):
    """Even if the two addresses are written differently."""
    other = SecretStr(target.address.get_secret_value().replace("postgresql:", "postgres:"))
    assert other != target.address
    async with asyncio.timeout(20):
        told = {await refusal(target.address, to) for to in (target.address, other)}

    place = "postgresql:///facedown"
    assert told == {f"Nothing was moved: everything is at {place} already. Name another database."}


async def test_a_file_is_not_moved_onto_itself(file, tmp_path):
    link = tmp_path / "link.sqlite3"
    link.symlink_to(file)

    told = [await refusal(file, to) for to in (file, link)]

    assert told == [
        f"Nothing was moved: everything is at {to} already. Name another database."
        for to in (file, link)
    ]


async def test_a_file_that_could_not_merge_its_log_is_not_reported_as_moved(
    file, target, tmp_path, monkeypatch
):
    """SQLite reports no error if there's no room for it, and the log would be lost."""
    await moving.move(file, target.address)
    migrate, reading = startup.migrate, []

    async def read_on(draft):
        await migrate(draft)
        reading.append(sqlite3.connect(draft))  # keeps the log from being merged
        reading[0].execute("SELECT count(*) FROM matches").fetchone()

    monkeypatch.setattr(startup, "migrate", read_on)
    new = tmp_path / "new.sqlite3"

    told = await refusal(target.address, new)
    reading[0].close()

    assert told == f"Nothing was moved: there is no room for {new}."
    assert [path.name for path in tmp_path.iterdir() if "new" in path.name] == [f"{new.name}.lock"]


async def test_rows_that_differ_after_the_move_undo_it(file, target, monkeypatch):
    """As if the server had changed a value; the copy is compared before the commit."""

    async def number_on(_reading, writing):
        await writing.exec_driver_sql("UPDATE moves SET move = 'another' WHERE move = '12'")

    monkeypatch.setattr(moving, "_continue_ids", number_on)

    assert await refusal(file, target.address) == (
        "Nothing was moved: the rows of moves are not the same at postgresql:///facedown."
    )
    assert not any(rows_of(target).values())


async def test_a_bot_that_starts_during_a_move_waits_for_its_end(file, target, monkeypatch):
    started = []

    async def number_on(reading, writing):
        started.append(asyncio.create_task(server.migrate(target.address)))
        waiting = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
        await until(lambda: target.ask(waiting))
        await numbered(reading, writing)

    numbered = moving._continue_ids
    monkeypatch.setattr(moving, "_continue_ids", number_on)

    await moving.move(file, target.address)
    await started[0]

    assert rows_of(target) == rows_of(file) | NOT_MOVED


def test_the_command_says_what_it_did_and_what_to_do_next(
    file, target, monkeypatch, capsys, tmp_path
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE", str(file))
    monkeypatch.setattr(sys, "argv", ["facedown", "move", str(target)])

    assert cli.main() == 0
    rows = sum(len(rows) for rows in rows_of(target).values())
    assert capsys.readouterr().out == (
        f"postgresql:///facedown has all of {file} now: 3 matches, {rows} rows, each compared. "
        "Set DATABASE to it and start the bot. The old one stays as it was.\n"
    )
    assert cli.main() == 3
    assert "postgresql:///facedown is not empty" in capsys.readouterr().err


def test_a_tilde_in_the_target_means_the_same_as_in_the_setting(
    file, monkeypatch, capsys, tmp_path
):
    """A shell doesn't expand the ~ in that argument."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("DATABASE", str(file))
    monkeypatch.setattr(sys, "argv", ["facedown", "move", "sqlite:~/moved.sqlite3"])

    assert cli.main() == 0
    monkeypatch.setenv("DATABASE", "~/moved.sqlite3")
    moved = read(DatabaseSettings).database
    assert moved == tmp_path / "home" / "moved.sqlite3"
    assert capsys.readouterr().out.startswith(f"{moved} has all of {file} now: ")
    assert rows_of(moved) == rows_of(file) | NOT_MOVED


@pytest.mark.parametrize("words", ["sqlite::memory:", "sqlite:sqlite:x", "sqlite:~nobody-of-it/x"])
def test_a_target_that_the_setting_would_refuse_is_refused(words, monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["facedown", "move", words])

    with pytest.raises(SystemExit, match="2"):
        cli.main()
    assert "argument TARGET: must " in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words", ["", "sqlite:", "mysql://here", "facedown.sqlite3"])
def test_a_target_of_another_kind_is_refused(words, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["facedown", "move", words])

    with pytest.raises(SystemExit):
        cli.main()
    assert "must be postgresql://user:password@host/name or sqlite:FILE" in capsys.readouterr().err


def test_backing_up_a_server_prints_the_commands_of_its_own_tools(target, monkeypatch, capsys):
    monkeypatch.setenv("DATABASE", "postgresql://me:s3cret@host/name?sslmode=require")

    for what in ("backup", "restore"):
        monkeypatch.setattr(sys, "argv", ["facedown", what, "b.dump"])
        assert cli.main() == 1

    monkeypatch.setattr(sys, "argv", ["facedown", "backup", "my copy.dump"])
    assert cli.main() == 1

    told = capsys.readouterr().err
    assert "--file='my copy.dump'.part 'postgresql://" in told
    assert (
        "pg_dump --format=custom --file=b.dump.part 'postgresql://me@host/name?sslmode=require' && "
        "mv b.dump.part b.dump"
    ) in told
    assert "--dbname='postgresql://me@host/name?sslmode=require' b.dump" in told
    assert "s3cret" not in told


def test_the_printed_commands_restore_a_server_after_an_update(
    cluster, monkeypatch, capsys, tmp_path
):
    client = cluster.make("another")
    try:
        asyncio.run(server.migrate(client.address, "0016"))
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("DATABASE", client.address.get_secret_value())
        follow("backup", monkeypatch, capsys)
        assert not is_open_to_others(tmp_path / "b.dump"), "it holds hands and seeds"
        asyncio.run(server.migrate(client.address))
        follow("restore", monkeypatch, capsys)

        assert client.ask("SELECT version_num FROM alembic_version") == [("0016",)]
        assert client.ask("SELECT nextval('matches_id_seq') > 10000") == [(True,)]
        asyncio.run(server.migrate(client.address))
        newest = client.ask("SELECT version_num FROM alembic_version")
        cut = (tmp_path / "b.dump").read_bytes()[:-500]
        (tmp_path / "b.dump").write_bytes(cut)
        with pytest.raises(subprocess.CalledProcessError):
            follow("restore", monkeypatch, capsys)
        assert client.ask("SELECT version_num FROM alembic_version") == newest
    finally:
        client.close()
        cluster.drop("another")


def follow(what, monkeypatch, capsys):
    """Run the commands that the bot prints for this, as a shell script."""
    monkeypatch.setattr(sys, "argv", ["facedown", what, "b.dump"])
    assert cli.main() == 1
    commands = "\n".join(capsys.readouterr().err.splitlines()[1:])
    path = f"{binaries()}:{os.environ['PATH']}"
    subprocess.run(["sh", "-ec", commands], env={**os.environ, "PATH": path}, check=True)  # noqa: S603, S607


@pytest.mark.parametrize("what", ["backup", "restore"])
@pytest.mark.parametrize("where", ["s3@cret@host", "s3/cret@host", "s3cret@host:port"])
def test_no_commands_are_printed_for_an_ambiguous_password(what, where, monkeypatch, capsys):
    monkeypatch.setenv("DATABASE", f"postgresql://me:{where}/name")
    monkeypatch.setattr(sys, "argv", ["facedown", what, "b.dump"])

    assert cli.main() == 2

    told = capsys.readouterr()
    assert told.err.startswith("DATABASE is not valid: it must look like postgresql://user:")
    assert "cret" not in told.out + told.err
