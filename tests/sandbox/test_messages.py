"""Messages: components v2, files, edits, mentions, direct messages."""

import discord as library
import pytest

from sandbox.permissions import Permission
from tests.support.rest_client import gallery, png, send_picture
from tests.support.sandbox_bot import picture

V2 = 1 << 15


async def test_a_file_shown_by_a_component_is_not_among_the_attachments(discord, bot):
    layout, file = picture(png(64, 32))
    channel = bot.get_channel(discord.world.channel("games").id)

    sent = await channel.send(view=layout, file=file)

    message = discord.world.messages[sent.id]
    media = message.components[1]["items"][0]["media"]
    assert sent.attachments == []
    assert set(media) == {
        "id", "attachment_id", "url", "proxy_url", "width", "height", "content_type",
    }  # fmt: skip
    assert (media["width"], media["height"], media["content_type"]) == (64, 32, "image/png")
    shown = message.images[0]
    assert (shown.description, shown.filename) == ("A board", "board.png")
    assert message.read(shown.url) == png(64, 32)


async def test_an_edit_keeps_only_the_files_it_lists(rest):
    files = {"a.txt": b"a", "b.txt": b"b"}
    sent = await rest("POST", f"{rest.games}/messages", {"content": "x"}, files=files)
    path = f"{rest.games}/messages/{sent.body['id']}"
    first = sent.body["attachments"][0]["id"]

    untouched = await rest("PATCH", path, {"content": "y"})
    assert [a["filename"] for a in untouched.body["attachments"]] == ["a.txt", "b.txt"]

    listed = {"attachments": [{"id": first}, {"id": 0, "filename": "c.txt"}]}
    edited = await rest("PATCH", path, listed, files={"c.txt": b"c"})
    assert [a["filename"] for a in edited.body["attachments"]] == ["a.txt", "c.txt"]

    emptied = await rest("PATCH", path, {"attachments": []})
    assert emptied.body["attachments"] == []


async def test_a_new_picture_replaces_the_old_one(rest, refusing):
    sent = await send_picture(rest)
    path = f"{rest.games}/messages/{sent.body['id']}"
    body = {"components": [gallery("attachment://new.png")]}
    body["attachments"] = [{"id": 0, "filename": "new.png"}]

    edited = await rest("PATCH", path, body, files={"new.png": png(10, 10)})

    assert edited.status == 200
    message = refusing.world.messages[int(sent.body["id"])]
    assert [file.filename for file in message.files] == ["new.png"]


async def test_a_picture_that_the_edit_dropped_cannot_be_shown(rest):
    sent = await send_picture(rest)
    path = f"{rest.games}/messages/{sent.body['id']}"
    body = {"components": [gallery("attachment://board.png")], "attachments": []}

    reply = await rest("PATCH", path, body)

    assert (reply.status, reply.code) == (400, 50035)


async def test_a_picture_can_be_shown_by_name_only_if_the_edit_keeps_it(rest):
    sent = await send_picture(rest)
    path = f"{rest.games}/messages/{sent.body['id']}"
    identity = sent.body["components"][1]["items"][0]["media"]["attachment_id"]
    components = [gallery("attachment://board.png")]

    unnamed = await rest(
        "PATCH", path, {"components": components, "attachments": [{"id": identity}]}
    )
    listed = [{"id": identity, "filename": "board.png"}]
    named = await rest("PATCH", path, {"components": components, "attachments": listed})

    assert (unnamed.status, named.status) == (400, 200)


async def test_a_file_shown_by_an_embed_is_not_among_the_attachments(rest):
    body = {
        "embeds": [{"title": "t", "image": {"url": "attachment://a.png"}}],
        "attachments": [{"id": 0, "filename": "a.png"}],
    }

    sent = await rest("POST", f"{rest.games}/messages", body, files={"a.png": png()})
    edited = await rest(
        "PATCH", f"{rest.games}/messages/{sent.body['id']}", {"embeds": [], "content": "x"}
    )

    assert sent.body["attachments"] == []
    assert sent.body["embeds"][0]["image"]["width"] == 40
    assert [a["filename"] for a in edited.body["attachments"]] == ["a.png"]


async def test_odd_file_names_are_simplified(rest):
    files = {"my board (1).png": png()}
    sent = await rest("POST", f"{rest.games}/messages", {"content": "x"}, files=files)

    assert sent.body["attachments"][0]["filename"] == "my_board_1.png"


async def test_a_message_of_components_cannot_become_a_plain_one(rest):
    sent = await send_picture(rest)
    path = f"{rest.games}/messages/{sent.body['id']}"

    without = await rest("PATCH", path, {"flags": 4})
    content = await rest("PATCH", path, {"content": "x"})
    plain = await rest("PATCH", path, {"components": [{"type": 10, "content": "y"}]})

    assert without.problems == {"flags MESSAGE_CANNOT_REMOVE_COMPONENTS_V2_FLAG"}
    assert content.problems == {"content MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"}
    assert (plain.status, plain.body["flags"]) == (200, V2)


