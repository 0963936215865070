"""Small reads and writes of the storage, and its listeners, on a real database."""

import asyncio
import dataclasses

import pytest
from sqlalchemy import event
from sqlalchemy.exc import DBAPIError

from bot.storage import COMPUTER, TABLE, Committed, MessageRef, PersonRecord, Shown, TokenRecord
from bot.storage.move_batch import Pick
from bot.storage.postgres import CONNECTIONS
from tests.support.match_records import (
    NOBODY,
    ask,
    dealt,
    finished,
    messages_of,
    new,
    opened,
    person_of,
    put_message,
    put_person,
    record_of,
    settle,
    unsettled,
)
from tests.support.matches import ANN, BEA, A, B
from tests.support.waiting import until


async def test_messages_are_stored_replaced_and_read(storage):
    match, other = await dealt(storage, 1), await dealt(storage, 2)
    table = MessageRef(channel=1, message=2, shown="open")
    desk = MessageRef(channel=3, message=4, shown="running.0..")
    moved = MessageRef(channel=5, message=6, shown="running.1..")

    await put_message(storage, match, TABLE, table)
    await put_message(storage, match, 0, desk)
    await put_message(storage, other, 0, desk)
    await put_message(storage, match, 0, moved)

    assert await messages_of(storage, match) == {TABLE: table, 0: moved}
    assert await messages_of(storage, other) == {0: desk}
    assert await messages_of(storage, NOBODY) == {}


async def test_the_content_of_many_messages_is_stored_at_once(storage):
    match, other = await dealt(storage, 1), await dealt(storage, 2)
    record = MessageRef(channel=1, message=2, shown="old")
    for number, place in ((match, TABLE), (match, 0), (other, TABLE)):
        await put_message(storage, number, place, record)

    shown = {
        (match, TABLE): Shown("new", 2),
        (other, TABLE): Shown("newer"),
        (NOBODY, 0): Shown("lost"),
    }
    async with storage.transaction() as writing:
        await writing.messages.put_shown(shown)

    assert {place: r.shown for place, r in (await messages_of(storage, match)).items()} == {
        TABLE: "new",
        0: "old",
    }
    assert (await messages_of(storage, other))[TABLE] == dataclasses.replace(record, shown="newer")
    assert await messages_of(storage, NOBODY) == {}


async def test_a_token_is_kept_with_its_message_until_that_is_replaced(storage):
    match = await dealt(storage, 1)
    token = TokenRecord("secret", until=9, message=8)
    at = MessageRef(channel=1, message=2, shown="old")

    async with storage.transaction() as writing:
        await writing.messages.put(match, TABLE, at, token)
        await writing.messages.put(match, 0, at)
        await writing.messages.put_shown({(match, 0): Shown("new", 2, token)})
        both = await writing.messages.tokens_of(match)
        await writing.messages.put(match, TABLE, at)
        one = await writing.messages.tokens_of(match)

    assert both == {TABLE: token, 0: token}
    assert one == {0: token}
    assert "secret" not in repr(token)


async def test_an_unknown_person_has_an_empty_record(storage):
    assert await person_of(storage, ANN) == PersonRecord(dm_channel=None, dm_closed_at=None)


async def test_the_record_of_a_person_is_replaced(storage):
    await put_person(storage, ANN, PersonRecord(dm_channel=5, dm_closed_at=None))
    await put_person(storage, BEA, PersonRecord(dm_channel=None, dm_closed_at=9))
    await put_person(storage, ANN, PersonRecord(dm_channel=None, dm_closed_at=7))

    assert await person_of(storage, ANN) == PersonRecord(dm_channel=None, dm_closed_at=7)
    assert await person_of(storage, BEA) == PersonRecord(dm_channel=None, dm_closed_at=9)


async def test_each_application_has_its_fingerprint(storage):
    async with storage.reading() as reading:
        assert await reading.commands.fingerprint(1) is None

    async with storage.transaction() as writing:
        await writing.commands.put_synced(1, "one")
        await writing.commands.put_synced(2, "two")
        await writing.commands.put_synced(1, "three")

    async with storage.reading() as reading:
        found = [await reading.commands.fingerprint(application) for application in (1, 2)]
    assert found == ["three", "two"]


