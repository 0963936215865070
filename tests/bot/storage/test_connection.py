"""Deferred writes: in order, before any read of their transaction, and in few statements."""

import pytest
from sqlalchemy import bindparam, event, insert, select, update

from bot.errors import TooLateError
from bot.storage.connection import ShieldedConnection
from bot.storage.schema import synced_commands

_ADD = insert(synced_commands)
_CHANGE = (
    update(synced_commands)
    .where(synced_commands.c.application == bindparam("sought"))
    .values(fingerprint=bindparam("new"))
)


@pytest.fixture
async def connection(storage):
    async with ShieldedConnection(storage._writer.engine) as connection:
        yield connection


@pytest.fixture
def executed(storage):
    """The executed statements, as pairs of their first word and the number of parameter sets."""
    found = []
    engine = storage._writer.engine.sync_engine

    def note(_connection, _cursor, statement, parameters, _context, many):
        found.append((statement.split()[0], len(parameters) if many else 1))

    event.listen(engine, "before_cursor_execute", note)
    yield found
    event.remove(engine, "before_cursor_execute", note)


async def kept(connection):
    rows = await connection.execute(
        select(synced_commands.c.application, synced_commands.c.fingerprint)
    )
    return sorted((row.application, row.fingerprint) for row in rows)


def add(connection, number, text):
    connection.later(_ADD, {"application": number, "fingerprint": text}, about=number)


def change(connection, number, text, **how):
    connection.later(_CHANGE, {"sought": number, "new": text}, about=number, **how)


async def test_deferred_writes_are_executed_before_a_read(connection):
    add(connection, 1, "first")

    assert await kept(connection) == [(1, "first")]


async def test_deferred_writes_are_executed_by_the_commit(connection, storage):
    add(connection, 1, "first")
    await connection.commit()

    async with ShieldedConnection(storage._readers) as another:
        assert await kept(another) == [(1, "first")]


async def test_deferred_writes_are_dropped_by_a_rollback(connection, storage):
    add(connection, 1, "first")
    await connection.rollback()

    async with ShieldedConnection(storage._readers) as another:
        assert await kept(another) == []


async def test_deferred_writes_are_batched_and_keep_the_order_for_each_subject(
    connection, executed
):
    for number in range(1, 6):
        add(connection, number, "first")
        change(connection, number, "second")
        change(connection, number, f"third of {number}")

    expected = [(number, f"third of {number}") for number in range(1, 6)]
    assert await kept(connection) == expected
    assert [what for what in executed if what[0] in {"INSERT", "UPDATE"}] == [
        ("INSERT", 5),
        ("UPDATE", 10),
    ]


async def test_a_guarded_write_that_matches_no_row_is_refused(connection):
    add(connection, 1, "first")
    change(connection, 1, "other", must_match=True)
    change(connection, 2, "other", must_match=True)

    with pytest.raises(TooLateError):
        await kept(connection)
