"""Channels that the bot can no longer view: it knows neither their names nor anybody's permissions.

Everybody else sees them as before.
"""

import pytest

from bot.interactions.match_access import NO_MODERATOR
from bot.messaging.permissions import is_seen
from sandbox.guilds import ChannelType
from sandbox.permissions import Permission
from tests.e2e.test_lost_channels import LOST, hide, match_with_choice
from tests.support.clock import HOUR
from tests.support.waiting import until, written

NOTHING = "No matches are on here right now."


async def match_in_hidden_channel(table):
    """The table of a match of Ann and Bo that is paused because its channel was hidden."""
    public = await match_with_choice(table)
    hide(table)
    await written(table, LOST)
    return public


def with_role(table, name, permissions):
    """Somebody who has these permissions in the whole server, in addition to everybody's."""
    person = table.person(name)
    table.discord.world.set_roles(person.user, table.discord.world.add_role(name, permissions))
    return person


async def offered(person, command):
    choices = await person.autocomplete(command, "match", "", channel="lobby")
    return [choice["name"] for choice in choices]


async def test_a_moderator_of_the_whole_server_can_end_the_match_there(table):
    await match_in_hidden_channel(table)
    cleo = with_role(table, "Cleo", Permission.MANAGE_MESSAGES)

    choices = await offered(cleo, "moderate end")
    asked = await cleo.slash("moderate end", channel="lobby", match=1)

    assert choices == ["Pico · match 1 · paused"]
    assert asked.text.startswith("End match 1")


async def test_a_moderator_of_another_channel_cannot_end_the_match_there(table):
    await match_in_hidden_channel(table)
    world = table.discord.world
    everyone = world.guild.roles[world.guild.id]
    world.set_permissions("lobby", allow=Permission.MANAGE_MESSAGES, role=everyone)
    dan = table.person("Dan")

    choices = await offered(dan, "moderate end")
    asked = await dan.slash("moderate end", channel="lobby", match=1)

    assert (choices, asked.text) == ([], NO_MODERATOR)


async def test_the_name_of_a_hidden_channel_is_shown_to_nobody(table):
    public = await match_in_hidden_channel(table)
    ann = table.person("Ann")

    without = await offered(ann, "resume")
    table.discord.world.set_permissions("games")
    await until(lambda: table.bot.get_channel(public.channel_id).name == "games")
    named = await offered(ann, "resume")

    assert without == ["Pico · match 1 · paused"]
    assert named == ["Pico · match 1 · paused · #games"]


async def test_only_administrators_certainly_can_read_a_hidden_channel(table):
    await match_in_hidden_channel(table)
    dan, admin = table.person("Dan"), with_role(table, "Cleo", Permission.ADMINISTRATOR)

    unsure = await dan.slash("watch", channel="lobby")
    sure = await admin.slash("watch", channel="lobby")

    assert NOTHING in unsure.text
    assert NOTHING not in sure.text


async def test_somebody_who_follows_a_match_there_is_told_of_its_end(table):
    await table.match(pace="slow")
    dan, cleo = table.person("Dan"), with_role(table, "Cleo", Permission.MANAGE_MESSAGES)
    shown = (await dan.slash("watch", channel="lobby")).message
    await dan.click(shown, "Follow")
    hide(table)
    await written(table, LOST)
    table.pass_time(HOUR)

    asked = await cleo.slash("moderate end", channel="lobby", match=1)
    await cleo.click(asked.message, "End the match")
    await table.told()

    assert table.sql("SELECT event FROM sent_notices WHERE user = ?", dan.id) == [("watched",)]


@pytest.mark.parametrize("kind", [ChannelType.VOICE, ChannelType.STAGE, ChannelType.FORUM])
async def test_a_server_is_loaded_completely_whatever_is_hidden_in_it(table, kind):
    staff = table.discord.world.add_channel("staff", kind=kind)
    hide(table, staff)
    table.discord.world.add_channel("last")

    await table.restart()
    await table.bot.wait_until_ready()

    (guild,) = table.bot.guilds
    names = {channel.name for channel in guild.channels}
    assert guild.me is not None
    assert {"games", "lobby", "last"} <= names
    assert "staff" not in names


async def test_a_voice_channel_that_is_hidden_while_the_bot_runs_is_still_known(table):
    world, bot = table.discord.world, table.bot
    staff = world.add_channel("staff", kind=ChannelType.VOICE)
    await until(lambda: bot.get_channel(staff.id))

    hide(table, staff)
    await until(lambda: not is_seen(bot.get_channel(staff.id)))
    world.set_permissions(staff)

    await until(lambda: is_seen(bot.get_channel(staff.id)))


async def test_a_voice_channel_that_is_created_hidden_is_known(table):
    """If the bot's role in the server doesn't allow it to view channels."""
    world, bot = table.discord.world, table.bot
    number, own = world.guild.id, world.guild.members[world.bot.id].roles[0]
    for role in (world.guild.roles[number], world.guild.roles[own]):
        world.set_role_permissions(role, role.permissions & ~Permission.VIEW_CHANNEL)

    staff = world.add_channel("staff", kind=ChannelType.VOICE)

    await until(lambda: bot.get_channel(staff.id))