async def test_listeners_are_notified_after_a_commit_and_not_after_a_failure(storage, database):
    told = []

    def listen(committed):
        told.append((committed, ask(database, "SELECT id FROM matches")))

    async def fail():
        async with storage.transaction() as writing:
            await writing.challenges.open(new(2), 1000)
            raise LookupError

    storage.subscribe(listen)
    match = await opened(storage, 1, due_at=5000)
    with pytest.raises(LookupError):
        await fail()
    storage.unsubscribe(listen)
    await opened(storage, 3)

    assert told == [(Committed(due_at=5000, changed=frozenset({match})), [(match,)])]


@pytest.mark.parametrize("is_batch", [False, True])
async def test_listeners_are_notified_of_a_commit_whose_task_was_canceled(storage, is_batch):
    match = await dealt(storage)
    pick = Pick(match=match, step=0, turn=1, seat=A, move="9", made_at=1, gone=0, others=(B,))
    before = await record_of(storage, match)
    told = []
    storage.subscribe(told.append)
    writer = storage._writer.engine.sync_engine

    async def choose():
        if is_batch:
            await storage.pick([pick])
            return
        async with storage.transaction() as writing:
            await writing.seats.signal(match, A, B)

    choosing = asyncio.ensure_future(choose())
    event.listen(writer, "commit", lambda _: choosing.cancel(), once=True)
    with pytest.raises(asyncio.CancelledError):
        await choosing

    assert (await record_of(storage, match)).revision == before.revision + 1
    assert [committed.changed for committed in told] == [{match}]


@pytest.mark.parametrize("is_cancelled", [False, True])
async def test_listeners_are_not_notified_of_a_failed_commit(storage, is_cancelled):
    match = await dealt(storage)
    told = []
    storage.subscribe(told.append)
    writer = storage._writer.engine.sync_engine

    async def choose():
        async with storage.transaction() as writing:
            await writing.seats.signal(match, A, B)

    def fail(_):
        if is_cancelled:
            choosing.cancel()
        raise OSError("disk full")

    choosing = asyncio.ensure_future(choose())
    event.listen(writer, "commit", fail)
    with pytest.raises(asyncio.CancelledError if is_cancelled else OSError):
        await choosing
    event.remove(writer, "commit", fail)

    assert told == []


async def test_listeners_learn_that_a_computer_may_owe_a_move(storage):
    match = await opened(storage, 1, (ANN, COMPUTER), computers=(None, "easy"))
    told = []
    storage.subscribe(told.append)

    async with storage.transaction() as writing:
        await writing.matches.load(match)

    assert told == [Committed(computers=frozenset({match}))]


async def test_nothing_can_be_written_while_reading(storage):
    with pytest.raises(DBAPIError, match=r"readonly|read-only"):
        async with storage.reading() as reading:
            await reading.commands.put_synced(1, "one")


async def test_a_match_is_unsettled_until_it_is_settled(storage):
    first, second = await opened(storage, 1), await finished(storage, 2, (ANN, BEA), (1, 2))
    assert await unsettled(storage) == [first, second]

    await settle(storage, second)

    assert await unsettled(storage) == [first]


async def test_heavy_reads_never_take_all_connections(storage):
    """With as many heavy reads as there are connections, a small read still doesn't wait."""
    goes_on, begun = asyncio.Event(), []

    async def study():
        async with storage.reading(heavy=True) as reading:
            await reading.ping()
            begun.append(reading)
            await goes_on.wait()

    studies = [asyncio.ensure_future(study()) for _ in range(CONNECTIONS["read"])]
    await until(lambda: begun)
    async with asyncio.timeout(5), storage.reading() as reading:
        await reading.ping()
    held = len(begun)

    goes_on.set()
    await asyncio.gather(*studies)
    assert held < len(begun) == len(studies)
