"""Migrations don't break processes of the previous version, which keep playing meanwhile."""

import ast
import asyncio
import sqlite3
from contextlib import closing
from itertools import pairwise

import pytest
from sqlalchemy import create_engine, inspect

from bot.storage import startup
from tests.support.made_databases import copied

FIRST_BESIDE_OTHERS = "0019"
"""Earlier revisions had only one process, which ended before the next version migrated."""

REVISIONS = sorted(startup.revisions())
STEPS = [(before, after) for before, after in pairwise(REVISIONS) if after >= FIRST_BESIDE_OTHERS]


@pytest.fixture(scope="module")
def history(tmp_path_factory):
    """Migrate one file through all revisions; maps each to its `(tables, rules)`."""
    file, history = tmp_path_factory.mktemp("history") / "facedown.sqlite3", {}
    for revision in dict.fromkeys(revision for step in STEPS for revision in step):
        asyncio.run(startup.migrate(file, revision))
        history[revision] = tables(file), rules(file)
    return history


def tables(file):
    """Map each table's columns to `(type, NOT NULL, default, position in the primary key)`."""
    with closing(sqlite3.connect(file)) as connection:
        return {
            name: {
                column: (kind, bool(required), default, key)
                for _, column, kind, required, default, key, _ in ast.literal_eval(rows)
            }
            for what, name, rows in startup.shape_of(connection)
            if what == "table" and name != "alembic_version"
        }


def breaking_changes(before, after):
    """List the changes of tables that break a process of the previous version, one line each."""
    found = [f"{table} is gone" for table in before.keys() - after.keys()]
    for table in before.keys() & after.keys():
        old, new = before[table], after[table]
        found += [
            f"{table}.{column} is gone or another"
            for column, shape in old.items()
            if new.get(column) != shape
        ]
        for column in new.keys() - old.keys():
            _, required, default, _ = new[column]
            if required and default is None:
                found.append(f"{table}.{column} must be given")
    return sorted(found)


@pytest.mark.slow
@pytest.mark.parametrize(("before", "after"), STEPS)
def test_a_migration_keeps_tables_usable_for_the_previous_version(history, before, after):
    (old, _), (new, _) = history[before], history[after]

    assert breaking_changes(old, new) == []


def left_empty(before, after):
    """Map each existing table to its new columns that such a process leaves NULL."""
    return {
        table: {name for name in after[table].keys() - old.keys() if after[table][name][2] is None}
        for table, old in before.items()
    }


def rules(file):
    """Map each table to its constraints, as `(kind, columns, the rest)`."""
    made = create_engine(f"sqlite:///{file}")
    try:
        found = inspect(made)
        return {table: set(_constraints(found, table)) for table in found.get_table_names()}
    finally:
        made.dispose()


def _constraints(found, table):
    for one in found.get_unique_constraints(table):
        yield "unique", tuple(one["column_names"]), ""
    for one in found.get_indexes(table):
        if one["unique"]:
            yield "unique", tuple(one["column_names"]), str(one.get("dialect_options", ""))
    for one in found.get_foreign_keys(table):
        rest = f"{one['referred_table']} {one['options'].get('ondelete', 'RESTRICT')}"
        yield "refers", tuple(one["constrained_columns"]), rest
    for one in found.get_check_constraints(table):
        yield "check", (), one["sqltext"]


def changed_constraints(before, after, empty):
    """List the changes of constraints that rows written or deleted by such a process may violate.

    Unique constraints must not be dropped either, because its upserts name them. A new column that
    it leaves NULL can't violate one. A new table must allow it to delete rows of other tables.
    """
    found = []
    for table, new in after.items():
        if table in before:
            changed = {one for one in before[table] ^ new if not empty[table] & set(one[1])}
        else:
            changed = {one for one in new if one[0] == "refers" and one[2].endswith("RESTRICT")}
        found += [" ".join([table, kind, *names, rest]).strip() for kind, names, rest in changed]
    return sorted(found)


@pytest.mark.slow
@pytest.mark.parametrize(("before", "after"), STEPS)
def test_a_migration_adds_no_constraint_to_rows_of_the_previous_version(history, before, after):
    (old, rules_before), (new, rules_after) = history[before], history[after]

    assert changed_constraints(rules_before, rules_after, left_empty(old, new)) == []


NUMBER = ("INTEGER", True, None, 1)
NOTE = ("TEXT", True, None, 0)
OLD = {"notes": {"id": NUMBER, "note": NOTE}}


@pytest.mark.parametrize(
    ("after", "found"),
    [
        (OLD, []),
        ({**OLD, "more": {"id": NUMBER, "note": NOTE}}, []),
        ({"notes": {**OLD["notes"], "by": ("TEXT", False, None, 0)}}, []),
        ({"notes": {**OLD["notes"], "by": ("TEXT", True, "''", 0)}}, []),
        ({}, ["notes is gone"]),
        ({"notes": {"id": NUMBER}}, ["notes.note is gone or another"]),
        (
            {"notes": {"id": NUMBER, "note": ("BLOB", True, None, 0)}},
            ["notes.note is gone or another"],
        ),
        ({"notes": {**OLD["notes"], "by": NOTE}}, ["notes.by must be given"]),
        (
            {"notes": {"id": NUMBER, "text": NOTE}},
            ["notes.note is gone or another", "notes.text must be given"],
        ),
    ],
)
def test_dropped_renamed_and_required_columns_are_noticed(after, found):
    assert breaking_changes(OLD, after) == found


RULED = {"notes": {("unique", ("note",), "")}}


@pytest.mark.parametrize(
    ("after", "found"),
    [
        (RULED, []),
        ({"notes": set()}, ["notes unique note"]),
        ({"notes": {*RULED["notes"], ("unique", ("by", "note"), "")}}, ["notes unique by note"]),
        ({"notes": {*RULED["notes"], ("check", (), "note > 0")}}, ["notes check note > 0"]),
        (
            {"notes": {*RULED["notes"], ("refers", ("by",), "people CASCADE")}},
            ["notes refers by people CASCADE"],
        ),
        ({"notes": {*RULED["notes"], ("refers", ("left_empty",), "people RESTRICT")}}, []),
        ({**RULED, "more": {("refers", ("note",), "notes CASCADE"), ("unique", ("a",), "")}}, []),
        (
            {**RULED, "more": {("refers", ("note",), "notes RESTRICT")}},
            ["more refers note notes RESTRICT"],
        ),
    ],
)
def test_new_unique_check_and_foreign_key_constraints_are_noticed(after, found):
    assert changed_constraints(RULED, after, {"notes": {"left_empty"}}) == found


def test_only_new_columns_without_a_default_are_left_null():
    after = {"by": ("TEXT", False, None, 0), "at": ("INTEGER", False, "0", 0)}

    assert left_empty(OLD, {"notes": {**OLD["notes"], **after}}) == {"notes": {"by"}}


async def test_constraints_are_read_from_the_database(tmp_path):
    demanded = rules(await copied(tmp_path / "facedown.sqlite3"))

    assert ("unique", ("guild", "day"), "") in demanded["digest_posts"]
    assert ("refers", ("predecessor",), "matches SET NULL") in demanded["matches"]
    assert ("check", (), "(guild IS NULL) = (channel IS NULL)") in demanded["matches"]
