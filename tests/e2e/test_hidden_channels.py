"""Channels that the bot can't view any more: it is not told their names, nor who may do what there.

Everybody else sees them as before.
"""

import pytest

from bot.messaging.permissions import is_seen
from sandbox.guilds import ChannelType
from sandbox.permissions import Permission
from tests.e2e.test_lost_channels import hide
from tests.support.waiting import until


@pytest.mark.parametrize("kind", [ChannelType.VOICE, ChannelType.STAGE, ChannelType.FORUM])
async def test_a_server_is_known_whole_whatever_is_hidden_in_it(table, kind):
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


async def test_a_voice_channel_that_is_hidden_while_the_bot_runs_is_known_still(table):
    world, bot = table.discord.world, table.bot
    staff = world.add_channel("staff", kind=ChannelType.VOICE)
    await until(lambda: bot.get_channel(staff.id))

    hide(table, staff)
    await until(lambda: not is_seen(bot.get_channel(staff.id)))
    world.set_permissions(staff)

    await until(lambda: is_seen(bot.get_channel(staff.id)))


async def test_so_is_one_that_comes_hidden(table):
    """Where the bot's role in the whole server does not let it view channels."""
    world, bot = table.discord.world, table.bot
    number, own = world.guild.id, world.guild.members[world.bot.id].roles[0]
    for role in (world.guild.roles[number], world.guild.roles[own]):
        world.set_role_permissions(role, role.permissions & ~Permission.VIEW_CHANNEL)

    staff = world.add_channel("staff", kind=ChannelType.VOICE)

    await until(lambda: bot.get_channel(staff.id))
