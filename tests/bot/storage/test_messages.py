"""Where matches are shown, as it is kept."""

from dataclasses import replace

from bot.storage import POSTING, TABLE, MessageRef, Spot
from tests.support.match_records import dealt, opened, put_message
from tests.support.matches import ANN, BEA

CLICK = 77
AT_TABLE = MessageRef(channel=1, message=2, shown="open")


async def led_to(storage, match):
    """Whether the lists, links and limits of the bot know where the table of a match stands."""
    async with storage.transaction() as tx:
        (listed,) = await tx.match_lists.of_player(ANN)
        (between,) = await tx.challenges.between(BEA, [ANN], besides=0)
        return {
            "list": listed.table is not None,
            "links": await tx.messages.table_of(match) is not None,
            "limits": between.message is not None,
            "notices": TABLE in await tx.messages.standing(match),
        }


async def test_nothing_leads_to_a_table_until_it_is_known_which_message_that_is(storage):
    match = await opened(storage, 1, (ANN, BEA))
    await put_message(storage, match, 0, AT_TABLE)

    await put_message(storage, match, TABLE, MessageRef(channel=1, message=CLICK, shown=POSTING))
    before = await led_to(storage, match)
    await put_message(storage, match, TABLE, AT_TABLE)
    after = await led_to(storage, match)

    assert set(before.values()) == {False}
    assert set(after.values()) == {True}


async def test_tables_that_could_not_show_a_late_end_are_found_in_all_servers_or_in_one(storage):
    at = {}
    for number, (guild, ended) in enumerate([(1, 999), (1, 1000), (2, 1000), (2, None)]):
        at[number] = await dealt(storage, number, guild=guild)
        unshown = replace(AT_TABLE, unshown=True)
        await put_message(storage, at[number], TABLE, unshown)
        await put_message(storage, at[number], 0, unshown)
        if ended is not None:
            async with storage.transaction() as writing:
                await writing.matches.end(at[number], "closed", ended)
    shown = await dealt(storage, 9, guild=1)
    await put_message(storage, shown, TABLE, AT_TABLE)

    async with storage.reading() as reading:
        everywhere = await reading.messages.unshown(1000)
        in_one = await reading.messages.unshown(1000, 2)

    spot = Spot(AT_TABLE.channel, AT_TABLE.message)
    assert everywhere == {at[1]: spot, at[2]: spot}
    assert in_one == {at[2]: spot}


async def test_a_rematch_that_is_just_being_posted_is_not_linked(storage):
    match = await opened(storage, 1, (ANN, BEA))
    rematch = await opened(storage, 2, (ANN, BEA), predecessor=match)

    async def linked():
        async with storage.reading() as reading:
            return await reading.messages.table_of_rematch(match)

    await put_message(storage, rematch, TABLE, MessageRef(channel=1, message=9, shown=POSTING))
    before = await linked()
    await put_message(storage, rematch, TABLE, AT_TABLE)

    assert before is None
    assert await linked() == AT_TABLE
