"""A table that is posted anew is the only one of its match, whatever Discord or we fail at."""

import asyncio
from datetime import timedelta

import pytest

from sandbox.faults import Fault
from tests.support.tables import seated

POST = {"method": "POST", "path": r"^/channels/\d+/messages"}
DELETE = {"method": "DELETE", "path": r"^/channels/\d+/messages"}


@pytest.fixture
async def table(discord, tmp_path):
    async with seated(discord, tmp_path) as seats:
        yield seats


def tables(table):
    channel = table.discord.world.channel("games").id
    messages = table.discord.world.history[channel]
    return [m for m in messages if not (m.deleted or m.ephemeral_to) and "### Pico" in m.text]


async def bring_down(table, public):
    menu = (await table.person("Ann").click(public, "Menu")).message
    return await table.person("Ann").click(menu, "Bring to the bottom")


async def old_enough(table):
    public = await table.match()
    await table.quiet_now()
    table.discord.clock.advance(timedelta(minutes=1))
    return public


async def only_table(table, old):
    """The one that takes the place of the old one, and is noted and goes on."""
    await table.discord.until(lambda: old.deleted)
    await table.quiet_now()
    (new,) = tables(table)
    query = "SELECT message, leftover, coming FROM places WHERE place = -1"
    assert table.sql(query) == [(new.id, None, 0)]
    await table.trick("Ann", "Bo")
    await table.discord.until(lambda: "beats" in new.text or "loses to" in new.text)
    assert tables(table) == [new]
    return new


async def test_a_table_whose_answer_was_lost_is_the_one_that_goes_on(table):
    public = await old_enough(table)
    table.discord.faults.add(Fault(**POST, status=503, after=True))

    answer = await bring_down(table, public)

    await table.discord.until(lambda: answer.followups)
    (told,) = answer.followups
    assert told.text.startswith("I can't repost the table yet: ")
    assert told.text.endswith(" It follows as soon as I can.")
    await only_table(table, public)


async def test_a_table_that_discord_has_trouble_with_follows(table):
    public = await old_enough(table)
    table.discord.faults.add(Fault(**POST, status=503))

    await bring_down(table, public)

    await only_table(table, public)


async def test_a_table_that_was_not_noted_is_the_one_that_goes_on_after_a_death(table):
    public = await old_enough(table)
    table.discord.faults.add(Fault(**POST, delay=3600.0, after=True))
    pressed = asyncio.create_task(bring_down(table, public))
    await table.discord.until(lambda: len(tables(table)) == 2)
    await table.restart()
    await pressed

    await only_table(table, public)


async def test_an_old_table_that_discord_fails_to_delete_is_deleted_later(table):
    public = await old_enough(table)
    table.discord.faults.add(Fault(**DELETE, status=503, times=2))  # at once and after a moment

    await bring_down(table, public)

    await only_table(table, public)


async def test_a_table_too_old_to_be_edited_is_replaced_once(table):
    """It may be edited again when the answer to the new one was lost."""
    public = await old_enough(table)
    slot = await table.bot.services.live.slots.table(table.match_of(public))
    slot.token = None
    path = f"/channels/{public.channel_id}/messages/{public.id}"
    table.discord.faults.add(Fault(method="PATCH", path=path, status=400, code=30046))
    table.discord.faults.add(Fault(**POST, status=503, after=True))
    await table.trick("Ann", "Bo")

    await only_table(table, public)
