"""A migration is bearable for the processes of the version before, which play on meanwhile."""

import ast
from itertools import pairwise

import pytest

from bot.storage import startup

FIRST_BESIDE_OTHERS = "0019"
"""Before this revision there was one process, which ended before the next version migrated."""

REVISIONS = sorted(startup.revisions())
STEPS = [(before, after) for before, after in pairwise(REVISIONS) if after >= FIRST_BESIDE_OTHERS]


def tables(revision):
    """The columns of every table by name: type, whether NOT NULL, default, place in the key."""
    return {
        name: {
            column: (kind, bool(required), default, key)
            for _, column, kind, required, default, key, _ in ast.literal_eval(rows)
        }
        for (what, name), rows in startup.shape(revision).items()
        if what == "table" and name != "alembic_version"
    }


def unbearable(before, after):
    """What a process that knows only the tables before cannot live with, a line each."""
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
def test_a_migration_is_bearable_for_processes_of_the_version_before(before, after):
    assert unbearable(tables(before), tables(after)) == []


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
def test_what_is_gone_renamed_or_required_is_noticed(after, found):
    assert unbearable(OLD, after) == found
