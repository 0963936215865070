"""`python -m bot restore`: nothing is lost, and damaged or foreign files are refused."""

import errno
import os
import shutil
import sqlite3

import pytest

from bot.storage import Storage, startup
from bot.storage.private_files import is_open_to_others
from tests.support.broken_files import overwrite_page
from tests.support.match_records import ask, change, finished, record_of
from tests.support.matches import ANN, BEA

pytestmark = [pytest.mark.sqlite, pytest.mark.slow]

COUNT = "SELECT count(*) FROM matches"


def test_a_lost_database_is_restored(saved, command, played):
    lost = (ask(played, "SELECT * FROM ratings"), ask(played, "SELECT * FROM seats"))
    played.unlink()

    assert command("restore", "saved.sqlite3") == (
        0,
        f"{played} is now the copy from saved.sqlite3: 2 matches.\n",
    )
    assert (ask(played, "SELECT * FROM ratings"), ask(played, "SELECT * FROM seats")) == lost
    assert saved.exists()


def test_a_database_is_replaced_only_with_force_and_is_kept(saved, command, played):
    change(played, "DELETE FROM matches WHERE id = 1")

    refused = command("restore", "saved.sqlite3")
    between = ask(played, COUNT)
    forced = command("restore", "--force", "saved.sqlite3")

    aside = played.with_name(f"{played.name}.replaced-1")
    told = "With --force, the copy takes its place, and the old one is kept beside it."
    assert refused == (1, f"There is already a database at {played}. {told}\n")
    assert forced[1].endswith(f"2 matches. The old one is kept as {aside}.\n")
    assert (between, ask(aside, COUNT), ask(played, COUNT)) == ([(1,)], [(1,)], [(2,)])


def test_a_backup_is_not_restored_without_enough_space(saved, command, played, nearly_full):
    before = sorted(path.name for path in played.parent.iterdir())
    kept = played.read_bytes()
    nearly_full(1_000_000)

    status, said = command("restore", "--force", "saved.sqlite3")

    assert status == 1
    assert said.startswith("Nothing was restored: saved.sqlite3 needs ")
    assert said.endswith(f" in {played.parent}, and only 1.0 MB is free there. Make room first.\n")
    assert played.read_bytes() == kept
    assert (
        sorted({path.name for path in played.parent.iterdir()} - {f"{played.name}.lock"}) == before
    )


def test_every_replaced_database_is_kept(saved, command, played):
    for _ in range(2):
        command("restore", "--force", "saved.sqlite3")

    names = {path.name for path in played.parent.glob("*.replaced-*")}
    assert names == {f"{played.name}.replaced-1", f"{played.name}.replaced-2"}


def test_the_log_of_the_old_database_is_kept_and_not_read_into_the_new_one(saved, command, played):
    """A killed process leaves commits that are only in the log."""
    crashed = sqlite3.connect(played)
    crashed.execute("PRAGMA wal_autocheckpoint=0")
    crashed.execute("DELETE FROM matches")
    crashed.commit()
    log = played.with_name(f"{played.name}-wal").read_bytes()
    main = played.read_bytes()
    crashed.close()
    played.write_bytes(main)
    played.with_name(f"{played.name}-wal").write_bytes(log)

    command("restore", "--force", "saved.sqlite3")

    assert ask(played, COUNT) == [(2,)]
    assert ask(played.with_name(f"{played.name}.replaced-1"), COUNT) == [(0,)]


def test_a_database_behind_a_link_is_replaced_where_the_link_points(
    saved, command, played, tmp_path
):
    link = tmp_path / "data" / "facedown.sqlite3"
    link.parent.mkdir()
    big = tmp_path / "big"
    big.mkdir()
    file = played.rename(big / played.name)
    link.symlink_to(f"../big/{file.name}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DATABASE", "data/facedown.sqlite3")
        with startup.exclusive(file):
            busy = command("restore", "--force", "saved.sqlite3")
        done = command("restore", "--force", "saved.sqlite3")

    aside = big / f"{file.name}.replaced-1"
    assert busy == (3, f"Another process is using {file}. Stop it first.\n")
    assert done == (
        0,
        f"{file} is now the copy from saved.sqlite3: 2 matches. The old one is kept as {aside}.\n",
    )
    assert link.is_symlink()
    assert [path.name for path in link.parent.iterdir()] == [link.name]
    assert ask(aside, COUNT) == [(2,)]


