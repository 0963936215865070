"""A command ends with the same status for the same reason, as docs/operating.md lists them."""

import sqlite3
from contextlib import closing

import pytest

from bot.storage import backup, startup
from tests.support.match_records import change

pytestmark = pytest.mark.sqlite

ON_DATABASE = [
    ["backup", "saved.sqlite3"],
    ["ratings", "--check"],
    ["move", "sqlite:moved.sqlite3"],
]


@pytest.mark.parametrize(
    "words", [["restore", "--force", "saved.sqlite3"], *ON_DATABASE[1:]], ids=" ".join
)
def test_a_command_that_needs_the_bot_stopped_ends_with_3_while_it_runs(
    saved, command, played, words
):
    with startup.exclusive(played):
        status, said = command(*words)

    assert status == 3
    assert said.endswith(" Stop it first.\n")


def test_a_backup_of_a_database_that_another_program_locks_ends_with_3(
    command, played, tmp_path, monkeypatch
):
    """SQLite itself would wait for as long as it's locked."""
    monkeypatch.setattr(backup, "LOCKED_SECONDS", 0.2)
    with closing(sqlite3.connect(played)) as other:
        other.execute("PRAGMA locking_mode=EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")

        status, said = command("backup", "saved.sqlite3")

    assert (status, said) == (
        3,
        f"No backup was made: {played} is in use by another program, which locks it.\n",
    )
    assert not list(tmp_path.glob("*saved*"))
    assert command("backup", "saved.sqlite3")[0] == 0


@pytest.mark.parametrize("words", ON_DATABASE, ids=" ".join)
def test_a_command_on_a_database_of_a_newer_version_ends_with_3(command, played, words):
    change(played, "UPDATE alembic_version SET version_num = '9999'")

    status, said = command(*words)

    assert status == 3
    assert "a newer version of the bot " in said


def test_a_malformed_address_to_move_to_ends_with_2(command, played):
    """As a wrong setting does: trying again would change nothing."""
    status, said = command("move", "postgres://x")

    assert status == 2
    assert said.startswith("TARGET is not valid: ")
