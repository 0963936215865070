"""People who can't see the channel of a match: they can't be challenged or mentioned there.

Discord notifies nobody about a channel that they can't see.
"""

import pytest

from bot.messaging.membership import BELIEVED_FOR
from sandbox.guilds import ChannelType, Thread
from sandbox.permissions import Permission
from tests.support.channels import close_to
from tests.support.clock import HOUR
from tests.support.notices import away
from tests.support.tables import resign
from tests.support.typed_commands import typed


def refusal(*names):
    return (
        f"{' and '.join(names)} can't read this channel, so they'd never know. Challenge them in a "
        "channel they can read."
    )


async def test_nobody_can_be_challenged_in_a_channel_that_they_cannot_see(table):
    await close_to(table, "games", "Bo")
    bo = table.person("Bo")

    refused = await table.ask("Ann", "Bo")
    elsewhere = await table.ask("Ann", "Bo", channel="lobby")

    assert (refused.text, refused.ephemeral) == (refusal(bo.mention), True)
    assert table.sql("SELECT channel FROM matches") == [(elsewhere.message.channel_id,)]


async def test_the_opponents_who_cannot_see_the_channel_are_named(table):
    await close_to(table, "games", "Bo", "Cleo")

    refused = await table.ask("Ann", "Bo", "Cleo")

    assert refused.text == refusal(*(table.person(name).mention for name in ("Bo", "Cleo")))


async def test_they_cannot_be_challenged_with_the_form_of_the_context_menu(table):
    ann, bo = table.person("Ann"), table.person("Bo")
    chooser = (await ann.context_menu("Challenge", channel="games", user=bo)).message
    await close_to(table, "games", "Bo")

    refused = await ann.click(chooser, "Send")

    assert (await refused.settled()).text == refusal(bo.mention)
    assert table.sql("SELECT count(*) FROM matches") == [(0,)]


async def test_they_cannot_be_challenged_in_a_thread_of_that_channel(table):
    world = table.discord.world
    details = Thread(table.person("Ann").id, world.clock.now(), world.clock.now())
    thread = world.add_thread(
        world.channel("games"), "corner", details, kind=ChannelType.PUBLIC_THREAD
    )
    world.set_permissions("games", allow=Permission.SEND_MESSAGES_IN_THREADS)
    await close_to(table, "games", "Bo")

    refused = await table.ask("Ann", "Bo", channel=thread)

    assert refused.text == refusal(table.person("Bo").mention)


async def test_they_cannot_be_challenged_in_a_private_thread_of_that_channel(table):
    world, heard = table.discord.world, table.bot.wait_for("thread_join", timeout=30)
    details = Thread(table.person("Ann").id, world.clock.now(), world.clock.now())
    details.members = {table.person("Ann").id: world.clock.now()}
    secret = world.add_thread(
        world.channel("games"), "secret", details, kind=ChannelType.PRIVATE_THREAD
    )
    world.add_to_thread(secret, world.bot)
    await heard
    await close_to(table, "games", "Bo")

    refused = await table.ask("Ann", "Bo", channel=secret)

    assert refused.text == refusal(table.person("Bo").mention)


async def test_in_a_private_thread_a_challenge_adds_the_opponents_it_mentions(table):
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


async def test_they_cannot_be_challenged_in_the_chat_of_a_voice_channel_they_cannot_join(table):
    heard = table.bot.wait_for("guild_channel_create", timeout=30)
    lounge = table.discord.world.add_channel("lounge", kind=ChannelType.VOICE)
    await heard
    await close_to(table, lounge, "Bo", permission=Permission.CONNECT)

    refused = await table.ask("Ann", "Bo", channel=lounge)

    assert refused.text == refusal(table.person("Bo").mention)


async def test_the_owner_of_a_server_can_see_every_channel(table):
    await close_to(table, "games", "Ann")

    asked = await table.ask("Bo", "Ann")

    assert f"challenges {table.person('Ann').mention}" in asked.text


def told(table, name):
    """The mentions of somebody in the channel, and the notices in their direct messages."""
    address, mark = f"{table.person(name).mention}: ", "`/notify` sets"
    every = [m for m in table.person("Ann").see("games") if mark in typed(m.text)]
    mentions = [m for m in every if address in m.text]
    letters = [m for m in table.letters(name) if mark in typed(m.text) and not m.deleted]
    return mentions, letters


async def test_a_turn_is_told_by_direct_message_to_a_player_who_can_no_longer_see_the_channel(
    table,
):
    bo = table.person("Bo")
    await table.bot.services.notice_settings.choose(bo.id, "turn", "channel")
    await table.match(pace="slow")
    await close_to(table, "games", "Bo")
    await table.play("Ann")

    await away(table)
    mentions, (letter,) = told(table, "Bo")
    hand = (await (await bo.click(letter, "My hand")).settled()).message
    await table.pick("Bo", hand)
    await table.told()

    assert mentions == []
    assert letter.text.startswith("👉 It's your turn in **Pico")
    assert letter.deleted


async def test_with_closed_direct_messages_too_they_are_not_notified_at_all(table):
    table.person("Bo").closed = True
    public = await table.match(pace="slow")
    await away(table)
    await close_to(table, "games", "Bo")
    await away(table, BELIEVED_FOR.total_seconds() + 1)

    await resign(table, "Ann", public)
    await away(table)

    assert told(table, "Bo") == ([], [])
    assert table.sql("SELECT event FROM notices") == []


async def test_a_player_who_sees_the_channel_is_mentioned_even_if_others_do_not(table):
    table.person("Bo").closed = True
    public = await table.match(pace="slow")
    await away(table)
    await close_to(table, "games", "Cleo")
    await away(table, BELIEVED_FOR.total_seconds() + 1)

    await resign(table, "Ann", public)
    await away(table)

    (mention,), letters = told(table, "Bo")
    assert mention.text.startswith("🏁")
    assert letters == []


@pytest.mark.parametrize("sees", [True, False], ids=["sees", "sees it no more"])
async def test_a_follower_is_told_of_the_end_only_if_they_can_see_the_channel(table, sees):
    dan = table.person("Dan")
    public = await table.match(pace="slow")
    menu = (await dan.click(public, "Menu")).message
    await dan.click(menu, "Follow")
    await table.bot.services.notice_settings.choose(dan.id, "watched", "channel")
    table.pass_time(HOUR)
    if not sees:
        await close_to(table, "games", "Dan")

    await resign(table, "Ann", public)
    await away(table)

    mentions, letters = told(table, "Dan")
    assert (len(mentions), letters) == (int(sees), [])


async def test_one_request_says_who_is_in_the_server_and_who_can_read_a_channel(table, monkeypatch):
    world, membership = table.discord.world, table.bot.services.leaderboards._members
    await close_to(table, "games", "Bo")
    world.remove_member(table.person("Cleo").user)
    people = [table.person(name).id for name in ("Ann", "Bo", "Cleo")]
    games, guild = world.channel("games").id, table.bot.get_guild(world.guild.id)
    asked = []
    query = type(guild).query_members

    async def counted(self, **options):
        asked.append(options["user_ids"])
        return await query(self, **options)

    monkeypatch.setattr(type(guild), "query_members", counted)
    unreached = await membership.gone(guild.id, people, channel=games)
    gone = await membership.gone(guild.id, people)

    assert (unreached, gone) == ({*people[1:]}, {people[2]})
    assert len(asked) == 1
