"""Servers in which Discord hasn't told of the bot's own member, and so not of its permissions."""

import pytest

from bot.messaging.own_member import own_member
from sandbox.permissions import Permission
from tests.support.channels import shared
from tests.support.clock import Watch
from tests.support.match_threads import begun, want_threads
from tests.support.puzzle_tables import NOON, posted, posting
from tests.support.tables import resign, seated
from tests.support.waiting import until

OF_ITS_ROLE = Permission.ATTACH_FILES | Permission.SEND_MESSAGES_IN_THREADS
"""What only the bot's role allows it."""


@pytest.fixture
async def table(discord, tmp_path):
    async with seated(discord, tmp_path, now=Watch(NOON)) as table:
        yield table


@pytest.fixture(params=["missing", "made up"])
async def forget_own_member(request, table):
    """Makes the bot's member missing, or what the library makes up when somebody clicks."""
    world = table.discord.world
    everyone = world.guild.roles[world.guild.id]
    world.set_role_permissions(everyone, everyone.permissions & ~OF_ITS_ROLE)
    guild = table.bot.get_guild(world.guild.id)
    await until(lambda: not guild.default_role.permissions.attach_files)
    assert own_member(guild) is guild.me

    async def forget():
        del guild._members[table.bot.user.id]
        if request.param == "made up":
            await table.person("Dan").slash("help", channel="lobby")
            assert guild.me is not None
        assert own_member(guild) is None

    return forget


async def test_the_puzzle_is_posted(table, forget_own_member):
    await posting(table)
    await forget_own_member()

    assert await posted(table)


async def test_a_result_is_shared_from_direct_messages(table, forget_own_member):
    public = await table.match()
    await resign(table, "Bo", public)
    await forget_own_member()

    await (await table.person("Bo").click(table.desk("Bo"), "Share")).settled()

    assert len(shared(table)) == 1


async def test_a_rematch_begins_from_direct_messages(table, forget_own_member):
    public = await table.match()
    await resign(table, "Bo", public)
    await forget_own_member()

    for name in ("Ann", "Bo"):
        await table.person(name).click(table.desk(name), "Rematch")
    await table.handled()

    assert table.sql("SELECT count(*) FROM matches") == [(2,)]


async def test_a_match_gets_its_thread(table, forget_own_member):
    await want_threads(table)
    await forget_own_member()

    _, public = await begun(table)

    assert public.channel_id != table.discord.world.channel("games").id


async def test_the_settings_warn_of_nothing(table, forget_own_member):
    """The panel opens, and calls no permission missing that the bot may have."""
    games = table.discord.world.channel("games").id
    await table.bot.services.guild_settings.set_channels(table.discord.world.guild.id, [games])
    await table.bot.services.guild_settings.post_puzzles(table.discord.world.guild.id, games)
    await forget_own_member()

    panel = (await table.person("Ann").slash("settings", channel="lobby")).message

    assert "How this server plays" in panel.text
    assert "⚠️" not in panel.text


async def test_the_settings_say_even_then_that_all_chosen_channels_are_gone(
    table, forget_own_member
):
    guild = table.discord.world.guild.id
    await table.bot.services.guild_settings.set_channels(guild, [guild + 999])
    await forget_own_member()

    panel = (await table.person("Ann").slash("settings", channel="lobby")).message

    assert "⚠️ All the chosen channels are gone" in panel.text


@pytest.mark.parametrize("forget_own_member", ["made up"], indirect=True)
async def test_roles_that_discord_tells_of_later_are_believed(table, forget_own_member):
    await forget_own_member()
    world, guild = table.discord.world, table.bot.get_guild(table.discord.world.guild.id)

    world.set_roles(world.bot, world.add_role("Games", OF_ITS_ROLE))

    await until(lambda: own_member(guild) is not None)
    assert own_member(guild).guild_permissions.attach_files
