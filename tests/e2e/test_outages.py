"""A server that is unavailable because of a Discord outage has not removed the bot."""

import pytest

from sandbox import Fault
from tests.support.clock import MINUTE, asleep
from tests.support.waiting import until, written

AWAY = "Discord can't reach that server right now. Try again later."


async def take_down(table):
    """Begin an outage, and wait until the bot knows."""
    heard = table.bot.wait_for("guild_unavailable", timeout=30)
    table.discord.world.take_down()
    await heard


async def pass_minutes(table, minutes=10):
    """Advance time, and let the bot's clock handle what is due."""
    table.pass_time(minutes * MINUTE)
    await asleep(table.bot.services.deadlines, table.bot.services.storage)


async def bring_back(table):
    heard = table.bot.wait_for("guild_available", timeout=30)
    table.discord.world.bring_back()
    await heard


def kept(table):
    """The stored rows about the server and its match."""
    return (
        table.sql("SELECT * FROM servers"),
        table.sql("SELECT * FROM server_channels"),
        table.sql("SELECT guild, channel, status, step, paused_at FROM matches"),
    )


async def test_everything_stored_about_a_server_survives_its_outage(table):
    world, settings = table.discord.world, table.bot.services.guild_settings
    await settings.switch(world.guild.id, (), ("duel",))
    await settings.set_channels(world.guild.id, [world.channel("games").id])
    public = await table.match()
    before = kept(table)

    await take_down(table)
    await pass_minutes(table)
    during = kept(table)
    await bring_back(table)

    assert before == during == kept(table)
    await table.finish(public, "Ann", "Bo")
    shown = await table.person("Ann").slash("leaderboard", channel="games")
    assert table.person("Bo").mention in (await shown.settled()).text


@pytest.mark.parametrize("event", ["GUILD_DELETE", "GUILD_CREATE"])
async def test_a_bot_that_starts_during_an_outage_does_not_count_as_removed(table, event):
    public = await table.match()
    before = kept(table)
    await table.stop()
    table.discord.world.take_down(told_by=event)

    await table.start()
    await table.bot.wait_until_ready()
    await pass_minutes(table)

    assert kept(table) == before
    await bring_back(table)
    await table.finish(public, "Ann", "Bo")


async def test_a_server_that_removes_the_bot_during_its_outage_is_left(table):
    await table.match()
    await take_down(table)

    table.discord.world.remove_bot()

    await written(table, "SELECT 1 FROM servers WHERE left_at NOT NULL")
    await written(table, "SELECT 1 FROM matches WHERE paused_at NOT NULL")


async def test_no_clock_runs_in_a_server_during_an_outage(table):
    await table.match()
    before = kept(table)

    await take_down(table)
    await pass_minutes(table)
    during = kept(table)
    await bring_back(table)
    await pass_minutes(table, 1)
    graced = kept(table)
    await pass_minutes(table)

    assert before == during == graced
    assert table.sql("SELECT step FROM matches") == [(1,)]


@pytest.mark.parametrize("restarts", [False, True], ids=["known", "after a start"])
@pytest.mark.parametrize("what", ["Rematch", "Share"])
async def test_nothing_can_be_begun_in_a_server_during_an_outage(table, what, restarts):
    """A bot that starts meanwhile knows none of its channels, but they aren't gone."""
    world = table.discord.world
    await table.bot.services.guild_settings.set_channels(
        world.guild.id, [world.channel("games").id]
    )
    await table.finish(await table.match(), "Ann", "Bo")
    if restarts:
        await table.stop()
        world.take_down()
        await table.start()
        await table.bot.wait_until_ready()
    else:
        await take_down(table)

    answer = await table.person("Ann").click(table.desk("Ann"), what)

    assert (await answer.settled()).text == AWAY
    assert table.sql("SELECT count(*) FROM matches") == [(1,)]


CODES = [(403, 50001, False), (404, 10003, False), (404, 10004, False), (403, 50001, True)]


def refuse(table, status, code):
    """Let Discord answer as if the channel were gone; returns a function for what it refused."""
    path = f"/channels/{table.discord.world.channel('games').id}"
    asked = Fault(status=status, code=code, path=path, times=None)
    table.discord.faults.add(asked)
    since = len(table.discord.requests)
    return lambda: table.requests(path=path, since=since)


@pytest.mark.parametrize(("status", "code", "restarts"), CODES)
async def test_no_match_is_lost_because_of_discords_answers_during_an_outage(
    table, expired_tokens, status, code, restarts
):
    public = await table.match()
    await table.quiet_now()
    if restarts:
        await table.stop()
        table.discord.world.take_down()
        is_refused = refuse(table, status, code)
        await table.start()
        await table.bot.wait_until_ready()
    else:
        await take_down(table)
        is_refused = refuse(table, status, code)
    await table.trick("Ann", "Bo")
    await until(is_refused)
    await table.play("Ann")
    paused = table.sql("SELECT paused_at FROM matches")

    table.discord.faults.clear()
    await bring_back(table)
    await table.play("Bo")

    await table.discord.until(lambda: table.step(table.desk("Bo")) == 2)
    await table.quiet_now()
    assert "Last trick" in public.images[0].description
    assert paused == table.sql("SELECT paused_at FROM matches") == [(None,)]


async def test_a_match_whose_channel_was_deleted_during_an_outage_is_paused_after_it(table):
    """No event says so: the channel is only missing once the server is back."""
    await table.match(pace="none")
    world, guild = table.discord.world, table.bot.get_guild(table.discord.world.guild.id)
    games = world.channel("games")
    await take_down(table)

    world.delete_channel(games)
    await bring_back(table)

    await written(table, "SELECT 1 FROM matches WHERE paused_at NOT NULL")
    assert guild.get_channel(games.id) is None
    assert guild.text_channels
