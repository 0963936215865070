"""People who can't see the channel of a match: nobody is challenged there.

Discord notifies nobody of what they can't see.
"""

from sandbox.guilds import ChannelType, Thread
from sandbox.permissions import Overwrite, Permission


async def close_to(table, channel, *names, permission=Permission.VIEW_CHANNEL):
    """Hide a channel from people, and return once the bot knows of it."""
    world, heard = table.discord.world, table.bot.wait_for("guild_channel_update", timeout=30)
    found = world.channel(channel)
    denied = [Overwrite(table.person(name).id, 1, deny=int(permission)) for name in names]
    found.overwrites = [*found.overwrites, *denied]
    world.emit("channel_updated", found)
    await heard


def refusal(*names):
    return (
        f"{' and '.join(names)} can't see this channel, so they'd never know. Challenge them in a "
        "channel they can see."
    )


async def test_nobody_is_challenged_in_a_channel_that_they_cannot_see(table):
    await close_to(table, "games", "Bo")
    bo = table.person("Bo")

    refused = await table.ask("Ann", "Bo")
    elsewhere = await table.ask("Ann", "Bo", channel="lobby")

    assert (refused.text, refused.ephemeral) == (refusal(bo.mention), True)
    assert table.sql("SELECT channel FROM matches") == [(elsewhere.message.channel_id,)]


async def test_of_several_those_are_named_who_cannot_see_it(table):
    await close_to(table, "games", "Bo", "Cleo")

    refused = await table.ask("Ann", "Bo", "Cleo")

    assert refused.text == refusal(*(table.person(name).mention for name in ("Bo", "Cleo")))


async def test_nor_by_the_form_of_a_right_click(table):
    ann, bo = table.person("Ann"), table.person("Bo")
    chooser = (await ann.context_menu("Challenge", channel="games", user=bo)).message
    await close_to(table, "games", "Bo")

    refused = await ann.click(chooser, "Send")

    assert (await refused.settled()).text == refusal(bo.mention)
    assert table.sql("SELECT count(*) FROM matches") == [(0,)]


async def test_nor_in_a_thread_below_such_a_channel(table):
    world = table.discord.world
    details = Thread(table.person("Ann").id, world.clock.now(), world.clock.now())
    thread = world.add_thread(
        world.channel("games"), "corner", details, kind=ChannelType.PUBLIC_THREAD
    )
    world.set_permissions("games", allow=Permission.SEND_MESSAGES_IN_THREADS)
    await close_to(table, "games", "Bo")

    refused = await table.ask("Ann", "Bo", channel=thread)

    assert refused.text == refusal(table.person("Bo").mention)


async def test_in_a_private_thread_the_challenge_adds_whom_it_names(table):
    world, heard = table.discord.world, table.bot.wait_for("thread_join", timeout=30)
    details = Thread(table.person("Ann").id, world.clock.now(), world.clock.now())
    details.members = {table.person("Ann").id: world.clock.now()}
    thread = world.add_thread(
        world.channel("games"), "secret", details, kind=ChannelType.PRIVATE_THREAD
    )
    world.add_to_thread(thread, world.bot)
    await heard

    asked = await table.ask("Ann", "Bo", channel=thread)

    assert f"challenges {table.person('Bo').mention}" in asked.text


async def test_nor_in_the_chat_of_a_voice_channel_that_they_may_not_enter(table):
    heard = table.bot.wait_for("guild_channel_create", timeout=30)
    lounge = table.discord.world.add_channel("lounge", kind=ChannelType.VOICE)
    await heard
    await close_to(table, lounge, "Bo", permission=Permission.CONNECT)

    refused = await table.ask("Ann", "Bo", channel=lounge)

    assert refused.text == refusal(table.person("Bo").mention)


async def test_the_owner_of_a_server_sees_every_channel(table):
    await close_to(table, "games", "Ann")

    asked = await table.ask("Bo", "Ann")

    assert f"challenges {table.person('Ann').mention}" in asked.text
