"""Private threads: the bot can post only in those that it is in, whatever Discord says it may."""

import pytest

from sandbox.guilds import ChannelType, Thread
from tests.support.tables import labels, resign
from tests.support.waiting import until

STRANGER = (
    "I'm not in this private thread, so I can't run matches here. Mention me in a message to add "
    "me, or play in another channel."
)


@pytest.fixture
async def secret(table):
    """A private thread of Ann and Bo."""
    world = table.discord.world
    now = world.clock.now()
    people = [table.person(name) for name in ("Ann", "Bo")]
    details = Thread(owner=people[0].id, created_at=now, changed_at=now)
    details.members = {person.id: now for person in people}
    games = world.channel("games")
    return world.add_thread(games, "secret", details, kind=ChannelType.PRIVATE_THREAD)


async def join(table, thread):
    heard = table.bot.wait_for("thread_join", timeout=30)
    table.discord.world.add_to_thread(thread, table.discord.world.bot)
    await heard


async def test_no_match_begins_in_a_private_thread_without_the_bot(table, secret):
    refused = await table.ask("Ann", "Bo", channel=secret)
    await join(table, secret)
    asked = await table.ask("Ann", "Bo", channel=secret)

    assert refused.text == STRANGER
    assert "Accept" in labels(asked.message)


async def test_a_match_is_played_in_a_private_thread_with_the_bot(table, secret):
    await join(table, secret)

    await table.finish(await table.match(channel=secret), "Ann", "Bo")


async def test_a_bot_that_starts_knows_the_private_threads_it_is_in(table, secret):
    await join(table, secret)
    await table.restart()
    await table.bot.wait_until_ready()

    asked = await table.ask("Ann", "Bo", channel=secret)

    assert "Accept" in labels(asked.message)


async def test_a_rematch_begins_in_an_archived_one_and_opens_it(table, secret):
    """Discord tells of no archived thread, so that the bot is in this one is not known then."""
    await join(table, secret)
    public = await table.match(channel=secret)
    await resign(table, "Bo", public)
    table.discord.world.put_away(secret)
    await until(lambda: table.bot.get_channel(secret.id) is None)

    for name in ("Ann", "Bo"):
        await table.person(name).click(public, "Rematch")
    await table.settled()

    assert table.sql("SELECT status FROM matches") == [("over",), ("running",)]
    assert not secret.thread.archived
