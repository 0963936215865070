"""What the bot may do is changed by roles: it goes by what its roles allow now."""

import pytest

from sandbox.permissions import BOT_PERMISSIONS, Permission
from tests.support.match_threads import begun, want_threads
from tests.support.tables import labels

PAUSED = "**Paused**"


@pytest.fixture
def role(table):
    """The bot's role, which alone lets it do anything."""
    world = table.discord.world
    world.set_role_permissions(
        world.guild.roles[world.guild.id], Permission.USE_APPLICATION_COMMANDS
    )
    for member in world.guild.members.values():
        if not member.user.bot:
            world.set_roles(member.user, people(world))
    (own,) = world.guild.members[world.bot.id].roles
    return world.guild.roles[own]


def people(world):
    """The role of all others."""
    role = world.guild.roles[world.guild.id + 1]
    role.permissions |= BOT_PERMISSIONS | Permission.USE_APPLICATION_COMMANDS
    return role


async def allow(table, role, permissions):
    """Edit the bot's role, and return once it knows."""
    heard = table.bot.wait_for("guild_role_update", timeout=30)
    table.discord.world.set_role_permissions(role, permissions)
    await heard


async def wear(table, *roles):
    """Give these roles to the bot and take others away, and return once it knows."""
    heard = table.bot.wait_for("member_update", timeout=30)
    table.discord.world.set_roles(table.discord.world.bot, *roles)
    await heard


async def test_a_match_goes_on_by_hands_where_the_role_lets_the_bot_post_no_more(
    table, role, expired
):
    await table.match()
    await allow(table, role, BOT_PERMISSIONS & ~Permission.SEND_MESSAGES)

    await table.trick("Ann", "Bo")
    refused = await table.ask("Ann", "Cleo")
    await allow(table, role, BOT_PERMISSIONS)
    again = await table.ask("Ann", "Cleo")

    assert "I need Send Messages here" in refused.text
    assert "Accept" in labels(again.message)


async def test_a_match_whose_channel_a_role_hides_from_the_bot_is_paused_and_resumed(
    table, role, expired
):
    public = await table.match()
    await wear(table)

    await table.play("Ann")
    await table.quiet_now()
    assert PAUSED in table.desk("Bo").text
    await wear(table, role)
    answer = await table.person("Ann").slash(
        "resume", channel="games", match=table.match_of(public)
    )
    await table.discord.until(lambda: table.cards(table.desk("Bo")))

    await table.finish(answer.message, "Ann", "Bo")


async def test_a_result_is_shared_by_what_the_role_allows_now(table, role):
    await table.finish(await table.match(), "Ann", "Bo")
    await allow(table, role, BOT_PERMISSIONS & ~Permission.ATTACH_FILES)

    refused = await table.person("Ann").click(table.desk("Ann"), "Share")
    await allow(table, role, BOT_PERMISSIONS)
    shared = await table.person("Ann").click(table.desk("Ann"), "Share")

    assert "I need Attach Files there" in (await refused.settled()).text
    assert "Attach Files" not in (await shared.settled()).text


async def test_threads_of_a_channel_are_known_once_the_bot_may_see_it(table, role):
    """`/watch` names no match in a thread of which the bot does not know who sees it."""
    await want_threads(table)
    _, public = await begun(table)
    await table.stop()
    world = table.discord.world
    world.set_roles(world.bot)
    await table.start()
    await table.bot.wait_until_ready()
    heard = table.bot.wait_for("thread_join", timeout=30)

    world.set_roles(world.bot, role)
    await heard

    shown = (await table.person("Dan").slash("watch", channel="games")).message
    assert f"/{public.channel_id}/{public.id})" in shown.text
