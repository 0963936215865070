"""The gateway's payloads: what a connection receives, and what closes it."""

import asyncio
import zlib

import aiohttp
import pytest
import zstandard

from sandbox import Sandbox
from sandbox.guilds import Channel, ChannelType, Thread
from tests.support.gateway_wire import Wire


def zlib_stream():
    stream = zlib.decompressobj()

    def unpack(data):
        assert data.endswith(b"\x00\x00\xff\xff")
        return stream.decompress(data)

    return unpack


@pytest.mark.parametrize(
    ("compress", "unpack"),
    [
        ("", None),
        ("&compress=zlib-stream", zlib_stream()),
        ("&compress=zstd-stream", zstandard.ZstdDecompressor().decompressobj().decompress),
    ],
    ids=["plain", "zlib", "zstd"],
)
async def test_every_compression_carries_the_same_payloads(refusing, wire, compress, unpack):
    connection = await wire(f"v=10&encoding=json{compress}", unpack)

    assert (await connection.hear())["op"] == 10
    await connection.say(1, None)
    assert (await connection.hear())["op"] == 11
    await connection.identify(refusing)
    ready = await connection.hear()
    created = await connection.hear()

    assert (ready["t"], ready["s"]) == ("READY", 1)
    assert ready["d"]["resume_gateway_url"] == refusing.gateway.url
    assert (created["t"], created["s"]) == ("GUILD_CREATE", 2)
    assert [channel["name"] for channel in created["d"]["channels"]] == ["games", "lobby"]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"token": "x"}, 4004),
        ({"intents": 1 << 40}, 4013),
        ({"intents": None}, 4013),
        ({"intents": 1 << 15}, 4014),
        ({"intents": 1 << 1}, 4014),
        ({"properties": None}, 4002),
        ({"shard": [1, 1]}, 4010),
        ({"shard": [0]}, 4010),
        ({"shard": "0"}, 4010),
    ],
    ids=str,
)
async def test_a_bad_identify_closes_the_connection(refusing, wire, changes, code):
    connection = await wire()
    await connection.hear()
    await connection.identify(refusing, **changes)

    assert await connection.hear() == {"closed": code}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{", 4002),
        ("[]", 4002),
        ('{"op": 99, "d": {}}', 4001),
        ('{"op": 8, "d": {}}', 4003),
        ('{"op": 2, "d": 3}', 4002),
        (f'{{"op": 1, "d": null{" " * 4077}}}', 4002),
    ],
)
async def test_an_invalid_payload_closes_the_connection(wire, text, code):
    connection = await wire()
    await connection.hear()
    await connection._socket.send_str(text)

    assert await connection.hear() == {"closed": code}


async def test_identifying_twice_or_with_another_version_closes_the_connection(refusing, wire):
    connection = await wire()
    await connection.identify(refusing)
    await connection.identify(refusing)
    old = await wire("v=6&encoding=json")

    assert await connection.hear_until("never") == {"closed": 4005}
    assert await old.hear() == {"closed": 4012}


async def test_without_the_guilds_intent_no_events_of_servers_are_sent(refusing, wire):
    connection = await wire()
    await connection.hear()
    await connection.identify(refusing, intents=0)
    assert (await connection.hear())["t"] == "READY"

    refusing.world.add_channel("new")
    await refusing.person("Ann").say("games", "hello")
    await connection.say(1, None)

    assert (await connection.hear())["op"] == 11


def begin_thread(world):
    now, games = world.clock.now(), world.channel("games")
    thread = Channel(
        id=world.ids.next(),
        type=ChannelType.PUBLIC_THREAD,
        name="match",
        guild_id=games.guild_id,
        parent_id=games.id,
        thread=Thread(owner=world.bot.id, created_at=now, changed_at=now),
    )
    world.guild.channels[thread.id] = thread
    world.emit("thread_created", thread)
    return thread


@pytest.mark.parametrize(
    ("act", "event"),
    [
        (lambda world: world.add_channel("new"), "CHANNEL_CREATE"),
        (lambda world: world.delete_channel("games"), "CHANNEL_DELETE"),
        (lambda world: world.set_permissions("games", deny=1), "CHANNEL_UPDATE"),
        (begin_thread, "THREAD_CREATE"),
        (lambda world: world.delete_channel(begin_thread(world)), "THREAD_DELETE"),
        (lambda world: world.remove_bot(), "GUILD_DELETE"),
        (lambda world: world.add_guild("Another"), "GUILD_CREATE"),
    ],
    ids=[
        "channel",
        "no channel",
        "permissions",
        "thread",
        "no thread",
        "kicked",
        "invited",
    ],
)
async def test_events_of_the_world_are_dispatched(refusing, wire, act, event):
    connection = await wire()
    await connection.identify(refusing)
    await connection.hear_until("GUILD_CREATE")

    act(refusing.world)

    assert (await connection.hear_until(event))["t"] == event


