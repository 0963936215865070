"""What INTERACTION_CREATE says about its channel, and about permissions in it."""

import pytest

from sandbox.guilds import ChannelType, Thread
from sandbox.permissions import Overwrite, Permission

IN_PRIVATE = Permission.ATTACH_FILES | Permission.EMBED_LINKS | Permission.MENTION_EVERYONE

OF_PARTIAL_CHANNELS = {
    "id",
    "name",
    "type",
    "permissions",
    "last_message_id",
    "last_pin_timestamp",
    "nsfw",
    "parent_id",
    "guild_id",
    "flags",
    "rate_limit_per_user",
    "topic",
    "position",
}


@pytest.fixture
async def heard(refusing, rest):
    """The payloads of all interactions; no bot answers them."""
    where = {"type": 7, "name": "where", "description": "x"}
    who = {"type": 6, "name": "who", "description": "x"}
    command = {
        "name": "act",
        "description": "x",
        "options": [where, who],
        "contexts": [0, 1, 2],
        "integration_types": [0, 1],
    }
    assert (await rest("PUT", f"{rest.application}/commands", [command])).status == 200
    payloads = []

    def deliver(_, payload):
        payloads.append(payload)
        refusing.interactions.fail(payload["token"])

    refusing.interactions.deliver = deliver
    return payloads


async def test_in_direct_messages_app_permissions_do_not_include_sending(refusing, heard):
    """As Discord's documents say; the bot can write there anyway."""
    ann = refusing.person("Ann")

    await ann.slash("act", channel=ann.dm)

    (payload,) = heard
    assert int(payload["app_permissions"]) == IN_PRIVATE | Permission.USE_EXTERNAL_EMOJIS


async def test_in_a_group_dm_app_permissions_include_files_and_links(refusing, heard):
    ann = refusing.person("Ann")
    refusing.world.install_for(ann.user)
    group = refusing.world.add_channel_without_bot(ann.user, refusing.person("Bo").user)

    await ann.slash("act", channel=group)

    (payload,) = heard
    assert int(payload["app_permissions"]) == IN_PRIVATE


async def test_the_channel_of_an_interaction_has_no_overwrites(refusing, heard):
    refusing.world.set_permissions("games", allow=Permission.MANAGE_MESSAGES)

    await refusing.person("Ann").slash("act", channel="games")

    (payload,) = heard
    assert set(payload["channel"]) == OF_PARTIAL_CHANNELS


async def test_the_channel_has_its_name_even_if_the_bot_cannot_view_it(refusing, heard):
    refusing.world.set_permissions("games", deny=Permission.VIEW_CHANNEL)

    await refusing.person("Ann").slash("act", channel="games")

    (payload,) = heard
    assert (payload["channel"]["name"], payload["channel"]["flags"]) == ("games", 0)


async def test_a_chosen_channel_has_the_permissions_of_the_user_and_of_the_bot(refusing, heard):
    world, bo = refusing.world, refusing.person("Bo")
    forum = world.add_channel("posts", kind=ChannelType.FORUM)
    world.set_permissions(forum, deny=Permission.SEND_MESSAGES)

    await bo.slash("act", channel="games", where=forum)

    (payload,) = heard
    (chosen,) = payload["data"]["resolved"]["channels"].values()
    assert set(chosen) == OF_PARTIAL_CHANNELS | {"app_permissions"}
    assert int(chosen["permissions"]) == world.permissions(bo.id, forum)
    assert int(chosen["app_permissions"]) == world.permissions(world.bot.id, forum)


async def test_a_chosen_member_has_their_permissions_in_the_channel_of_the_command(refusing, heard):
    world, bo = refusing.world, refusing.person("Bo")
    private = world.add_channel("private")
    private.overwrites.append(Overwrite(id=bo.id, type=1, deny=int(Permission.VIEW_CHANNEL)))

    for channel in ("games", private):
        await refusing.person("Ann").slash("act", channel=channel, who=bo)

    told = [payload["data"]["resolved"]["members"][str(bo.id)] for payload in heard]
    assert [int(member["permissions"]) for member in told] == [
        world.permissions(bo.id, world.channel("games")),
        0,
    ]


async def test_in_a_private_thread_without_the_bot_app_permissions_are_those_of_its_parent(
    refusing, bench
):
    world = refusing.world
    now, games = world.clock.now(), world.channel("games")
    details = Thread(owner=bench.ann.id, created_at=now, changed_at=now)
    details.members = {bench.ann.id: now}
    thread = world.add_thread(games, "secret", details, kind=ChannelType.PRIVATE_THREAD)

    payload = refusing.interactions.payload(bench.begin(channel=thread))

    assert int(payload["app_permissions"]) == world.permissions(world.bot.id, games)
    assert not world.permissions(world.bot.id, thread)
