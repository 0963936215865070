"""`python -m bot backup`: a consistent copy of a database in use, unless it's damaged."""

import os
import signal
from pathlib import Path

import pytest

from bot.storage import backup
from tests.support.broken_files import overwrite_page
from tests.support.match_records import ask, change, finished
from tests.support.matches import ANN, BEA, GUILD

pytestmark = [pytest.mark.sqlite, pytest.mark.slow]

COUNT = "SELECT count(*) FROM matches"


async def test_a_backup_during_play_has_everything_committed_and_nothing_else(
    storage, command, tmp_path
):
    await finished(storage, 1, (ANN, BEA), (1, 2))
    async with storage.transaction() as writing:
        await writing.guilds.forget_matches(GUILD, 10)

        done = command("backup", "new/saved.sqlite3")

    saved = tmp_path / "new" / "saved.sqlite3"
    size = saved.stat().st_size / 1e6
    assert done == (0, f"new/saved.sqlite3: a copy with 1 match, {size:.1f} MB.\n")
    assert ask(saved, COUNT) == [(1,)]
    assert [path.name for path in saved.parent.iterdir()] == ["saved.sqlite3"]


def test_a_backup_is_private_because_it_holds_hands_and_seeds(played, command, tmp_path):
    command("backup", "saved.sqlite3")

    saved = tmp_path / "saved.sqlite3"
    assert saved.stat().st_mode & 0o777 == 0o600


def test_a_backup_replaces_no_file_unless_told_to(saved, command, played):
    before = saved.read_bytes()
    change(played, "UPDATE matches SET channel = 5")

    refused = command("backup", "saved.sqlite3")
    kept = saved.read_bytes()
    forced = command("backup", "--force", "saved.sqlite3")

    assert refused == (
        1,
        "saved.sqlite3 already exists. Name another file, or use --force to replace it.\n",
    )
    assert kept == before
    assert forced[0] == 0
    assert ask(saved, "SELECT DISTINCT channel FROM matches") == [(5,)]


@pytest.mark.parametrize("there", [False, True])
def test_a_backup_works_on_file_systems_without_hard_links(
    played, command, tmp_path, monkeypatch, there
):
    """For example on exFAT. A file that appears meanwhile isn't replaced."""

    def refuse(draft, target):
        del draft
        if there:
            Path(target).write_text("mine")
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)

    status, said = command("backup", "saved.sqlite3")

    saved = tmp_path / "saved.sqlite3"
    if there:
        assert (status, said) == (1, "No backup was made: saved.sqlite3: File exists.\n")
        assert saved.read_text() == "mine"
    else:
        assert status == 0
        assert ask(saved, COUNT) == ask(played, COUNT)


def test_a_file_that_appears_during_a_backup_is_not_replaced(
    played, command, tmp_path, monkeypatch
):
    examine = backup._examine

    def meanwhile(file):
        (tmp_path / "saved.sqlite3").write_text("mine")
        return examine(file)

    monkeypatch.setattr(backup, "_examine", meanwhile)

    assert command("backup", "saved.sqlite3") == (
        1,
        "No backup was made: saved.sqlite3: File exists.\n",
    )
    assert (tmp_path / "saved.sqlite3").read_text() == "mine"
    assert not list(tmp_path.glob(".saved*"))


def test_a_terminated_backup_leaves_nothing_behind(played, command, tmp_path, monkeypatch):
    monkeypatch.setattr(backup, "_examine", lambda _: signal.raise_signal(signal.SIGTERM))

    with pytest.raises(SystemExit, match="143"):
        command("backup", "saved.sqlite3")

    assert not list(tmp_path.glob("*saved*"))


async def test_a_backup_that_would_fill_the_disk_is_refused_before_it_starts(
    storage, command, database, tmp_path, nearly_full, monkeypatch
):
    """The write-ahead log of a running bot counts too, because the copy includes it."""
    await finished(storage, 1, (ANN, BEA), (1, 2))
    log = database.with_name(f"{database.name}-wal")
    size = database.stat().st_size + log.stat().st_size
    needed = int(1.05 * size) + 16_000_000
    monkeypatch.setattr(backup, "_copy", None)
    nearly_full(needed - 1)

    status, said = command("backup", "backups/saved.sqlite3")

    assert status == 1
    assert said == (
        f"No backup was made: {database} needs {needed / 1e6:.1f} MB in {tmp_path / 'backups'}, "
        f"and only {(needed - 1) / 1e6:.1f} MB is free there. Make room first.\n"
    )
    assert list((tmp_path / "backups").iterdir()) == []


@pytest.mark.parametrize(("total", "spare"), [(10**12, 0), (0, -1)], ids=["enough", "untold"])
def test_a_backup_is_made_if_the_space_just_suffices_or_is_unknown(
    played, command, nearly_full, total, spare
):
    needed = int(1.05 * played.stat().st_size) + 16_000_000
    nearly_full(needed + spare, total=total)

    assert command("backup", "saved.sqlite3")[0] == 0


@pytest.mark.parametrize(
    ("file", "sentence"),
    [
        ("facedown.sqlite3", "is the database itself. Name another file for the copy."),
        ("folder", "is a folder. Name a file in it."),
        ("device", "isn't a file. Name another one."),
    ],
)
def test_a_backup_needs_its_own_file_name(command, tmp_path, file, sentence):
    (tmp_path / "folder").mkdir()
    (tmp_path / "device").symlink_to("/dev/null")

    assert command("backup", "--force", file) == (1, f"{file} {sentence}\n")


@pytest.mark.parametrize("there", [False, True])
@pytest.mark.parametrize("ending", ["-wal", "-shm", "-journal", ".lock"])
def test_a_backup_cannot_have_a_file_name_that_the_database_uses(
    played, command, tmp_path, ending, there
):
    """That file may hold the latest commits, and SQLite would read a copy there as its log."""
    beside = tmp_path / f"{played.name}{ending}"
    if there:
        beside.write_text("what was saved last")

    done = command("backup", "--force", beside.name)

    said = f"{beside.name} belongs to the database itself. Name another file for the copy.\n"
    assert done == (1, said)
    assert [one.read_text() for one in (beside,) if one.exists()] == ["what was saved last"] * there


@pytest.mark.parametrize("ending", ["-wal", ".lock"])
def test_such_a_file_name_is_refused_even_if_the_setting_is_a_link(
    played, command, tmp_path, monkeypatch, ending
):
    """Those files are next to the file that the link points to."""
    (tmp_path / "link.sqlite3").symlink_to(played)
    monkeypatch.setenv("DATABASE", "link.sqlite3")
    name = f"{played.name}{ending}"

    assert command("backup", "--force", name)[0] == 1
    assert not (tmp_path / name).exists()


def test_without_a_database_there_is_nothing_to_back_up(command, database):
    database.unlink()

    status, said = command("backup", "saved.sqlite3")

    assert (status, said) == (
        3,
        f"There is no database at {database}. DATABASE says where it should be.\n",
    )


def test_a_damaged_database_is_not_backed_up(played, command, tmp_path):
    overwrite_page(played)

    status, said = command("backup", "saved.sqlite3")

    assert status == 3
    assert said.startswith(f"No backup was made: {played} is damaged: ")
    assert not (tmp_path / "saved.sqlite3").exists()