async def test_the_event_of_a_deleted_thread_has_only_its_ids_and_type(refusing, connection):
    thread = begin_thread(refusing.world)

    refusing.world.delete_channel(thread)

    told = (await connection.hear_until("THREAD_DELETE"))["d"]
    ids = {"id": thread.id, "guild_id": thread.guild_id, "parent_id": thread.parent_id}
    assert told == {name: str(value) for name, value in ids.items()} | {"type": 11}


async def test_a_server_that_adds_the_bot_does_not_say_that_it_was_away(refusing, connection):
    """Because of that, discord.py can tell a new server from one whose outage is over."""
    refusing.world.remove_bot()
    await connection.hear_until("GUILD_DELETE")

    refusing.world.add_bot()

    joined = await connection.hear_until("GUILD_CREATE")
    assert "unavailable" not in joined["d"]
    assert joined["d"]["channels"][0]["name"] == "games"


async def test_messages_of_others_are_blank_without_the_message_content_intent(refusing, wire):
    connection = await wire()
    await connection.identify(refusing, intents=1 | 1 << 9 | 1 << 12)
    await connection.hear_until("GUILD_CREATE")
    ann = refusing.person("Ann")

    await ann.say("games", "in public")
    public = await connection.hear_until("MESSAGE_CREATE")
    await ann.say("games", f"to {refusing.world.bot.mention}")
    named = await connection.hear_until("MESSAGE_CREATE")
    await ann.say(ann.dm, "in private")
    private = await connection.hear_until("MESSAGE_CREATE")

    assert [public["d"]["content"], private["d"]["content"]] == ["", "in private"]
    assert named["d"]["content"].startswith("to")
    assert "guild_id" not in private["d"]


async def test_members_are_sent_on_request(refusing, wire):
    connection = await wire()
    await connection.identify(refusing)
    ann, guild = refusing.person("Ann"), refusing.world.guild
    ask = {"guild_id": str(guild.id), "user_ids": [ann.id, 5], "limit": 0, "nonce": "n"}

    await connection.say(8, ask)
    chunk = (await connection.hear_until("GUILD_MEMBERS_CHUNK"))["d"]

    assert [member["user"]["id"] for member in chunk["members"]] == [str(ann.id)]
    assert (chunk["not_found"], chunk["nonce"]) == (["5"], "n")


async def test_a_nonce_of_more_than_32_bytes_is_not_returned(refusing, connection):
    ask = {"guild_id": str(refusing.world.guild.id), "user_ids": [], "limit": 0}

    await connection.say(8, {**ask, "nonce": "ü" * 16})
    await connection.say(8, {**ask, "nonce": "ü" * 16 + "u"})
    chunks = [(await connection.hear_until("GUILD_MEMBERS_CHUNK"))["d"] for _ in range(2)]

    assert ["nonce" in chunk for chunk in chunks] == [True, False]


@pytest.mark.parametrize(
    ("ask", "code"),
    [
        ({"user_ids": list(range(101)), "limit": 0}, 4002),
        ({"query": "", "limit": 0}, 4014),
        ({"limit": 0}, 4002),
    ],
    ids=["101 users", "everybody", "nobody"],
)
async def test_a_bad_request_for_members_closes_the_connection(refusing, wire, ask, code):
    connection = await wire()
    await connection.identify(refusing)
    await connection.say(8, {"guild_id": str(refusing.world.guild.id), **ask})

    assert await connection.hear_until("never") == {"closed": code}


async def test_each_shard_receives_its_own_servers():
    async with (
        Sandbox(shards=2, guilds=3) as sandbox,
        aiohttp.ClientSession() as session,
    ):
        sandbox.limits.max_concurrency = 2
        told = []
        for shard in range(2):
            async with session.ws_connect(f"{sandbox.gateway.url}?v=10") as socket:
                connection = Wire(socket)
                await connection.identify(sandbox, shard=[shard, 2])
                ready = await connection.hear_until("READY")
                told.append([int(guild["id"]) for guild in ready["d"]["guilds"]])
                assert sandbox.gateway.is_ready() is False

    assert all((guild >> 22) % 2 == shard for shard in range(2) for guild in told[shard])
    assert sorted(told[0] + told[1]) == sorted(sandbox.world.guilds)
    assert told[0]
    assert told[1]


async def test_a_connection_without_heartbeats_is_closed():
    async with (
        Sandbox(heartbeat=20) as sandbox,
        aiohttp.ClientSession() as session,
        session.ws_connect(f"{sandbox.gateway.url}?v=10&encoding=json") as socket,
    ):
        connection = Wire(socket)
        await connection.hear()

        assert await connection.hear() == {"closed": 4009}


async def test_a_heartbeat_is_acknowledged_after_a_realistic_delay(refusing, wire):
    """By then, discord.py's own thread has noted when it sent it, which the latency needs."""
    connection = await wire()
    await connection.hear()
    loop = asyncio.get_running_loop()
    sent_at = loop.time()

    await connection.say(1, None)

    assert await connection.hear() == {"op": 11, "d": None}
    assert loop.time() - sent_at >= 0.1