async def test_a_plain_message_without_content_can_become_one_of_components(rest):
    sent = await rest("POST", f"{rest.games}/messages", {"content": "x"})
    path = f"{rest.games}/messages/{sent.body['id']}"
    body = {"flags": V2, "components": [{"type": 10, "content": "y"}]}

    refused = await rest("PATCH", path, body)
    taken = await rest("PATCH", path, {**body, "content": None})

    assert refused.code == 50035
    assert (taken.status, taken.body["content"], taken.body["flags"]) == (200, "", V2)


async def test_an_edit_cannot_empty_a_message(rest, refusing):
    sent = await rest("POST", f"{rest.games}/messages", {"content": "x"})

    reply = await rest("PATCH", f"{rest.games}/messages/{sent.body['id']}", {"content": ""})

    assert (reply.status, reply.code) == (400, 50006)
    assert refusing.world.messages[int(sent.body["id"])].content == "x"


async def test_an_ephemeral_message_is_not_in_its_channel(discord, bot):
    ann = discord.person("Ann")
    hidden = (await ann.slash("say", channel="games", text="psst", ephemeral=True)).message
    channel = bot.get_channel(hidden.channel_id)

    with pytest.raises(library.NotFound) as refused:
        await channel.get_partial_message(hidden.id).edit(content="louder")

    discord.world.set_permissions("games", allow=Permission.READ_MESSAGE_HISTORY)
    assert [message async for message in channel.history()] == []
    assert refused.value.code == 10008
    assert hidden.content == "psst"


async def test_only_allowed_mentions_ping(discord, bot):
    ann, bo, cleo = (discord.person(name) for name in ("Ann", "Bo", "Cleo"))
    channel = bot.get_channel(discord.world.channel("games").id)
    text = f"{ann.mention} {bo.mention} {cleo.mention} @everyone"

    loud = await channel.send(text)
    some = library.AllowedMentions(users=[library.Object(bo.id)], everyone=False)
    chosen = await channel.send(text, allowed_mentions=some)
    quiet = await channel.send(text, allowed_mentions=library.AllowedMentions.none())

    pinged = [discord.world.messages[message.id].pinged for message in (loud, chosen, quiet)]
    assert pinged == [{ann.id, bo.id, cleo.id}, {bo.id}, set()]
    assert [user.id for user in loud.mentions] == [ann.id, bo.id, cleo.id]
    assert not loud.mention_everyone


async def test_a_messages_mentions_include_only_allowed_people(refusing, rest):
    ann, bo = refusing.person("Ann"), refusing.person("Bo")
    names = f"{ann.mention} {bo.mention}"

    def mentioned(reply):
        return [user["id"] for user in reply.body["mentions"]]

    free = await rest("POST", f"{rest.games}/messages", {"content": names})
    one = {"content": names, "allowed_mentions": {"users": [str(bo.id)]}}
    sent = await rest("POST", f"{rest.games}/messages", one)
    path = f"{rest.games}/messages/{sent.body['id']}"
    silent = await rest("PATCH", path, {"flags": 4})
    edited = await rest("PATCH", path, {"content": names, "allowed_mentions": {"parse": []}})

    assert mentioned(free) == [str(ann.id), str(bo.id)]
    assert mentioned(sent) == mentioned(silent) == [str(bo.id)]
    assert mentioned(edited) == []
    assert refusing.world.messages[int(sent.body["id"])].pinged == {bo.id}


async def test_a_quarantined_bot_cannot_start_conversations_by_direct_message(refusing, rest):
    known, opened = refusing.person("Ann"), refusing.person("Bo")
    there = f"/channels/{known.dm.id}/messages"
    assert (await rest("POST", there, {"content": "before"})).status == 200
    here = f"/channels/{opened.dm.id}/messages"
    refusing.faults.quarantined = True

    asked = await rest("POST", "/users/@me/channels", {"recipient_id": str(known.id)})
    replies = [
        await rest("POST", "/users/@me/channels", {"recipient_id": str(id_)})
        for id_ in (refusing.person("Cleo").id, refusing.person("Dan").id)
    ]
    first = await rest("POST", here, {"content": "first"})
    next_ = await rest("POST", there, {"content": "again"})

    assert [(r.status, r.code) for r in (*replies, first)] == [(403, 20026)] * 3
    assert (asked.status, next_.status) == (200, 200)
    refusing.faults.clear()
    assert (await rest("POST", here, {"content": "first"})).status == 200


async def test_edits_ping_nobody_and_new_messages_only_people_who_can_see_them(discord, bot):
    ann, bo = discord.person("Ann"), discord.person("Bo")
    channel = bot.get_channel(discord.world.channel("games").id)
    discord.world.remove_member(bo.user)

    sent = await channel.send(f"hello {bo.mention}")
    await sent.edit(content=f"hello {ann.mention}")

    message = discord.world.messages[sent.id]
    assert message.pinged == set()
    assert [user.name for user in message.mentions] == ["Ann"]


