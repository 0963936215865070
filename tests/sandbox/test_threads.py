"""Threads: who can begin, write in, edit and lock them, and when they are archived."""

from datetime import timedelta

import pytest

from sandbox import ImpossibleError
from sandbox.guilds import ChannelType, Thread
from sandbox.interactions import InteractionType
from sandbox.permissions import Permission

THREADS = (
    Permission.CREATE_PUBLIC_THREADS
    | Permission.CREATE_PRIVATE_THREADS
    | Permission.SEND_MESSAGES_IN_THREADS
)


@pytest.fixture
def games(refusing):
    channel = refusing.world.channel("games")
    refusing.world.set_permissions(channel, allow=THREADS)
    return channel


async def begin(rest, **fields):
    return await rest("POST", f"{rest.games}/threads", {"name": "match", "type": 11, **fields})


async def test_a_thread_needs_its_own_permissions(refusing, rest):
    refusing.world.set_permissions("games", deny=THREADS)
    refused = await begin(rest)
    refusing.world.set_permissions("games", deny=Permission.SEND_MESSAGES_IN_THREADS)
    begun, private = await begin(rest), await begin(rest, type=12)
    mute = await rest("POST", f"/channels/{begun.body['id']}/messages", {"content": "x"})

    assert (refused.status, refused.code) == (private.status, private.code) == (403, 50013)
    assert (begun.status, begun.body["type"]) == (201, 11)
    assert (mute.status, mute.code) == (403, 50013)


@pytest.mark.parametrize(
    ("denied", "status"),
    [(Permission.SEND_MESSAGES, 200), (Permission.SEND_MESSAGES_IN_THREADS, 403)],
    ids=["in the channel", "in threads"],
)
async def test_in_a_thread_sending_in_threads_counts_instead_of_sending(
    refusing, rest, games, denied, status
):
    """As discord.py computes permissions too, for a picture in a thread."""
    begun = await begin(rest)
    refusing.world.set_permissions(games, allow=THREADS & ~denied, deny=denied)

    path = f"/channels/{begun.body['id']}/messages"
    sent = await rest("POST", path, {"content": "x"}, files={"a.txt": b"x"})

    shown = Permission.ATTACH_FILES | Permission.EMBED_LINKS
    thread = refusing.world.channel(int(begun.body["id"]))
    assert sent.status == status
    assert refusing.world.can(refusing.world.bot.id, thread, shown) is (status == 200)


async def test_a_message_can_have_only_one_thread(rest, games):
    sent = await rest("POST", f"{rest.games}/messages", {"content": "x"})
    path = f"{rest.games}/messages/{sent.body['id']}/threads"

    begun = await rest("POST", path, {"name": "match"})
    again = await rest("POST", path, {"name": "match"})

    assert begun.body["id"] == sent.body["id"]
    assert begun.body["parent_id"] == str(games.id)
    assert (again.status, again.code) == (400, 160004)


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"name": ""}, "name BASE_TYPE_REQUIRED"),
        ({"name": "x" * 101}, "name BASE_TYPE_BAD_LENGTH"),
        ({"auto_archive_duration": 5}, "auto_archive_duration BASE_TYPE_CHOICES"),
        ({"type": 0}, "type BASE_TYPE_CHOICES"),
    ],
)
async def test_an_invalid_thread_is_refused(rest, games, fields, problem):
    assert (await begin(rest, **fields)).problems == {problem}


async def test_only_its_members_see_a_private_thread(refusing, rest, games):
    begun = await begin(rest, type=12)
    thread = refusing.world.channel(int(begun.body["id"]))
    ann, bo = refusing.person("Ann"), refusing.person("Bo")
    await rest("PUT", f"/channels/{thread.id}/thread-members/{bo.id}")

    assert thread in bo.channels
    listed = await rest("GET", f"/channels/{thread.id}/thread-members")
    assert {m["user_id"] for m in listed.body} == {str(bo.id), str(refusing.world.bot.id)}
    one = await rest("GET", f"/channels/{thread.id}/thread-members/{bo.id}")
    assert one.body in listed.body
    await rest("DELETE", f"/channels/{thread.id}/thread-members/{bo.id}")
    gone = await rest("GET", f"/channels/{thread.id}/thread-members/{bo.id}")
    assert (gone.status, gone.code) == (404, 10007)
    assert thread not in bo.channels
    assert thread in ann.channels  # the owner of the server sees everything


async def test_deleting_a_channel_deletes_its_threads(refusing, rest, games):
    thread = (await begin(rest)).body["id"]

    refusing.world.delete_channel(games)

    assert (await rest("GET", f"/channels/{thread}")).code == 10003


