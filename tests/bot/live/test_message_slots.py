"""How the messages that show a match are stored, even if that isn't possible at once."""

from dataclasses import replace

import pytest

from bot.errors import StorageUnavailableError
from bot.live.message_slots import MessageSlots
from bot.storage import TABLE, MessageRef
from tests.support.broken_files import read_only
from tests.support.match_records import ask, execute, forget_user, put_message
from tests.support.matches import ANN, BEA, CHANNEL, CYD, begun


@pytest.fixture
async def slots(tools):
    slots = MessageSlots(tools)
    yield slots
    await slots.close()


async def test_a_failed_write_is_repeated_unless_something_newer_is_shown(
    slots, storage, database, match
):
    for place in (TABLE, 0):
        ref = MessageRef(channel=CHANNEL, message=500 + place, shown="")
        await put_message(storage, match, place, ref)
    table, hand = await slots.table(match), await slots.hand(match, 0)
    table.mark_shown("old", 2)
    hand.mark_shown("hand", 2)
    async with read_only(storage):
        with pytest.raises(StorageUnavailableError):
            await slots.flush()

    table.mark_shown("new", 3)
    await slots.flush()

    rows = ask(database, "SELECT shown, revision FROM places ORDER BY place")
    assert rows == [("new", 3), ("hand", 2)]


async def test_content_that_a_filter_blocked_is_tried_again_once_its_links_have_changed(
    slots, match
):
    hand = await slots.hand(match, 0)
    hand.bar.block("key")

    slots.outdate_hands(match)

    assert not hand.bar.blocks("key")


@pytest.mark.parametrize("why", ["a late click", "a deletion", "another process", "an edit"])
async def test_an_outdated_challenge_is_still_known_as_one(slots, storage, matches, match, why):
    """So that the match gets its thread, as soon as Discord is out of trouble."""
    ref = MessageRef(channel=CHANNEL, message=500, shown="open.0..hash")
    await put_message(storage, match, TABLE, ref)
    table, public = await slots.table(match), await matches.public(match)

    if why == "a late click":
        slots.outdate(match, 500)
    elif why == "a deletion":
        slots.outdate_all(match)
    elif why == "another process":
        table.shown_elsewhere()
    else:  # rendered before a deletion
        table.mark_shown(table.key_now(ref.shown, table.times_outdated - 1))

    assert table.begins(public)
    assert table.shown != ref.shown


async def test_a_message_of_a_match_deleted_meanwhile_is_deleted(
    slots, storage, database, channels, match
):
    hand = await slots.hand(match, 0)
    await execute(storage, "DELETE FROM matches")

    await hand.put(MessageRef(channel=CHANNEL, message=500, shown=""))

    assert channels.deleted == [500]
    assert hand.ref is None
    assert ask(database, "SELECT * FROM places") == []


async def test_a_message_from_before_the_deletion_of_its_match_stays(
    slots, storage, database, channels, match
):
    """It says how the match ended, which its player may not have read yet."""
    hand = await slots.hand(match, 0)
    ref = MessageRef(channel=CHANNEL, message=500, shown="")
    await hand.put(ref)
    await execute(storage, "DELETE FROM matches")

    await hand.put(replace(ref, shown="over"))

    assert channels.deleted == []
    assert hand.ref is None
    assert ask(database, "SELECT * FROM places") == []


async def test_a_hand_of_a_player_deleted_meanwhile_is_deleted(
    slots, storage, database, channels, match
):
    hand = await slots.hand(match, 0)
    await forget_user(storage, ANN)  # as another process does

    await hand.put(MessageRef(channel=CHANNEL, message=500, shown=""))

    assert channels.deleted == [500]
    assert ask(database, "SELECT * FROM places") == []


async def test_a_deleted_match_does_not_keep_others_from_being_stored(
    slots, storage, database, channels, matches, match
):
    """The messages of both couldn't be stored when they were sent."""
    other = await begun(matches, interaction=2)
    async with read_only(storage):
        for number, message in ((match, 500), (other, 501)):
            hand = await slots.hand(number, 0)
            await hand.put(MessageRef(channel=CHANNEL, message=message, shown=""))
    await execute(storage, f"DELETE FROM matches WHERE id = {match}")  # noqa: S608 - a number

    await slots.flush()

    assert ask(database, "SELECT match, message FROM places") == [(other, 501)]
    assert channels.deleted == [500]


async def test_a_message_from_before_the_deletion_stays_even_if_it_is_stored_later(
    slots, storage, database, channels, match
):
    hand = await slots.hand(match, 0)
    ref = MessageRef(channel=CHANNEL, message=500, shown="")
    await hand.put(ref)
    async with read_only(storage):
        await hand.put(replace(ref, shown="over"))
        with pytest.raises(StorageUnavailableError):
            await slots.flush()
    await execute(storage, "DELETE FROM matches")

    await slots.flush()

    assert channels.deleted == []
    assert hand.ref is None


async def test_what_another_process_deletes_does_not_stay_shown_because_more_was_to_be_stored(
    slots, storage, matches
):
    """The player had left before, so nothing else of the match changes."""
    match = await begun(matches, BEA, CYD)
    await matches.concede(match, CYD)
    public, hand, *_ = await matches.snapshots(match)
    for place, shown in ((TABLE, public), (0, hand)):
        await put_message(storage, match, place, MessageRef(channel=CHANNEL, message=1, shown=""))
        (await slots.at(match, place)).mark_shown(shown.key, shown.revision)

    await forget_user(storage, CYD)  # as another process does
    await slots.read_again(match)

    public, hand, *_ = await matches.snapshots(match)
    assert (await slots.table(match)).is_behind(public)
    assert (await slots.hand(match, 0)).is_behind(hand)
