"""Rows of matches, written by the repositories or by SQL, and read back."""

import sqlite3
from contextlib import closing

from bot.storage import MatchId, MoveRecord, NewMatch, ResultRecord, StateColumns
from tests.support.cluster import ServerDatabase
from tests.support.matches import ANN, BEA, CHANNEL, GUILD

NOBODY = MatchId(404)


def new(interaction=1, users=(ANN, BEA), **changes):
    values = {
        "interaction": interaction,
        "game": "pico",
        "options": '{"deck":"standard"}',
        "guild": GUILD,
        "channel": CHANNEL,
        "opener": users[0],
        "users": users,
        "wanted": len(users),
        "time_control": "slow",
        "tap": False,
        "due_at": 5000,
    }
    return NewMatch(**{**values, **changes})


async def opened(storage, *args, **changes):
    async with storage.transaction() as writing:
        return await writing.challenges.open(new(*args, **changes), 1000)


async def dealt(storage, *args, **changes):
    match = await opened(storage, *args, **changes)
    async with storage.transaction() as writing:
        await writing.matches.deal(match, deal("first"), seed="ab", now=1500)
    return match


def deal(state, *, schema=1):
    return StateColumns(schema=schema, state=state, turn=1, deadline=9000, due_at=9000)


def chosen(text, how="chosen"):
    return MoveRecord(text=text, how=how, made_at=1600)


async def end(writing, match, *how, **more):
    """Load a match, and end it by `MatchRepository.end` with these arguments."""
    await writing.matches.end(await writing.matches.load(match), *how, **more)


async def finished(storage, interaction, users, ranks, **changes):
    """A match that is over with these ranks; first place is a win, or a draw if it is shared."""
    at = changes.pop("at", 2000)
    match = await dealt(storage, interaction, users, **changes)
    wins = ranks.count(1) == 1
    lines = [
        ResultRecord(
            seat=seat,
            user=user,
            rank=rank,
            score=10 - rank,
            won=int(rank == 1 and wins),
            drawn=int(rank == 1 and not wins),
            lost=int(rank > 1),
        )
        for seat, (user, rank) in enumerate(zip(users, ranks, strict=True))
    ]
    async with storage.transaction() as writing:
        await end(writing, match, "over", at, lines)
    return match


def hide(database, *users):
    """Hide people from all leaderboards, as they can do themselves."""
    for user in users:
        change(
            database,
            "INSERT INTO people (user, desk, pictures, notices, hidden) "  # noqa: S608 - a number
            f"VALUES ({user}, 'dm', true, '', true)",
        )


def ask(database, query, values=()):
    """The rows of a query, as tuples; to write, use `change`."""
    if isinstance(database, ServerDatabase):
        return database.ask(query, values)
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA query_only = 1")
        return connection.execute(query, values).fetchall()


def change(database, statement):
    if isinstance(database, ServerDatabase):
        database.ask(statement)
        return
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute(statement)


async def record_of(storage, match):
    """The committed record of a match; None if there is none."""
    async with storage.reading() as reading:
        return await reading.matches.load(match)


async def unsettled(storage):
    """The matches that aren't settled: their messages may still have to change."""
    query = "SELECT id FROM matches WHERE NOT settled ORDER BY id"
    async with storage.reading() as reading:
        return [row.id for row in await reading.matches._connection.exec_driver_sql(query)]


async def settle(storage, match):
    async with storage.transaction() as writing:
        shown = await writing.matches.load(match)
        assert await writing.matches.settle(match, shown.revision)


async def messages_of(storage, match):
    """The messages that show a match, by place: the table, and the seats that have a hand."""
    async with storage.reading() as reading:
        return await reading.messages.of(match)


async def put_message(storage, match, place, record):
    async with storage.transaction() as writing:
        await writing.messages.put(match, place, record)


async def person_of(storage, user):
    async with storage.reading() as reading:
        return await reading.people.load(user)


async def put_person(storage, user, record):
    async with storage.transaction() as writing:
        await writing.people.put(user, record)


async def forget_user(storage, user):
    """Delete a person from every table."""
    async with storage.transaction() as writing:
        await writing.erasure.forget(user)


async def execute(storage, statement):
    """Execute SQL, to damage or age rows in a way that no repository offers."""
    async with storage._writer.transaction() as connection:
        await connection.exec_driver_sql(statement)
