"""Stored messages of matches."""

from dataclasses import replace

import pytest

from bot.storage import SHOWN_POSTING, TABLE, MessageRef, Spot
from bot.storage.messages import SIGNPOST
from tests.support.match_records import dealt, messages_of, opened, put_message
from tests.support.matches import ANN, BEA

CLICK = 77
AT_TABLE = MessageRef(channel=1, message=2, shown="open")


async def knows_the_table(storage, match):
    """Return which parts of the bot know the message of a match's table, by name."""
    async with storage.transaction() as tx:
        (listed,) = await tx.match_lists.of_player(ANN)
        (between,) = await tx.challenges.between(BEA, [ANN], besides=0)
        return {
            "list": listed.table is not None,
            "links": await tx.messages.table_of(match) is not None,
            "limits": between.message is not None,
            "notices": TABLE in await tx.messages.posted(match),
        }


async def test_nothing_links_to_a_table_until_its_message_id_is_known(storage):
    match = await opened(storage, 1, (ANN, BEA))
    await put_message(storage, match, 0, AT_TABLE)

    await put_message(
        storage, match, TABLE, MessageRef(channel=1, message=CLICK, shown=SHOWN_POSTING)
    )
    before = await knows_the_table(storage, match)
    await put_message(storage, match, TABLE, AT_TABLE)
    after = await knows_the_table(storage, match)

    assert set(before.values()) == {False}
    assert set(after.values()) == {True}


async def test_unshown_messages_are_found_in_all_servers_or_in_one(storage):
    at = [await dealt(storage, number, guild=guild) for number, guild in enumerate([1, 2, 2])]
    for match in at[:2]:
        for place in (TABLE, SIGNPOST):
            await put_message(storage, match, place, replace(AT_TABLE, unshown=True))
    await put_message(storage, at[2], TABLE, AT_TABLE)

    async with storage.reading() as reading:
        everywhere = await reading.messages.unshown()
        in_one = await reading.messages.unshown(2)

    spot = Spot(AT_TABLE.channel, AT_TABLE.message)
    assert everywhere == [(at[0], spot)] * 2 + [(at[1], spot)] * 2
    assert in_one == [(at[1], spot)] * 2


@pytest.mark.parametrize(("thread", "has_it"), [(9, False), (10, True)])
async def test_a_rematch_in_the_same_thread_takes_over_the_signpost(storage, thread, has_it):
    match = await opened(storage, 1, (ANN, BEA))
    rematch = await opened(storage, 2, (ANN, BEA), predecessor=match)
    signpost = MessageRef(channel=1, message=10, shown="signpost.over", revision=7)
    await put_message(storage, match, SIGNPOST, signpost)

    for moved in (20, 21):
        table = MessageRef(channel=thread, message=moved, shown="running")
        await put_message(storage, rematch, TABLE, table)

    before, after = await messages_of(storage, match), await messages_of(storage, rematch)
    if has_it:
        assert before == {}
        assert after == {TABLE: table, SIGNPOST: replace(signpost, shown="", revision=0)}
    else:
        assert before == {SIGNPOST: signpost}
        assert after == {TABLE: table}


async def test_a_rematch_that_is_still_being_posted_is_not_linked(storage):
    match = await opened(storage, 1, (ANN, BEA))
    rematch = await opened(storage, 2, (ANN, BEA), predecessor=match)

    async def linked():
        async with storage.reading() as reading:
            return await reading.messages.table_of_rematch(match)

    await put_message(
        storage, rematch, TABLE, MessageRef(channel=1, message=9, shown=SHOWN_POSTING)
    )
    before = await linked()
    await put_message(storage, rematch, TABLE, AT_TABLE)

    assert before is None
    assert await linked() == AT_TABLE
