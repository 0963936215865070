"""The small reads and writes of the storage, on a real file of its own."""

import dataclasses

from bot.storage import TABLE, MessageRef, PersonRecord
from tests.support.match_records import NOBODY, ask, dealt, finished, opened
from tests.support.matches import ANN, BEA


async def test_places_are_put_replaced_and_read(storage):
    match, other = await dealt(storage, 1), await dealt(storage, 2)
    table = MessageRef(channel=1, message=2, shown="open")
    desk = MessageRef(channel=3, message=4, shown="running.0..")
    moved = MessageRef(channel=5, message=6, shown="running.1..")

    await storage.put_place(match, TABLE, table)
    await storage.put_place(match, 0, desk)
    await storage.put_place(other, 0, desk)
    await storage.put_place(match, 0, moved)

    assert await storage.places(match) == {TABLE: table, 0: moved}
    assert await storage.places(other) == {0: desk}
    assert await storage.places(NOBODY) == {}


async def test_what_stands_at_many_places_is_noted_at_once(storage):
    match, other = await dealt(storage, 1), await dealt(storage, 2)
    record = MessageRef(channel=1, message=2, shown="old")
    for number, place in ((match, TABLE), (match, 0), (other, TABLE)):
        await storage.put_place(number, place, record)

    await storage.put_shown({(match, TABLE): "new", (other, TABLE): "newer", (NOBODY, 0): "lost"})

    assert {place: r.shown for place, r in (await storage.places(match)).items()} == {
        TABLE: "new",
        0: "old",
    }
    assert (await storage.places(other))[TABLE] == dataclasses.replace(record, shown="newer")
    assert await storage.places(NOBODY) == {}


async def test_somebody_unknown_has_an_empty_record(storage):
    assert await storage.person(ANN) == PersonRecord(dm_channel=None, dm_closed_at=None)


async def test_what_is_known_of_a_person_is_replaced(storage):
    await storage.put_person(ANN, PersonRecord(dm_channel=5, dm_closed_at=None))
    await storage.put_person(BEA, PersonRecord(dm_channel=None, dm_closed_at=9))
    await storage.put_person(ANN, PersonRecord(dm_channel=None, dm_closed_at=7))

    assert await storage.person(ANN) == PersonRecord(dm_channel=None, dm_closed_at=7)
    assert await storage.person(BEA) == PersonRecord(dm_channel=None, dm_closed_at=9)


async def test_each_application_has_its_fingerprint(storage):
    assert await storage.fingerprint(1) is None

    await storage.put_fingerprint(1, "one")
    await storage.put_fingerprint(2, "two")
    await storage.put_fingerprint(1, "three")

    assert (await storage.fingerprint(1), await storage.fingerprint(2)) == ("three", "two")


async def test_a_match_is_unsettled_until_it_is_settled(storage):
    first, second = await opened(storage, 1), await finished(storage, 2, (ANN, BEA), (1, 2))
    assert await storage.unsettled() == [first, second]

    await storage.settle(second)

    assert await storage.unsettled() == [first]


async def test_the_unsettled_are_found_by_their_index(storage, database):
    """Among a hundred thousand finished matches, a start must not look at each."""
    plan = ask(database, "EXPLAIN QUERY PLAN SELECT id FROM matches WHERE settled = 0 ORDER BY id")

    assert "ix_matches_unsettled" in plan[0][-1]