async def test_only_the_recipient_sees_direct_messages(discord, bot):
    ann, bo = discord.person("Ann"), discord.person("Bo")
    user = await bot.fetch_user(ann.id)

    await user.send("first")
    await user.send("second")

    assert [message.content for message in ann.direct_messages] == ["first", "second"]
    assert (ann.unread, bo.unread, bo.direct_messages) == (2, 0, [])
    ann.read()
    assert ann.unread == 0


async def test_an_edited_direct_message_is_not_unread(discord, bot):
    ann = discord.person("Ann")
    sent = await (await bot.fetch_user(ann.id)).send("first")
    ann.read()

    await sent.edit(content="second")

    assert (ann.unread, ann.direct_messages[0].content) == (0, "second")


@pytest.mark.parametrize(
    ("close", "code"),
    [
        (lambda discord, ann: setattr(ann, "closed", True), 50007),
        (lambda discord, ann: discord.world.remove_member(ann.user), 50278),
    ],
    ids=["closed", "no server in common"],
)
async def test_sending_to_a_person_who_cannot_be_reached_is_refused(discord, bot, close, code):
    ann = discord.person("Ann")
    close(discord, ann)
    user = await bot.fetch_user(ann.id)

    with pytest.raises(library.Forbidden) as refused:
        await user.send("hello")

    assert refused.value.code == code
    assert ann.direct_messages == []


async def test_opening_direct_messages_too_fast_is_refused(discord, bot):
    discord.faults.new_direct_messages = 1
    ann, bo = [await bot.fetch_user(discord.person(name).id) for name in ("Ann", "Bo")]
    await ann.send("hello")
    await ann.send("again")

    with pytest.raises(library.Forbidden) as refused:
        await bo.send("hello")

    assert refused.value.code == 40003


async def test_a_list_of_messages_is_limited(refusing, rest):
    games = refusing.world.channel("games")
    refusing.world.set_permissions(games, allow=Permission.READ_MESSAGE_HISTORY)
    said = [await refusing.person("Ann").say("games", f"{n}") for n in range(5)]

    async def texts(query):
        reply = await rest("GET", f"{rest.games}/messages", query=query)
        return [message["content"] for message in reply.body]

    assert await texts("") == ["4", "3", "2", "1", "0"]
    assert await texts("?limit=2") == ["4", "3"]
    assert await texts(f"?before={said[2].id}&limit=1") == ["1"]
    assert await texts(f"?after={said[2].id}") == ["4", "3"]
    assert await texts(f"?after={said[0].id}&limit=2") == ["2", "1"]
    assert await texts(f"?around={said[4].id}&limit=2") == ["4", "3"]
    for wrong in ("?limit=101", "?limit=0", f"?after={said[0].id}&before={said[3].id}"):
        assert (await rest("GET", f"{rest.games}/messages", query=wrong)).code == 50035


async def test_a_reply_refers_to_its_message(refusing, rest):
    refusing.world.set_permissions("games", allow=Permission.READ_MESSAGE_HISTORY)
    said = await refusing.person("Ann").say("games", "hello")
    body = {"content": "x", "message_reference": {"message_id": str(said.id)}}

    reply = await rest("POST", f"{rest.games}/messages", body)
    elsewhere = await refusing.person("Ann").say("lobby", "hello")
    lost = [
        await rest(
            "POST", f"{rest.games}/messages", {**body, "message_reference": {"message_id": n}}
        )
        for n in ("5", str(elsewhere.id))
    ]

    assert (reply.body["type"], reply.body["message_reference"]["message_id"]) == (19, str(said.id))
    assert [r.problems for r in lost] == [{"message_reference REPLIES_UNKNOWN_MESSAGE"}] * 2


async def test_components_get_ids_and_defaults(rest):
    body = {
        "flags": V2,
        "components": [
            {"type": 14},
            {"type": 17, "id": 1, "components": [{"type": 10, "content": "x"}]},
            {"type": 1, "components": [{"type": 2, "style": 1, "label": "a", "custom_id": "a"}]},
        ],
    }

    sent = await rest("POST", f"{rest.games}/messages", body)

    separator, container, row = sent.body["components"]
    assert separator == {"type": 14, "id": 2, "spacing": 1, "divider": True}
    assert (container["id"], container["components"][0]["id"]) == (1, 3)
    assert container["accent_color"] is None
    button = {"type": 2, "id": 5, "style": 1, "label": "a", "custom_id": "a"}
    assert row == {"type": 1, "id": 4, "components": [button]}


async def test_the_text_of_a_message_includes_all_parts_of_its_embeds(rest, refusing):
    embed = {
        "title": "T", "description": "D", "footer": {"text": "F"},
        "fields": [{"name": "N", "value": "V"}], "author": {"name": "A"},
    }  # fmt: skip

    sent = await rest("POST", f"{rest.games}/messages", {"content": "C", "embeds": [embed]})

    assert refusing.world.messages[int(sent.body["id"])].text == "C\nA\nT\nD\nN\nV\nF"