def test_a_database_is_replaced_on_file_systems_without_hard_links(
    saved, command, played, monkeypatch
):
    """For example on exFAT."""
    change(played, "DELETE FROM matches WHERE id = 1")
    monkeypatch.setattr(os, "link", refuse_link)

    status, said = command("restore", "--force", "saved.sqlite3")

    aside = played.with_name(f"{played.name}.replaced-1")
    assert (status, said.endswith(f"The old one is kept as {aside}.\n")) == (0, True)
    assert (ask(aside, COUNT), ask(played, COUNT)) == ([(1,)], [(2,)])
    assert not is_open_to_others(aside)
    assert not list(played.parent.glob(".*"))


def test_a_database_is_not_replaced_if_there_is_no_space_to_keep_it(
    saved, command, played, monkeypatch
):
    def refuse_copy(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "link", refuse_link)
    monkeypatch.setattr(shutil, "copyfile", refuse_copy)
    before = played.read_bytes()

    assert command("restore", "--force", "saved.sqlite3") == (
        1,
        f"Nothing was restored: {played}: No space left on device.\n",
    )
    assert played.read_bytes() == before
    assert not [p for p in played.parent.iterdir() if "replaced" in p.name or p.name[0] == "."]


def refuse_link(*_):
    raise PermissionError(errno.EPERM, "Operation not permitted")


def test_a_damaged_database_is_replaced_too_and_kept_unchanged(saved, command, played):
    played.write_text("Dear Ann, this was a database once.")
    orphan = played.with_name(f"{played.name}-wal")
    orphan.write_bytes(b"its log")

    assert command("restore", "--force", "saved.sqlite3")[0] == 0

    assert ask(played, COUNT) == [(2,)]
    assert played.with_name(f"{played.name}.replaced-1").read_text().startswith("Dear Ann")
    assert played.with_name(f"{played.name}.replaced-1-wal").read_bytes() == b"its log"


def test_nothing_is_restored_while_a_bot_uses_the_database(saved, command, played):
    with startup.exclusive(played):
        status, said = command("restore", "--force", "saved.sqlite3")

    assert status == 3
    assert said == f"Another process is using {played}. Stop it first.\n"
    assert not list(played.parent.glob("*.replaced-*"))


async def test_the_bot_starts_on_a_restored_database(saved, command, database):
    command("restore", "--force", "saved.sqlite3")

    async with Storage.open(database) as storage:
        assert (await record_of(storage, 1)).status == "over"