async def test_a_locked_thread_refuses_messages_and_edits(refusing, rest, games):
    thread = f"/channels/{(await begin(rest)).body['id']}"
    sent = await rest("POST", f"{thread}/messages", {"content": "x"})
    path = f"{thread}/messages/{sent.body['id']}"
    alone = await rest("PATCH", thread, {"locked": True})
    refusing.world.set_permissions(games, allow=THREADS | Permission.MANAGE_THREADS)
    locked = await rest("PATCH", thread, {"locked": True})
    assert (await rest("PATCH", path, {"content": "by who may"})).status == 200
    refusing.world.set_permissions(games, allow=THREADS)

    replies = [
        await rest("POST", f"{thread}/messages", {"content": "x"}),
        await rest("PATCH", path, {"content": "y"}),
        await rest("PATCH", thread, {"name": "other"}),
    ]
    deleted = await rest("DELETE", path)

    assert (alone.status, alone.code, locked.status) == (403, 50013, 200)
    assert [(reply.status, reply.code) for reply in replies] == [(400, 160005)] * 3
    assert deleted.status == 204


@pytest.mark.parametrize("archived", [False, True], ids=["active", "archived"])
async def test_only_people_who_manage_threads_can_write_in_a_locked_thread(
    refusing, rest, games, archived
):
    thread = refusing.world.channel(int((await begin(rest)).body["id"]))
    thread.thread.locked = True
    if archived:
        refusing.world.archive_thread(thread, locked=True)

    with pytest.raises(ImpossibleError, match="#match is locked"):
        await refusing.person("Bo").say(thread, "x")
    still = thread.thread.archived
    await refusing.person("Ann").say(thread, "x")  # the owner of the server

    assert still is archived
    assert not thread.thread.archived
    assert [message.author.name for message in refusing.world.history[thread.id]] == ["Ann"]


async def test_a_thread_is_archived_after_a_time_without_messages_and_edits_do_not_count(
    refusing, rest
):
    refusing.world.set_permissions("games", allow=THREADS)
    refusing.clock.freeze()
    begun = await begin(rest, auto_archive_duration=60)
    thread, where = refusing.world.channel(int(begun.body["id"])), f"/channels/{begun.body['id']}"
    minute, hour = timedelta(minutes=1), timedelta(hours=1)

    refusing.clock.advance(hour - minute)
    sent = await rest("POST", f"{where}/messages", {"content": "x"})
    path = f"{where}/messages/{sent.body['id']}"
    refusing.clock.advance(hour - minute)
    assert (await rest("PATCH", path, {"content": "y"})).status == 200
    heard = []
    refusing.world.events.subscribe(lambda event: heard.append(event.kind))
    refusing.clock.advance(minute)
    assert heard == ["thread_updated"]
    metadata = (await rest("GET", where)).body["thread_metadata"]
    edited = await rest("PATCH", path, {"content": "z"})

    assert (thread.thread.archived, metadata["archived"]) == (True, True)
    assert metadata["archive_timestamp"] == refusing.clock.now().isoformat()
    assert edited.code == 50083
    assert (await rest("GET", f"/guilds/{thread.guild_id}/threads/active")).body["threads"] == []


@pytest.mark.parametrize(
    ("body", "hours"),
    [({"archived": False}, 23), ({"auto_archive_duration": 4320}, 71)],
    ids=["reopened", "longer"],
)
async def test_reopening_and_changing_the_duration_count_as_activity(
    refusing, rest, games, body, hours
):
    refusing.clock.freeze()
    begun = await begin(rest, auto_archive_duration=1440)
    thread, where = refusing.world.channel(int(begun.body["id"])), f"/channels/{begun.body['id']}"
    if "archived" in body:
        refusing.world.archive_thread(thread)
    refusing.clock.advance(timedelta(hours=23))

    await rest("PATCH", where, body)
    refusing.clock.advance(timedelta(hours=hours))
    kept = not thread.thread.archived
    refusing.clock.advance(timedelta(hours=1))

    assert kept
    assert thread.thread.archived


