"""Changed roles change what the bot can do: it goes by its present permissions."""

import asyncio
from datetime import timedelta

import pytest

from sandbox.permissions import BOT_PERMISSIONS, Permission
from tests.support.match_threads import begun, want_threads
from tests.support.tables import labels
from tests.support.waiting import until

PAUSED = "**Paused**"


@pytest.fixture
def role(table):
    """The bot's role, which is all that gives it permissions."""
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
    """A role with all permissions for everybody else."""
    role = world.guild.roles[world.guild.id + 1]
    role.permissions |= BOT_PERMISSIONS | Permission.USE_APPLICATION_COMMANDS
    return role


async def allow(table, role, permissions):
    """Edit the bot's role, and wait until it knows."""
    heard = table.bot.wait_for("guild_role_update", timeout=30)
    table.discord.world.set_role_permissions(role, permissions)
    await heard


async def wear(table, *roles):
    """Make these the bot's only roles, and wait until it knows."""
    heard = table.bot.wait_for("member_update", timeout=30)
    table.discord.world.set_roles(table.discord.world.bot, *roles)
    await heard


async def test_a_match_continues_in_hands_if_the_role_no_longer_lets_the_bot_post(
    table, role, expired_tokens
):
    await table.match()
    await allow(table, role, BOT_PERMISSIONS & ~Permission.SEND_MESSAGES)

    await table.trick("Ann", "Bo")
    refused = await table.ask("Ann", "Cleo")
    await allow(table, role, BOT_PERMISSIONS)
    again = await table.ask("Ann", "Cleo")

    assert "I need Send Messages here" in refused.text
    assert "Accept" in labels(again.message)


async def test_a_match_whose_channel_a_role_hides_from_the_bot_is_paused_and_can_be_resumed(
    table, role, expired_tokens
):
    others = people(table.discord.world)
    table.discord.world.set_role_permissions(others, others.permissions)  # so the bot hears of them
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


@pytest.mark.parametrize("way", ["worn", "allowed"])
async def test_a_table_says_paused_once_a_role_shows_its_channel_to_the_bot(
    table, role, expired_tokens, way
):
    await table.bot.wait_until_ready()  # it compares all tables then
    public = await table.match()
    if way == "worn":
        await wear(table)
    else:
        await allow(table, role, BOT_PERMISSIONS & ~Permission.VIEW_CHANNEL)
    await table.play("Ann")
    await table.quiet_now()
    assert PAUSED in table.desk("Bo").text
    assert PAUSED not in public.text

    if way == "worn":
        await wear(table, role)
    else:
        await allow(table, role, BOT_PERMISSIONS)

    await table.discord.until(lambda: PAUSED in public.text)


async def keep_out(table, role, permission):
    """Give the bot a role that denies it something in #games; a function that deletes the role."""
    world = table.discord.world
    denying = world.add_role("Muted bots")
    heard = table.bot.wait_for("guild_channel_update", timeout=30)
    await wear(table, role, denying)
    world.set_permissions("games", deny=permission, role=denying)
    await heard
    return lambda: world.delete_role(denying)


async def test_a_table_says_paused_once_the_role_that_hid_its_channel_is_deleted(
    table, role, expired_tokens
):
    public = await table.match()
    let_in = await keep_out(table, role, Permission.VIEW_CHANNEL)
    await table.play("Ann")
    await table.quiet_now()
    assert PAUSED in table.desk("Bo").text
    assert PAUSED not in public.text

    let_in()

    await table.discord.until(lambda: PAUSED in public.text)


async def test_the_bot_goes_by_its_permissions_without_a_deleted_role(table, role, expired_tokens):
    """A click in direct messages doesn't say what the bot can do in the channel of the match."""
    public = await table.match()
    await table.finish(public, "Ann", "Bo")
    let_in = await keep_out(table, role, Permission.EMBED_LINKS)
    refused = await table.person("Ann").click(table.desk("Ann"), "Rematch")
    heard = table.bot.wait_for("guild_role_delete", timeout=30)
    let_in()
    await heard

    asked = await table.person("Ann").click(table.desk("Ann"), "Rematch")

    assert "I need Embed Links there" in refused.text
    assert "I need" not in asked.text


