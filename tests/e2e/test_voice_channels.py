"""The chat of a voice channel is for people who can connect to it, even if others see it."""

import pytest

from bot.interactions.match_access import NO_MODERATOR
from sandbox.guilds import ChannelType
from sandbox.permissions import Overwrite, Permission


@pytest.fixture(params=[ChannelType.VOICE, ChannelType.STAGE])
async def lounge(request, table):
    """A voice or stage channel that everybody can see and connect to."""
    heard = table.bot.wait_for("guild_channel_create", timeout=30)
    channel = table.discord.world.add_channel("lounge", kind=request.param)
    await heard
    return channel


async def close_to(table, channel, who, kind, allow=0):
    """Let somebody see a channel but not connect to it, and wait until the bot knows."""
    heard = table.bot.wait_for("guild_channel_update", timeout=30)
    deny = int(Permission.CONNECT)
    channel.overwrites.append(Overwrite(id=who, type=kind, allow=int(allow), deny=deny))
    table.discord.world.emit("channel_updated", channel)
    await heard


async def test_a_match_can_be_played_in_the_chat_of_a_voice_channel(table, lounge):
    public = await table.match(channel="lounge")

    await table.finish(public, "Ann", "Bo")

    assert public.channel_id == lounge.id


async def test_no_match_begins_where_the_bot_cannot_connect_and_the_answer_says_why(table, lounge):
    await close_to(table, lounge, table.discord.world.bot.id, 1)

    refused = await table.ask("Ann", "Bo", channel="lounge")

    assert "I need Connect" in refused.text


async def test_people_who_cannot_connect_find_no_match_in_a_voice_channel(table, lounge):
    await table.match(channel="lounge")
    before = (await table.person("Dan").slash("watch", channel="games")).message
    await close_to(table, lounge, table.person("Dan").user.id, 1)

    shown = (await table.person("Dan").slash("watch", channel="games")).message

    assert f"/{lounge.id}/" in before.text
    assert f"/{lounge.id}/" not in shown.text


async def test_people_who_cannot_connect_cannot_moderate_a_match_in_a_voice_channel(table, lounge):
    dan, match = table.person("Dan"), table.match_of(await table.match(channel="lounge"))
    own = Overwrite(id=dan.id, type=1, allow=int(Permission.MANAGE_MESSAGES))
    table.discord.world.channel("games").overwrites.append(own)  # to be offered it there
    await close_to(table, lounge, dan.id, 1, allow=Permission.MANAGE_MESSAGES)

    refused = await dan.slash("moderate end", channel="games", match=match)

    assert refused.text == NO_MODERATOR
    assert table.sql("SELECT status FROM matches") == [("running",)]


async def test_the_settings_say_that_the_bot_cannot_connect(table, lounge):
    panel = (await table.person("Ann").slash("settings", channel="games")).message
    await table.person("Ann").select(panel, "Everywhere", [lounge])
    await table.person("Ann").select(panel, "No daily puzzle", [lounge])
    await close_to(table, lounge, table.discord.world.bot.id, 1)

    panel = (await table.person("Ann").slash("settings", channel="games")).message

    assert f"In <#{lounge.id}> I need Connect: nobody can play there" in panel.text
    assert f"In <#{lounge.id}> I need Connect: I can't post puzzles" in panel.text


async def test_people_who_cannot_connect_cannot_share_a_result_there(table, lounge):
    await table.finish(await table.match(channel="lounge"), "Ann", "Bo")
    await close_to(table, lounge, table.person("Bo").user.id, 1)

    refused = await table.person("Bo").click(table.desk("Bo"), "Share")

    assert "You can't send messages in" in (await refused.settled()).text
