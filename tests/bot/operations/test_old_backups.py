"""`backup --keep`: old copies are deleted even if the new one fails; the newest few stay."""

import os
import shutil
import sqlite3
import time
from contextlib import closing

import pytest

from bot.storage import backup
from bot.storage.old_backups import MIN_KEPT

pytestmark = [pytest.mark.sqlite, pytest.mark.slow]

DAY = 24 * 60 * 60
OLD = range(1, MIN_KEPT + 3)


def days_ago(file, days):
    then = time.time() - days * DAY
    os.utime(file, (then, then))
    return file


@pytest.fixture
def folder(saved, tmp_path):
    """A folder with two more copies than the newest few, all older than a month."""
    folder = tmp_path / "backups"
    folder.mkdir()
    for n in OLD:
        days_ago(shutil.copy(saved, folder / f"{n:02}.sqlite3"), 60 - n)
    return folder


def names(folder):
    return sorted(path.name for path in folder.iterdir())


KEPT = [f"{n:02}.sqlite3" for n in OLD[2:]]


def test_old_copies_are_deleted_and_the_newest_few_kept_whatever_their_age(command, folder):
    status, said = command("backup", "--keep", "30", "backups/new.sqlite3")

    assert status == 0
    assert said.startswith(
        "Deleted 2 copies older than 30 days from backups.\nbackups/new.sqlite3:"
    )
    assert names(folder) == [*KEPT, "new.sqlite3"]


def test_newer_copies_are_kept(command, folder):
    command("backup", "--keep", "59", "backups/new.sqlite3")

    assert names(folder) == [f"{n:02}.sqlite3" for n in OLD[1:]] + ["new.sqlite3"]


def test_nothing_is_deleted_without_the_option(command, folder):
    command("backup", "backups/new.sqlite3")

    assert len(names(folder)) == len(OLD) + 1


def test_old_copies_are_deleted_even_if_no_new_one_can_be_made(command, folder, nearly_full):
    """Otherwise no backup would ever work again once the disk is full."""
    nearly_full(1_000_000)

    first = command("backup", "--keep", "30", "backups/new.sqlite3")
    second = command("backup", "--keep", "30", "backups/new.sqlite3")

    assert [first[0], second[0]] == [1, 1]
    assert "Make room first" in first[1]
    assert names(folder) == KEPT


def test_old_copies_are_deleted_before_the_new_one_is_made(command, folder, monkeypatch):
    seen, copy = [], backup._copy

    def watched(source, draft):
        seen.append(names(folder))
        copy(source, draft)

    monkeypatch.setattr(backup, "_copy", watched)

    command("backup", "--keep", "30", "backups/new.sqlite3")

    assert [name for name in seen[0] if name.endswith(".sqlite3")] == KEPT


def test_files_that_are_not_copies_are_kept(command, folder, saved):
    """For example other databases, other endings, and a database in use by another bot."""
    with closing(sqlite3.connect(folder / "other.sqlite3")) as other, other:
        other.execute("CREATE TABLE matches (id)")
    (folder / "text.sqlite3").write_text("mine")
    shutil.copy(saved, folder / "copy.db")
    shutil.copy(saved, folder / "live.sqlite3")
    (folder / "live.sqlite3.lock").touch()
    (folder / "link.sqlite3").symlink_to(saved)
    strange = set(names(folder)) - {f"{n:02}.sqlite3" for n in OLD}
    for name in strange:
        days_ago(folder / name, 400)

    command("backup", "--keep", "30", "backups/new.sqlite3")

    assert set(names(folder)) == strange | {*KEPT, "new.sqlite3"}


def test_the_database_itself_is_kept_if_backups_are_next_to_it(command, folder, played):
    lone = played.rename(folder / played.name)
    played.symlink_to(days_ago(lone, 400))

    command("backup", "--keep", "30", "backups/new.sqlite3")

    assert lone.name in names(folder)


@pytest.mark.parametrize(("days", "left"), [(2, False), (0, True)])
def test_leftovers_of_a_killed_backup_are_deleted_after_a_day(command, folder, days, left):
    """A newer one may belong to a backup that is still being made."""
    for part in ("", "-wal"):
        draft = folder / f".2026-10-02.sqlite3.0badcafe{part}"
        draft.touch()
        days_ago(draft, days)

    command("backup", "--keep", "30", "backups/new.sqlite3")

    assert any(name.startswith(".") for name in names(folder)) is left


def test_the_new_copy_is_made_even_if_old_ones_cannot_be_deleted(command, folder, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr("bot.operations.backup.delete_old", refuse)

    status, said = command("backup", "--keep", "30", "backups/new.sqlite3")

    assert status == 1
    assert said.endswith("Old copies in backups can't be deleted: Operation not permitted.\n")
    assert (folder / "new.sqlite3").exists()


@pytest.mark.parametrize("days", ["0", "-1", "x", "٣", "3651"])
def test_a_malformed_number_of_days_is_refused(command, folder, capsys, days):
    with pytest.raises(SystemExit, match="2"):
        command("backup", f"--keep={days}", "backups/new.sqlite3")

    assert "must be a number of days from 1 to 3650" in capsys.readouterr().err
    assert len(names(folder)) == len(OLD)
