"""Private threads: the bot can post only in those it is in, whatever Discord permits it."""

from dataclasses import replace

import pytest

from sandbox.guilds import ChannelType, Thread
from sandbox.permissions import Overwrite, Permission
from tests.support.clock import HOUR
from tests.support.services import AT_ONCE
from tests.support.tables import labels, resign
from tests.support.waiting import until, written

STRANGER = (
    "I'm not in this private thread, so I can't run matches here. Mention me in a message to add "
    "me, or play in another channel."
)


LOST = "SELECT 1 FROM matches WHERE paused_why = 'lost'"


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


async def test_a_match_can_be_played_in_a_private_thread_with_the_bot(table, secret):
    await join(table, secret)

    await table.finish(await table.match(channel=secret), "Ann", "Bo")


async def test_a_bot_that_starts_knows_the_private_threads_it_is_in(table, secret):
    await join(table, secret)
    await table.restart()
    await table.bot.wait_until_ready()

    asked = await table.ask("Ann", "Bo", channel=secret)

    assert "Accept" in labels(asked.message)


async def test_a_match_pauses_when_the_bot_is_removed_from_its_thread_and_can_be_resumed_elsewhere(
    table, secret
):
    await join(table, secret)
    await table.match(channel=secret)
    world, ann = table.discord.world, table.person("Ann")

    world.remove_from_thread(secret, world.bot)
    await written(table, LOST)
    await table.settled()
    refused = await table.ask("Ann", "Bo", channel=secret)
    await ann.slash("resume", channel="lobby", match=1)
    await table.settled()

    assert refused.text == STRANGER
    assert table.sql("SELECT 1 FROM matches WHERE paused_at IS NULL") == [(1,)]
    assert [m for m in ann.see("lobby") if "Pico ·" in m.text]


@pytest.mark.parametrize("may", ["see it in any case", "manage threads"])
async def test_a_match_continues_in_a_thread_that_the_bot_can_still_see(table, secret, may):
    world, thread = table.discord.world, secret
    if may == "manage threads":
        world.set_permissions("games", allow=Permission.MANAGE_THREADS)
    else:
        details = replace(secret.thread, members={})
        thread = world.add_thread(world.channel("games"), "public", details)
    await join(table, thread)
    await table.match(channel=thread)
    heard = table.bot.wait_for("thread_remove", timeout=30)

    world.remove_from_thread(thread, world.bot)
    await heard
    await until(lambda: not table.bot.services.guild_lifecycle._tasks)
    await table.trick("Ann", "Bo")

    assert table.bot.get_channel(thread.id) is not None
    assert table.sql(LOST) == []
    assert table.sql("SELECT step FROM matches") == [(1,)]


async def test_removing_the_bot_from_a_thread_only_briefly_pauses_nothing(table, secret):
    await table.restart(pacing=replace(AT_ONCE, settling=HOUR))
    lifecycle = table.bot.services.guild_lifecycle
    await join(table, secret)
    await table.match(channel=secret)
    world = table.discord.world

    world.remove_from_thread(secret, world.bot)
    await until(lambda: lifecycle._tasks)
    await join(table, secret)
    lifecycle._closing.set()  # that hour is over
    await until(lambda: not lifecycle._tasks)

    assert table.sql(LOST) == []


async def test_a_rematch_begins_in_an_archived_private_thread_and_opens_it(table, secret):
    """Discord sends no archived threads, so the bot doesn't know that it is in this one."""
    await join(table, secret)
    public = await table.match(channel=secret)
    await resign(table, "Bo", public)
    table.discord.world.archive_thread(secret)
    await until(lambda: table.bot.get_channel(secret.id) is None)

    for name in ("Ann", "Bo"):
        await table.person(name).click(public, "Rematch")
    await table.settled()

    assert table.sql("SELECT status FROM matches") == [("over",), ("running",)]
    assert not secret.thread.archived


@pytest.mark.parametrize("way", ["dm", "channel"])
@pytest.mark.parametrize("archived", [False, True])
@pytest.mark.parametrize("role", ["in the thread", "manages threads", "taken out"])
async def test_a_follower_is_not_told_of_the_end_in_a_thread_they_were_removed_from(
    table, secret, role, archived, way
):
    """A mention would add them to it again."""
    await join(table, secret)
    world, dan = table.discord.world, table.person("Dan")
    await table.bot.services.notice_settings.choose(dan.id, "watched", way)
    world.add_to_thread(secret, dan.user)
    public = await table.match(channel=secret, pace="slow")
    await dan.click((await dan.slash("watch", channel=secret)).message, "Follow")
    table.pass_time(HOUR)  # they aren't active, but still in the thread

    if role != "in the thread":
        world.remove_from_thread(secret, dan.user)
    if role == "manages threads":
        heard = table.bot.wait_for("guild_channel_update", timeout=30)
        games = world.channel("games")
        allowed = Overwrite(id=dan.id, type=1, allow=int(Permission.MANAGE_THREADS))
        games.overwrites = [*games.overwrites, allowed]
        world.emit("channel_updated", games)
        await heard
    if archived:
        world.archive_thread(secret)
        await until(lambda: table.bot.get_channel(secret.id) is None)
    await resign(table, "Ann", public)

    told = table.sql("SELECT event FROM sent_notices WHERE user = ?", dan.id)
    assert told == [("watched",)] * (role != "taken out")
    assert table.sql("SELECT count(*) FROM notices WHERE user = ?", dan.id) == [(0,)]
