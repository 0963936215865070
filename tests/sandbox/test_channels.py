"""Channels other than text channels: announcements, voice, forums and media."""

from datetime import timedelta

import discord as library
import pytest

from sandbox import ImpossibleError
from sandbox.guilds import FORUM_TYPES, ChannelType
from sandbox.permissions import Permission

THREADS = Permission.CREATE_PUBLIC_THREADS | Permission.SEND_MESSAGES_IN_THREADS
PING = {"name": "ping", "description": "Ping"}


def add(sandbox, kind, name="place"):
    channel = sandbox.world.add_channel(name, kind=kind)
    sandbox.world.set_permissions(channel, allow=THREADS)
    return channel


async def begin(rest, channel, **fields):
    return await rest("POST", f"/channels/{channel.id}/threads", {"name": "match", **fields})


@pytest.mark.parametrize(
    ("kind", "status", "code"),
    [
        (ChannelType.VOICE, 200, None),
        (ChannelType.ANNOUNCEMENT, 200, None),
        (ChannelType.FORUM, 400, 50008),
        (ChannelType.MEDIA, 400, 50008),
    ],
)
async def test_messages_can_be_sent_only_in_some_kinds_of_channel(
    refusing, rest, kind, status, code
):
    channel = add(refusing, kind)

    reply = await rest("POST", f"/channels/{channel.id}/messages", {"content": "x"})

    assert (reply.status, reply.body.get("code")) == (status, code)


async def test_only_members_who_can_connect_can_use_the_chat_of_a_voice_channel(refusing, rest):
    channel = add(refusing, ChannelType.VOICE)
    refusing.world.set_permissions(channel, deny=Permission.CONNECT)

    reply = await rest("POST", f"/channels/{channel.id}/messages", {"content": "x"})
    everyone = refusing.world.guild.roles[refusing.world.guild.id]
    refusing.world.set_permissions(channel, deny=Permission.CONNECT, role=everyone)

    assert (reply.status, reply.code) == (403, 50001)
    with pytest.raises(ImpossibleError, match="may not write"):
        await refusing.person("Bo").say(channel, "x")


@pytest.mark.parametrize(
    ("kind", "allowed"),
    [
        (ChannelType.TEXT, {11}),
        (ChannelType.ANNOUNCEMENT, {10}),
        (ChannelType.VOICE, set()),
    ],
)
async def test_each_kind_of_channel_allows_certain_kinds_of_thread(refusing, rest, kind, allowed):
    channel = add(refusing, kind)

    replies = {number: await begin(rest, channel, type=number) for number in (10, 11)}

    assert {number for number, reply in replies.items() if reply.status == 201} == allowed
    assert {reply.code for reply in replies.values() if reply.status != 201} == {50024}


@pytest.mark.parametrize(
    ("kind", "thread"),
    [(ChannelType.TEXT, 11), (ChannelType.ANNOUNCEMENT, 10), (ChannelType.VOICE, None)],
)
async def test_the_kind_of_a_thread_from_a_message_depends_on_its_channel(
    refusing, rest, kind, thread
):
    channel = add(refusing, kind)
    sent = await rest("POST", f"/channels/{channel.id}/messages", {"content": "x"})

    path = f"/channels/{channel.id}/messages/{sent.body['id']}/threads"
    begun = await rest("POST", path, {"name": "match"})

    if thread is None:
        assert (begun.status, begun.code) == (400, 50024)
    else:
        assert (begun.status, begun.body["type"]) == (201, thread)


@pytest.mark.parametrize("kind", sorted(FORUM_TYPES))
async def test_a_post_needs_a_first_message(refusing, rest, kind):
    forum = add(refusing, kind)

    empty = await begin(rest, forum)
    begun = await begin(rest, forum, message={"content": "hello"})
    (message,) = refusing.person("Bo").see(int(begun.body["id"]))

    assert (empty.status, empty.code) == (400, 50006)
    assert (begun.status, begun.body["type"], begun.body["parent_id"]) == (201, 11, str(forum.id))
    assert begun.body["message"]["id"] == begun.body["id"] == str(message.id)
    assert message.text == "hello"


@pytest.mark.parametrize("kind", sorted(FORUM_TYPES))
async def test_commands_can_be_used_in_posts_but_not_in_the_forum_itself(refusing, kind):
    refusing.commands.overwrite(None, [PING])
    forum, bo = add(refusing, kind), refusing.person("Bo")

    for doing in (bo.say(forum, "x"), bo.slash("ping", channel=forum)):
        with pytest.raises(ImpossibleError, match="forum"):
            await doing
    post = await bo.begin_post(forum, "Who plays?", "I do")

    assert [message.text for message in bo.see(post)] == ["I do"]
    assert [command["name"] for command in bo.commands(post)] == ["ping"]
    with pytest.raises(ImpossibleError, match="no forum"):
        await bo.begin_post("games", "a", "b")


async def test_a_click_in_an_archived_post_never_reaches_the_bot(refusing, rest):
    """discord-api-docs #8474; in other archived threads it does."""
    forum, text = add(refusing, ChannelType.FORUM), add(refusing, ChannelType.TEXT, "text")
    button = {"type": 2, "style": 1, "label": "Go", "custom_id": "go"}
    row = {"components": [{"type": 1, "components": [button]}]}
    post = await begin(rest, forum, message=row)
    thread = await begin(rest, text, type=11)
    sent = await rest("POST", f"/channels/{thread.body['id']}/messages", row)
    for begun in (post, thread):
        refusing.world.archive_thread(int(begun.body["id"]))
    bo, started = refusing.person("Bo"), []
    refusing.world.events.subscribe(
        lambda event: started.append(event.channel) if event.kind == "interaction_started" else None
    )

    with pytest.raises(ImpossibleError, match="An error occurred"):
        await bo.click(refusing.world.messages[int(post.body["id"])], "Go")
    refusing.interactions._answer_within = timedelta()
    answer = await bo.click(refusing.world.messages[int(sent.body["id"])], "Go")

    assert answer.failed  # no bot is running that could answer
    assert len(started) == 1


async def test_discord_py_knows_every_kind_of_channel(discord, bot):
    kinds = {
        ChannelType.VOICE: library.VoiceChannel,
        ChannelType.ANNOUNCEMENT: library.TextChannel,
        ChannelType.FORUM: library.ForumChannel,
        ChannelType.MEDIA: library.ForumChannel,
    }
    added = {kind: discord.world.add_channel(f"c-{kind}", kind=kind) for kind in kinds}
    guild = await bot.fetch_guild(discord.world.guild.id)
    fetched = {channel.id: channel for channel in await guild.fetch_channels()}

    assert all(type(fetched[added[kind].id]) is made for kind, made in kinds.items())
