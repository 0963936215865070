"""Migrations: the tables they make match the metadata, and no row is lost."""

import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine

from bot.errors import CorruptRecordError
from bot.storage import engine, startup
from bot.storage.schema import metadata
from tests.support.cluster import ServerDatabase
from tests.support.filled_database import FORMER_COLUMNS, ROWS, fill_server
from tests.support.made_databases import copied

pytestmark = pytest.mark.slow


def revisions():
    """Return every revision, earliest first."""
    config = Config()
    config.set_main_option("script_location", str(startup.MIGRATIONS))
    return [s.revision for s in ScriptDirectory.from_config(config).walk_revisions()][::-1]


REVISIONS = revisions()
RELEASED = ("0001", "0006", *REVISIONS[-2:])
"""Revisions that `make test` migrates from: the first, the last release's and the newest."""


def ask(file, query, *values):
    with closing(sqlite3.connect(file)) as connection, connection:
        return connection.execute(query, values).fetchall()


def fill(file):
    """Insert rows into every table of the file's revision, with a value in every column."""
    if isinstance(file, ServerDatabase):
        fill_server(file.client)
        return
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("PRAGMA foreign_keys=ON")
        for table, rows in ROWS.items():
            columns = [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')]
            for row in rows:
                every = {**FORMER_COLUMNS.get(table, {}), **row}
                known = {name: value for name, value in every.items() if name in columns}
                if known:
                    names = ", ".join(f'"{name}"' for name in known)
                    marks = ", ".join("?" * len(known))
                    connection.execute(
                        f'INSERT INTO "{table}" ({names}) VALUES ({marks})',  # noqa: S608 - our names
                        tuple(known.values()),
                    )


def contents(file):
    """Return every row of every table, as dictionaries by table."""
    with closing(sqlite3.connect(file)) as connection:
        connection.row_factory = sqlite3.Row
        names = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        tables = [row["name"] for row in connection.execute(names)]
        return {
            table: [dict(row) for row in connection.execute(f'SELECT * FROM "{table}"')]  # noqa: S608
            for table in tables
            if table != "alembic_version"
        }


def counts(file):
    return {table: len(rows) for table, rows in contents(file).items()}


def revision_of(file):
    return ask(file, "SELECT version_num FROM alembic_version")


def shape(file):
    """Return the columns, keys, indexes and checks of a file's tables, in comparable form."""
    with closing(sqlite3.connect(file)) as connection:
        made = connection.execute(
            "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name <> ?"
            " AND name NOT LIKE 'sqlite_%'",
            ("alembic_version",),
        )
        return {name: parts(sql) for name, sql in made}


def parts(sql):
    """Return the sorted lines of a CREATE statement, one per column or constraint.

    SQLite quotes the name of a table that was rebuilt, so the quotes are removed.
    """
    sql = re.sub(r'^CREATE TABLE "(\w+)"', r"CREATE TABLE \1", sql)
    return sorted(line.strip(" ,\t") for line in sql.splitlines() if line.strip())


@pytest.fixture
def file(tmp_path):
    return tmp_path / "facedown.sqlite3"


def test_the_revisions_form_a_single_line():
    assert [f"{i:04}" for i in range(1, len(REVISIONS) + 1)] == REVISIONS


async def test_a_migrated_empty_database_matches_the_metadata(file):
    await copied(file)

    with create_engine(f"sqlite:///{file}").connect() as connection:
        context = MigrationContext.configure(
            connection, opts={"compare_type": True, "compare_server_default": True}
        )
        assert compare_metadata(context, metadata) == []
        connection.engine.dispose()


async def test_constraints_and_defaults_match_the_metadata_too(file, tmp_path):
    """Alembic's own comparison ignores checks, keys and AUTOINCREMENT."""
    direct = tmp_path / "direct.sqlite3"
    made = create_engine(f"sqlite:///{direct}")
    metadata.create_all(made)
    made.dispose()

    await copied(file)

    assert shape(file) == shape(direct)


def test_the_rows_of_these_tests_fill_every_table_and_column():
    """A new column needs a value here; otherwise the next test would prove nothing about it."""
    filled = {table: {name for row in rows for name in row} for table, rows in ROWS.items()}

    assert filled == {t.name: {c.name for c in t.columns} for t in metadata.sorted_tables}


@pytest.mark.parametrize(
    "revision",
    [
        revision if revision in RELEASED else pytest.param(revision, marks=pytest.mark.long)
        for revision in REVISIONS
    ],
)
async def test_migrating_a_filled_database_of_any_revision_keeps_every_row(file, revision):
    await copied(file, revision)
    fill(file)
    before = contents(file)
    assert all(before.values())

    await startup.migrate(file)

    after = contents(file)
    assert counts(file) == {table: len(after[table]) for table in after}
    for table, rows in before.items():
        assert len(after[table]) == len(rows)
        for old, new in zip(rows, after[table], strict=True):
            shared = old.keys() & new.keys()
            assert {name: new[name] for name in shared} == {name: old[name] for name in shared}
    assert ask(file, "PRAGMA foreign_key_check") == []
    assert ask(file, "PRAGMA integrity_check") == [("ok",)]
    assert revision_of(file) == [(REVISIONS[-1],)]


@pytest.mark.parametrize("revision", ["0006", REVISIONS[-2]])
async def test_the_number_of_a_deleted_match_is_not_reused_after_a_migration(file, revision):
    await copied(file, revision)
    fill(file)
    ask(file, "UPDATE sqlite_sequence SET seq = 41 WHERE name = 'matches'")

    await startup.migrate(file)

    assert ask(file, "SELECT seq FROM sqlite_sequence WHERE name = 'matches'") == [(41,)]


async def test_the_former_default_for_hands_does_not_become_a_choice(file):
    await copied(file, "0007")
    fill(file)
    ask(file, "UPDATE people SET desk = 'dm' WHERE user = 1002")

    await startup.migrate(file)

    assert ask(file, "SELECT user, desk FROM people") == [(1001, "here"), (1002, None)]


async def test_the_former_choice_for_reminders_applies_to_reminders_and_nudges(file):
    await copied(file, "0012")
    fill(file)
    ask(file, "UPDATE people SET remind = 'dm' WHERE user = 1002")

    await startup.migrate(file)

    assert ask(file, "SELECT user, notices, remind_before FROM people") == [
        (1001, "nudged=channel time=channel", 3600),
        (1002, "", 3600),
    ]


async def test_turns_in_progress_still_get_a_reminder(file):
    """At the earliest after half of the time; whether they still owe a move is checked then."""
    await copied(file, "0012")
    fill(file)
    ask(file, "UPDATE matches SET turn = 2")

    await startup.migrate(file)

    told = "SELECT match, user, event, turn, due_at FROM notices"
    assert ask(file, told) == [(1, 1001, "time", 2, 1_700_000_900 - 43_200)]


async def test_migrating_again_changes_nothing(file):
    await copied(file)
    fill(file)
    before = contents(file)

    await startup.migrate(file)

    assert contents(file) == before
    assert [path.name for path in file.parent.iterdir()] == [file.name]


REBUILD = """
import sqlalchemy as sa
from alembic import op

revision = "{revision}"
down_revision = "{before}"


def upgrade() -> None:
    with op.batch_alter_table("matches", recreate="always") as batch:
        batch.add_column(sa.Column("mood", sa.Text, nullable=False, server_default="merry"))
"""
BREAK = """
from alembic import op

revision = "{revision}"
down_revision = "{before}"


def upgrade() -> None:
    op.execute("CREATE TABLE half_done (x)")
    op.execute("DELETE FROM matches WHERE id = 1")
"""


@pytest.fixture
def next_revision(monkeypatch, tmp_path):
    """Adds a revision after the newest one, for this test only; returns its number."""

    def add(source):
        copy = tmp_path / "migrations"
        shutil.copytree(startup.MIGRATIONS, copy, ignore=shutil.ignore_patterns("__pycache__"))
        name = f"{int(REVISIONS[-1]) + 1:04}"
        text = source.format(revision=name, before=REVISIONS[-1])
        (copy / "versions" / f"{name}_next.py").write_text(text)
        monkeypatch.setattr(startup, "MIGRATIONS", copy)
        return name

    return add


async def test_rebuilding_a_table_deletes_no_rows_of_others(file, next_revision):
    await copied(file)
    fill(file)
    before = counts(file)
    name = next_revision(REBUILD)

    await startup.migrate(file)

    assert counts(file) == before
    assert revision_of(file) == [(name,)]
    assert ask(file, "SELECT DISTINCT mood FROM matches") == [("merry",)]
    assert ask(file, "PRAGMA foreign_key_check") == []


async def test_counting_rows_notices_a_drop_that_cascades(file, next_revision):
    """With foreign keys enforced, the same revision deletes the rows that refer to the table."""
    await copied(file)
    fill(file)
    before = counts(file)
    next_revision(REBUILD)

    careless = engine.writer(file)
    async with careless.begin() as connection:
        await connection.run_sync(startup._upgrade, file, "head")
    await careless.dispose()

    lost = {table for table, count in counts(file).items() if count < before[table]}
    assert lost == {
        "seats",
        "asks",
        "moves",
        "places",
        "results",
        "notices",
        "sent_notices",
        "shares",
        "vain_nudges",
        "watches",
    }


async def test_a_migration_that_would_break_references_is_rolled_back(file, next_revision):
    await copied(file)
    fill(file)
    before = contents(file)
    next_revision(BREAK)

    tables = "asks, matches, notices, places, seats, sent_notices, vain_nudges, watches"
    with pytest.raises(CorruptRecordError, match=f"rows of {tables} refer"):
        await startup.migrate(file)

    assert contents(file) == before
    assert revision_of(file) == [(REVISIONS[-1],)]


async def test_a_failed_migration_leaves_the_file_unchanged(file, next_revision):
    await copied(file)
    fill(file)
    before = contents(file)
    next_revision(BREAK + '    op.execute("SELECT nonsense")\n')

    with pytest.raises(Exception, match="nonsense"):
        await startup.migrate(file)

    assert contents(file) == before
    assert revision_of(file) == [(REVISIONS[-1],)]


async def test_the_file_is_copied_before_it_is_migrated(file, next_revision):
    await copied(file)
    fill(file)
    before = contents(file)
    next_revision(REBUILD)

    await startup.migrate(file)

    aside = file.with_name(f"{file.name}.before-{REVISIONS[-1]}")
    assert contents(aside) == before
    assert revision_of(aside) == [(REVISIONS[-1],)]


async def test_the_copy_includes_the_write_ahead_log_of_a_killed_process(file, next_revision):
    """A plain copy of the file would lose rows that are only in the write-ahead log."""
    await copied(file)
    writing = sqlite3.connect(file)
    writing.execute("PRAGMA journal_mode=WAL")
    writing.execute("INSERT INTO synced_commands VALUES (5, 'six', NULL)")
    writing.commit()
    next_revision(REBUILD)

    await startup.migrate(file)
    writing.close()

    aside = file.with_name(f"{file.name}.before-{REVISIONS[-1]}")
    assert contents(aside)["synced_commands"] == [
        {"application": 5, "fingerprint": "six", "ids": None}
    ]


async def test_a_new_file_is_not_copied(file):
    await startup.migrate(file)

    assert [path.name for path in file.parent.iterdir()] == [file.name]


async def test_a_file_of_a_newer_version_is_left_alone(file, next_revision, monkeypatch):
    await copied(file)
    name = next_revision(REBUILD)
    await startup.migrate(file)
    fill(file)
    before = contents(file)
    monkeypatch.undo()

    with pytest.raises(startup.NewerError, match=f"revision {name}, so a newer version"):
        await startup.migrate(file)

    assert contents(file) == before


def test_the_migrations_are_found_from_any_folder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)

    assert (startup.MIGRATIONS / "versions").is_dir()
    assert Path(startup.MIGRATIONS).is_absolute()
