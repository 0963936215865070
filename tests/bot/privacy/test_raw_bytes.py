"""After a deletion the person's ids are no longer anywhere in the database's files."""

import random
from types import SimpleNamespace

import pytest

from bot.cluster.share import EVERYTHING
from bot.privacy.erasure import Erasure
from bot.scheduling.activity import Activity
from bot.scheduling.file_rewriting import FileRewriting
from bot.storage import PersonRecord
from tests.support.match_records import dealt, finished, new, opened, put_person
from tests.support.matches import NOW, RETURNS
from tests.support.nowhere import Nowhere

LEAVER = 1_152_921_504_606_846_977 + 987_654_321
"""A user id as large as Discord's, whose bytes occur nowhere else."""

CHANNEL = LEAVER + 111_111_111
"""The channel of their direct messages with the bot."""


def forms(number):
    """Return a number as text, and as SQLite stores it in rows and indexes."""
    return (str(number).encode(), number.to_bytes(8, "big"))


def traces(folder, ids=(LEAVER, CHANNEL)):
    """Return how often these ids occur in each file that has one."""
    found = {}
    for file in sorted(folder.iterdir()):
        data = file.read_bytes()
        times = sum(data.count(form) for id_ in ids for form in forms(id_))
        if times:
            found[file.name] = times
    return found


async def fill(storage):
    """Store many rows of the leaver among others' rows, and change and delete some of them."""
    for n in range(60):
        others = (5000 + n % 7, 6000 + n % 5)
        await finished(storage, 10 * n, (LEAVER, others[0]), (1 + n % 2, 2 - n % 2), at=2000 + n)
        await finished(storage, 10 * n + 1, others, (1, 2), at=2000 + n)
        async with storage.transaction() as writing:
            await writing.blocks.add(LEAVER, 7000 + n)
            await writing.blocks.add(8000 + n, LEAVER)
            match = await writing.challenges.open(new(10 * n + 2, (others[1], LEAVER)), 1000)
            await writing.notices.queue(match, "challenged", [LEAVER], due_at=1, actor=others[1])
    await put_person(storage, LEAVER, PersonRecord(dm_channel=CHANNEL, dm_closed_at=None))
    async with storage.transaction() as writing:
        for n in range(0, 60, 2):
            await writing.blocks.remove(LEAVER, 7000 + n)
    await opened(storage, 9001, (LEAVER, 5001))
    await dealt(storage, 9002, (5001, LEAVER))


@pytest.fixture
def erasure(storage):
    return Erasure(
        storage=storage,
        live=Nowhere(),
        delivery=SimpleNamespace(),
        memories=(),
        returns=RETURNS,
        now=lambda: NOW,
        share=EVERYTHING,
    )


@pytest.mark.slow
@pytest.mark.sqlite
async def test_no_file_contains_the_ids_of_a_deleted_person(storage, database, erasure):
    await fill(storage)
    assert sum(traces(database.parent).values()) > 100

    await erasure.delete(LEAVER)

    assert traces(database.parent) == {}


async def fill_with(storage, people):
    """Store rows of many people in random order, so that SQLite moves rows between pages."""
    draw = random.Random(5)
    for n in range(600):
        one, two = draw.sample(people, 2)
        await finished(storage, 10 * n, (one, two), (1, 2), at=2000 + n)
        if n % 3 == 0:
            async with storage.transaction() as writing:
                await writing.blocks.add(one, two)
                match = await writing.challenges.open(new(10 * n + 2, (two, one)), 1000)
                await writing.notices.queue(match, "challenged", [one], due_at=1, actor=two)


@pytest.mark.slow
@pytest.mark.sqlite
async def test_once_the_file_is_rewritten_it_contains_no_id_of_many_deleted_people(
    storage, database, erasure, watch
):
    """Moving rows between pages leaves copies that deletions don't reach."""
    people = [LEAVER + n * 7_777_777_777 for n in range(1, 151)]
    await fill_with(storage, people)
    gone = people[::3]
    for person in gone:
        await erasure.delete(person)
    assert traces(database.parent, gone), "this test needs rows whose copies are left"

    await FileRewriting(storage, Activity(now=watch), now=watch).look()

    assert traces(database.parent, gone) == {}
    assert traces(database.parent, [person for person in people if person not in gone])
