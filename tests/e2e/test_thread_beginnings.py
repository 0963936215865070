"""The first moments of a table in the thread of its match."""

import pytest

from sandbox import Fault
from tests.support.match_threads import tables, threads, want_threads
from tests.support.tables import labels
from tests.support.waiting import written


@pytest.fixture
async def challenge(table):
    await want_threads(table)
    return await table.challenge(pace="slow")


async def test_a_table_that_is_deleted_at_once_is_posted_again_in_its_thread(table, challenge):
    """By a bot that cleans up, before the edit that mentions the players."""
    world, deleted = table.discord.world, []

    def clean(change):
        message = change.subject
        is_new = change.kind == "message_created" and message.channel_id == challenge.id
        if is_new and not deleted and "My hand" in labels(message):
            deleted.append(message)
            world.delete_message(message)

    world.events.subscribe(clean)
    await table.person("Bo").click(challenge, "Accept")
    await table.discord.until(lambda: all(table.has_hand(name) for name in ("Ann", "Bo")))
    await table.settled()

    (thread,) = threads(table)
    (public,) = tables(table, thread)
    assert deleted
    assert tables(table, "games") == []
    assert table.sql("SELECT message FROM places WHERE place = -1") == [(public.id,)]


async def test_a_thread_that_is_hidden_from_the_bot_at_once_gets_no_second_table(table, challenge):
    path = rf"^/channels/{challenge.id}/messages/"
    fault = Fault(method="PATCH", path=path, status=403, code=50001, times=None)
    table.discord.faults.add(fault)

    await table.person("Bo").click(challenge, "Accept")
    await written(table, "SELECT 1 FROM matches WHERE paused_why = 'lost'")
    await table.settled()

    (thread,) = threads(table)
    assert len(tables(table, thread)) == 1
    assert tables(table, "games") == []


@pytest.mark.parametrize("way", ["at once", "after a restart"])
async def test_a_match_gets_its_thread_even_if_a_player_is_deleted_before(table, way):
    """As long as Discord is in trouble, the table still shows the challenge."""
    await want_threads(table)
    challenge = await table.challenge("Ann", "Bo", "Cleo", variant="pico1-three")
    path = r"/messages/\d+/threads$"
    table.discord.faults.add(Fault(method="POST", path=path, status=503, times=None))
    for name in ("Bo", "Cleo"):
        await table.person(name).click(challenge, "Accept")
    await table.discord.until(lambda: table.requests("POST", "/threads"))

    await table.bot.services.erasure.delete(table.person("Cleo").id)
    if way == "after a restart":
        await table.restart()
    table.discord.faults.clear()

    await table.discord.until(lambda: threads(table) and tables(table, threads(table)[0]))
    assert tables(table, "games") == []
    await table.settled()
    (public,) = tables(table, threads(table)[0])
    assert "a former player" in public.text