@pytest.mark.parametrize("code", [None, 160005, 50083])
async def test_a_lock_does_not_affect_answers_unless_a_fault_says_so(refusing, rest, games, code):
    """The fault never affects private answers, nor a bot that can manage threads."""
    refusing.commands.overwrite(None, [{"name": "ping", "description": "Ping"}])
    thread = refusing.world.channel(int((await begin(rest)).body["id"]))
    ann, data = refusing.person("Ann"), {"id": "1", "name": "ping", "type": 1, "options": []}

    async def answered(flags=0):
        """The error code of a first answer, and the path of its webhook."""
        asked = refusing.interactions.start(2, ann.user, thread, data)
        body = {"type": 4, "data": {"content": "x", "flags": flags}}
        callback = f"/interactions/{asked.id}/{asked.token}/callback"
        reply = await rest("POST", callback, body)
        return reply.code, f"/webhooks/{refusing.world.bot.id}/{asked.token}"

    async def followed(webhook, flags=0):
        """The error codes of an edit and of a follow-up."""
        edited = await rest("PATCH", f"{webhook}/messages/@original", {"content": "y"})
        further = await rest("POST", webhook, {"content": "z", "flags": flags})
        return edited.code, further.code

    _, early = await answered()
    _, hidden = await answered(flags=64)
    thread.thread.locked = True
    refusing.faults.locked_answers = code

    for_all = [(await answered())[0], *await followed(early)]
    for_one = [(await answered(flags=64))[0], *await followed(hidden, flags=64)]
    refusing.world.set_permissions(games, allow=THREADS | Permission.MANAGE_THREADS)
    managed = [(await answered())[0], *await followed(early)]

    assert for_all == [code, code, code]
    assert for_one == managed == [None, None, None]


@pytest.mark.parametrize(("private", "code"), [(False, 160005), (True, None)])
async def test_a_fault_can_keep_clicks_from_editing_public_messages_in_a_locked_thread(
    refusing, bench, games, private, code
):
    thread = refusing.world.channel(int((await begin(bench.rest)).body["id"]))
    asked = bench.begin(channel=thread)
    hello = {"content": "x", "flags": 64 if private else 0}
    await bench.answer(asked, {"type": 4, "data": hello})
    thread.thread.locked = True
    refusing.faults.locked_answers = 160005

    clicked = bench.begin(InteractionType.COMPONENT, asked.message, channel=thread)
    reply = await bench.answer(clicked, {"type": 7, "data": {"content": "y"}})

    assert reply.code == code


def private_thread(world, *people):
    now = world.clock.now()
    details = Thread(owner=world.guild.owner.id, created_at=now, changed_at=now)
    details.members = {person.id: now for person in people}
    games = world.channel("games")
    return world.add_thread(games, "secret", details, kind=ChannelType.PRIVATE_THREAD)


async def test_the_bot_receives_no_events_of_threads_that_it_cannot_see(refusing, connection):
    world = refusing.world
    thread = private_thread(world, refusing.person("Ann"))
    world.archive_thread(thread)
    world.delete_channel(thread)
    world.set_permissions("games", deny=Permission.VIEW_CHANNEL)
    first = await connection.hear()
    now = world.clock.now()
    hidden = Thread(owner=world.bot.id, created_at=now, changed_at=now, members={world.bot.id: now})
    world.delete_channel(world.add_thread(world.channel("games"), "hidden", hidden))

    await connection.say(1, None)

    assert first["t"] == "CHANNEL_UPDATE"
    assert (await connection.hear())["op"] == 11


async def test_a_bot_that_is_added_to_or_removed_from_a_private_thread_receives_an_event(
    refusing, rest, connection
):
    world = refusing.world
    thread = private_thread(world, refusing.person("Ann"))
    path = f"/channels/{thread.id}/messages"
    assert (await rest("POST", path, {"content": "x"})).code == 50001
    world.set_permissions("games", allow=THREADS)
    await connection.hear_until("CHANNEL_UPDATE")

    world.add_to_thread(thread, world.bot)
    created, joined = await connection.hear(), await connection.hear()
    assert (await rest("POST", path, {"content": "x"})).status == 200
    world.remove_from_thread(thread, world.bot)
    left = await connection.hear()

    assert (created["t"], created["d"]["id"]) == ("THREAD_CREATE", str(thread.id))
    assert created["d"]["member"]["user_id"] == str(world.bot.id)
    assert "newly_created" not in created["d"]
    assert joined["t"] == left["t"] == "THREAD_MEMBERS_UPDATE"
    assert joined["d"]["added_members"][0]["user_id"] == str(world.bot.id)
    assert left["d"]["removed_member_ids"] == [str(world.bot.id)]
    assert (await rest("POST", path, {"content": "x"})).code == 50001


async def test_a_bot_that_manages_threads_sees_private_ones_unless_timed_out(
    refusing, rest, connection
):
    world = refusing.world
    world.set_permissions("games", allow=THREADS | Permission.MANAGE_THREADS)
    await connection.hear_until("CHANNEL_UPDATE")
    thread = private_thread(world, refusing.person("Ann"))

    assert (await connection.hear())["t"] == "THREAD_CREATE"
    assert (await rest("GET", f"/channels/{thread.id}")).status == 200
    world.time_out(world.bot, timedelta(hours=1))
    assert (await rest("GET", f"/channels/{thread.id}")).code == 50001