def truncate(file):
    with file.open("r+b") as writing:
        writing.truncate(file.stat().st_size // 2)


def make_foreign(file):
    file.unlink()
    change(file, "CREATE TABLE alembic_version (version_num)")


BAD = {
    "missing": (lambda file: file.unlink(), "is not there."),
    "empty": (lambda file: file.write_bytes(b""), "is empty."),
    "folder": (lambda file: (file.unlink(), file.mkdir()), "isn't a file."),
    "text": (lambda file: file.write_text("Dear Ann"), "isn't a SQLite database."),
    "foreign": (make_foreign, "isn't a Facedown database."),
    "newer": (
        lambda file: change(file, "UPDATE alembic_version SET version_num = '9999'"),
        "is of revision 9999, so a newer version of the bot made it.",
    ),
    "no revision": (lambda file: change(file, "DELETE FROM alembic_version"), "is damaged: "),
    "damaged": (overwrite_page, "is damaged: "),
    "truncated": (truncate, "is damaged: "),
    "broken references": (
        lambda file: change(file, "DELETE FROM matches WHERE id = 1"),
        "is damaged: rows of ",
    ),
}


@pytest.mark.parametrize(("spoil", "sentence"), BAD.values(), ids=BAD.keys())
def test_a_bad_backup_is_refused_in_a_sentence_and_nothing_is_lost(
    saved, command, played, spoil, sentence
):
    spoil(saved)
    before = played.read_bytes()

    status, said = command("restore", "--force", "saved.sqlite3")

    assert status == 1
    assert said.startswith(f"Nothing was restored: saved.sqlite3 {sentence}")
    assert "\n" not in said.removesuffix("\n")
    assert played.read_bytes() == before
    assert not [p for p in played.parent.iterdir() if "replaced" in p.name or p.name[0] == "."]


def test_an_unreadable_backup_is_named_and_not_the_database(saved, command, monkeypatch):
    """For example one copied by root; the tests may run as root, who can read everything."""
    monkeypatch.setattr(startup, "is_sqlite", unreadable)

    assert command("restore", "--force", saved.name) == (
        1,
        f"Nothing was restored: {saved.name} can't be read: Permission denied.\n",
    )


def test_an_unreadable_database_is_named_and_not_the_copy(played, command, monkeypatch):
    monkeypatch.setattr(startup, "is_sqlite", unreadable)

    assert command("backup", "copy.sqlite3") == (
        3,
        f"No backup was made: {played} can't be read: Permission denied.\n",
    )


def unreadable(file):
    raise PermissionError(errno.EACCES, "Permission denied", str(file))


def test_the_database_is_refused_as_a_backup_of_itself(command, played):
    assert command("restore", "--force", played.name) == (
        1,
        f"{played.name} is the database itself. Name a copy of it.\n",
    )


# Numbers of matches.


async def next_number(database):
    async with Storage.open(database) as storage:
        return await finished(storage, 900, (ANN, BEA), (1, 2))


async def test_numbers_used_by_the_replaced_database_are_not_reused(saved, command, played):
    for n in (3, 4):
        async with Storage.open(played) as storage:
            await finished(storage, n, (ANN, BEA), (1, 2))

    command("restore", "--force", "saved.sqlite3")

    assert await next_number(played) == 5


async def test_numbering_continues_after_restoring_a_copy_without_matches(database, command):
    async with Storage.open(database):
        command("backup", "first.sqlite3")
    async with Storage.open(database) as storage:
        for n in (1, 2):
            await finished(storage, n, (ANN, BEA), (1, 2))

    command("restore", "--force", "first.sqlite3")

    assert await next_number(database) == 3


async def test_numbers_are_skipped_if_it_is_unknown_which_were_used(saved, command, played):
    played.unlink()

    command("restore", "saved.sqlite3")

    assert await next_number(played) > 1_000


async def test_numbers_are_skipped_if_the_replaced_database_had_started_over(
    saved, command, played
):
    """The bot ran on an empty database after the loss, so the copy's later numbers are unknown."""
    for n in (3, 4):
        async with Storage.open(played) as storage:
            await finished(storage, n, (ANN, BEA), (1, 2))
    command("backup", "later.sqlite3")
    played.unlink()
    async with Storage.open(played) as storage:
        await finished(storage, 5, (ANN, BEA), (1, 2))

    command("restore", "--force", "later.sqlite3")

    assert await next_number(played) > 1_000


FOREIGN = {
    "trigger": "CREATE TRIGGER theirs AFTER INSERT ON seats BEGIN DELETE FROM seats; END",
    "view": "CREATE VIEW theirs AS SELECT seed FROM matches",
    "table": "CREATE TABLE theirs (id INTEGER)",
    "index": "CREATE INDEX theirs ON seats (abs(seat))",
}


@pytest.mark.parametrize("kind", FOREIGN)
def test_a_copy_with_foreign_objects_is_not_restored(saved, command, database, kind):
    before = database.read_bytes()
    change(saved, FOREIGN[kind])

    status, said = command("restore", saved, "--force")

    assert status == 1
    assert said.endswith(f"holds something that isn't ours: the {kind} theirs.\n")
    assert database.read_bytes() == before


def test_a_copy_with_a_changed_table_is_not_restored(saved, command):
    change(saved, "ALTER TABLE seats ADD COLUMN theirs TEXT DEFAULT 'x'")

    assert "isn't ours: the table seats" in command("restore", saved, "--force")[1]


async def test_a_copy_of_an_older_revision_is_restored(tmp_path, command, database):
    old = tmp_path / "old.sqlite3"
    await startup.migrate(old, "0011")

    assert command("restore", old, "--force")[0] == 0
