"""What is written of where matches are shown, also where it can't be written at once."""

import pytest

from bot.errors import StorageUnavailableError
from bot.live.registry import MessageSlots
from bot.storage import TABLE, MessageRef
from tests.support.broken_files import read_only
from tests.support.match_records import ask, put_message
from tests.support.matches import CHANNEL


@pytest.fixture
async def slots(tools):
    slots = MessageSlots(tools)
    yield slots
    await slots.close()


async def test_what_could_not_be_written_is_written_later_unless_something_newer_is_shown(
    slots, storage, database, match
):
    for place in (TABLE, 0):
        ref = MessageRef(channel=CHANNEL, message=500 + place, shown="")
        await put_message(storage, match, place, ref)
    table, hand = await slots.table(match), await slots.hand(match, 0)
    table.shows("old", 2)
    hand.shows("hand", 2)
    async with read_only(storage):
        with pytest.raises(StorageUnavailableError):
            await slots.flush()

    table.shows("new", 3)
    await slots.flush()

    rows = ask(database, "SELECT shown, revision FROM places ORDER BY place")
    assert rows == [("new", 3), ("hand", 2)]
