"""Channels that the bot can't view: the gateway says that they exist, and little else."""

import pytest

from sandbox.guilds import OBFUSCATED, ChannelType
from sandbox.permissions import BOT_PERMISSIONS, EVERYONE_PERMISSIONS, Permission

SEEING = Permission.VIEW_CHANNEL


@pytest.fixture
def world(refusing):
    return refusing.world


def is_obfuscated(told):
    return bool(told["flags"] & OBFUSCATED)


def updates(events):
    return [(e["d"]["id"], is_obfuscated(e["d"])) for e in events if e["t"] == "CHANNEL_UPDATE"]


async def test_guild_create_has_hidden_channels_without_name_and_overwrites(world, connect):
    world.set_permissions("games", deny=SEEING, allow=Permission.SEND_MESSAGES)

    connection = await connect()
    server = (await connection.hear_until("GUILD_CREATE"))["d"]

    told = {int(channel["id"]): channel for channel in server["channels"]}
    games, lobby = world.channel("games"), world.channel("lobby")
    assert told[lobby.id] == lobby.wire()
    assert told[games.id] == {
        **games.wire(),
        "name": "___hidden___",
        "flags": OBFUSCATED,
        "last_message_id": None,
        "permission_overwrites": [
            {"id": str(world.guild.id), "type": 0, "allow": "0", "deny": str(int(SEEING))}
        ],
        "rtc_region": None,
        "available_tags": [],
    }


@pytest.mark.parametrize("kind", [ChannelType.VOICE, ChannelType.STAGE])
async def test_a_hidden_voice_channel_has_no_voice_settings(world, connect, kind):
    lounge = world.add_channel("lounge", kind=kind)
    world.set_permissions(lounge, deny=SEEING)

    server = (await (await connect()).hear_until("GUILD_CREATE"))["d"]

    told = next(channel for channel in server["channels"] if channel["id"] == str(lounge.id))
    assert not {"bitrate", "user_limit", "video_quality_mode"} & set(told)


async def test_an_overwrite_that_hides_or_shows_a_channel_sends_one_update(world, connection):
    games = str(world.channel("games").id)
    world.set_permissions("games", deny=SEEING)
    world.set_permissions("games", deny=SEEING, allow=Permission.SEND_MESSAGES)
    world.set_permissions("games")
    world.add_channel("last")

    told = [await connection.hear() for _ in range(5)]

    assert updates(told) == [(games, True), (games, True), (games, False)]
    assert [event["t"] for event in told[3:]] == ["THREAD_LIST_SYNC", "CHANNEL_CREATE"]


async def test_a_role_that_hides_or_shows_channels_sends_their_updates(world, connection):
    (role,) = (world.guild.roles[number] for number in world.guild.members[world.bot.id].roles)
    everyone = world.guild.roles[world.guild.id]
    world.set_role_permissions(everyone, EVERYONE_PERMISSIONS & ~SEEING)
    world.set_role_permissions(role, BOT_PERMISSIONS & ~SEEING)
    world.set_role_permissions(role, BOT_PERMISSIONS)
    world.set_roles(world.bot)
    number = len(list(world.guild.text_channels()))

    told = [await connection.hear() for _ in range(5 + 3 * number)]

    names = [event["t"] for event in told]
    changes = ["CHANNEL_UPDATE"] * number
    assert names == [
        *["GUILD_ROLE_UPDATE", "GUILD_ROLE_UPDATE"],
        *changes,
        *["GUILD_ROLE_UPDATE", *changes, "THREAD_LIST_SYNC"],
        *["GUILD_MEMBER_UPDATE", *changes],
    ]
    assert [hidden for _, hidden in updates(told)] == (
        [True] * number + [False] * number + [True] * number
    )


async def test_events_of_new_and_deleted_hidden_channels_are_obfuscated_too(world, connection):
    everyone = world.guild.roles[world.guild.id]
    (role,) = (world.guild.roles[number] for number in world.guild.members[world.bot.id].roles)
    world.set_role_permissions(everyone, EVERYONE_PERMISSIONS & ~SEEING)
    world.set_role_permissions(role, BOT_PERMISSIONS & ~SEEING)
    secret = world.add_channel("secret")
    world.delete_channel(secret)

    created = await connection.hear_until("CHANNEL_CREATE")
    deleted = await connection.hear_until("CHANNEL_DELETE")

    assert [e["d"]["id"] for e in (created, deleted)] == [str(secret.id)] * 2
    assert is_obfuscated(created["d"])
    assert is_obfuscated(deleted["d"])


async def test_requests_do_not_return_hidden_channels(world, rest):
    world.set_permissions("games", deny=SEEING)

    listed = await rest("GET", f"/guilds/{world.guild.id}/channels")
    asked = await rest("GET", f"/channels/{world.channel('games').id}")

    assert str(world.channel("games").id) not in {channel["id"] for channel in listed.body}
    assert (asked.status, asked.body["code"]) == (403, 50001)