async def test_deleting_a_role_that_only_allowed_something_starts_no_retries(
    table, role, monkeypatch
):
    tried = []
    monkeypatch.setattr(table.bot.services.live, "try_refused", tried.append)
    world = table.discord.world
    moderators = world.add_role("Moderators", Permission.MANAGE_THREADS)
    await wear(table, role, moderators)
    await until(lambda: tried == [world.guild.id])  # more roles may allow more
    tried.clear()
    heard = table.bot.wait_for("guild_role_delete", timeout=30)

    world.delete_role(moderators)
    await heard
    await until(lambda: not any("_delete" in task.get_name() for task in asyncio.all_tasks()))

    assert tried == []


def standing(table):
    """The tables in the channel."""
    return [m for m in table.person("Ann").see("games") if "Pico ·" in m.text]


async def silence(table, role, how):
    """Keep the bot from posting; returns a function that lets it post again."""
    world = table.discord.world
    if how == "role":
        await allow(table, role, BOT_PERMISSIONS & ~Permission.SEND_MESSAGES)
        return lambda: world.set_role_permissions(role, BOT_PERMISSIONS)
    if how == "deleted role":
        return await keep_out(table, role, Permission.SEND_MESSAGES)
    heard = "guild_channel_update" if how == "channel" else "member_update"
    done = table.bot.wait_for(heard, timeout=30)
    if how == "channel":
        world.set_permissions("games", deny=Permission.SEND_MESSAGES)
        await done
        return lambda: world.set_permissions("games")
    world.time_out(world.bot, timedelta(days=1))
    await done
    return lambda: world.time_out(world.bot, None)


@pytest.mark.parametrize("how", ["role", "deleted role", "channel", "timeout"])
async def test_a_table_that_could_not_be_posted_is_posted_once_the_bot_can_post(
    table, role, expired_tokens, monkeypatch, how
):
    """The timer would try it again too, but only after up to half an hour."""
    monkeypatch.setattr("bot.live.bar.PAUSES", (1800.0,))
    public = await table.match()
    await table.quiet_now()
    allow_again = await silence(table, role, how)
    table.discord.world.delete_message(public)
    await table.trick("Ann", "Bo")
    await table.quiet_now()
    assert standing(table) == []

    allow_again()

    await table.discord.until(lambda: standing(table))


async def test_taking_permissions_from_the_bot_starts_no_retries(
    table, role, expired_tokens, monkeypatch
):
    """Discord bans clients that keep requesting what it refuses."""
    tried = []
    monkeypatch.setattr(table.bot.services.live, "try_refused", tried.append)
    public = await table.match()
    await table.quiet_now()
    await allow(table, role, BOT_PERMISSIONS & ~Permission.SEND_MESSAGES)
    table.discord.world.delete_message(public)
    await table.trick("Ann", "Bo")
    await table.quiet_now()

    await allow(
        table, role, BOT_PERMISSIONS & ~(Permission.SEND_MESSAGES | Permission.ATTACH_FILES)
    )
    heard = table.bot.wait_for("guild_channel_update", timeout=30)
    table.discord.world.set_permissions("games", deny=Permission.EMBED_LINKS)
    await heard
    # The bot's own listeners run in tasks, which the library names after the events.
    await until(lambda: not any("_update" in task.get_name() for task in asyncio.all_tasks()))
    assert tried == []

    await allow(table, role, BOT_PERMISSIONS)
    await until(lambda: tried == [table.discord.world.guild.id])


async def test_sharing_a_result_goes_by_what_the_role_allows_now(table, role):
    await table.finish(await table.match(), "Ann", "Bo")
    await allow(table, role, BOT_PERMISSIONS & ~Permission.ATTACH_FILES)

    refused = await table.person("Ann").click(table.desk("Ann"), "Share")
    await allow(table, role, BOT_PERMISSIONS)
    shared = await table.person("Ann").click(table.desk("Ann"), "Share")

    assert "I need Attach Files there" in (await refused.settled()).text
    assert "Attach Files" not in (await shared.settled()).text


async def test_threads_of_a_channel_are_known_once_the_bot_can_see_it(table, role):
    """`/watch` lists no match in a thread if the bot doesn't know who can see the thread."""
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
