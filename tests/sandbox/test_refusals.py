"""What Discord refuses, each with its own status and code."""

import aiohttp
import pytest

from sandbox.permissions import Permission


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/channels/5", 404, 10003),
        ("POST", "/channels/5/messages", 404, 10003),
        ("GET", "/channels/5x", 400, 50035),
        ("GET", "/channels/5%2F6", 400, 50035),
        ("PATCH", "{games}/messages/5", 404, 10008),
        ("DELETE", "{games}/messages/5", 404, 10008),
        ("GET", "/guilds/5", 404, 10004),
        ("GET", "/guilds/{guild}/members/5", 404, 10013),
        ("GET", "/users/5", 404, 10013),
        ("POST", "/users/@me/channels", 400, 50033),
        ("GET", "{application}/emojis/5", 404, 10014),
        ("GET", "{application}/commands/5", 404, 10063),
        ("GET", "/applications/5/commands", 403, 50001),
        ("GET", "{application}/guilds/5/commands", 403, 50001),
        ("POST", "/interactions/5/abc/callback", 404, 10062),
        ("PATCH", "/webhooks/5/abc/messages/@original", 404, 10015),
        ("POST", "/webhooks/{bot}/abc", 401, 50027),
        ("PATCH", "{games}", 403, 50013),
        ("DELETE", "{games}", 403, 50013),
        ("GET", "/nothing", 404, 0),
        ("GET", "/users/@you", 404, 0),
        ("PUT", "/users/@me", 405, 0),
        ("PATCH", "/channels/5/thread-members/@me", 405, 0),
    ],
)
async def test_each_missing_or_forbidden_thing_has_its_own_code(
    refusing, rest, method, path, status, code
):
    where = path.format(
        games=rest.games,
        application=rest.application,
        guild=refusing.world.guild.id,
        bot=refusing.world.bot.id,
    )
    body = {"content": "x", "recipient_id": "5"} if method in ("POST", "PATCH") else None

    reply = await rest(method, where, body)

    assert (reply.status, reply.code) == (status, code)


async def test_an_unknown_route_is_recorded(refusing, rest):
    await rest("GET", "/nothing/at/all")

    assert refusing.unknown_routes == ["GET /nothing/at/all"]


async def test_features_that_the_sandbox_lacks_are_answered_with_501(refusing, rest):
    reply = await rest("POST", f"{rest.games}/messages", {"poll": {"question": {}}})

    assert reply.status == 501
    assert refusing.unknown_routes == ["The sandbox has no poll."]


async def test_a_wrong_token_is_unauthorized(rest):
    reply = await rest("GET", "/users/@me", token="MTIz.wrong.token")

    assert (reply.status, reply.body) == (401, {"message": "401: Unauthorized", "code": 0})


async def test_a_callback_needs_no_bot_token_but_a_wrong_one_is_refused(refusing, rest):
    path, body = "/interactions/5/abc/callback", {"type": 4, "data": {"content": "x"}}

    wrong = await rest("POST", path, body, token="MTIz.wrong.token")
    async with rest._session.post(f"{refusing.url}/api/v10{path}", json=body) as without:
        assert (without.status, (await without.json())["code"]) == (404, 10062)
    assert (wrong.status, wrong.code) == (401, 0)


async def test_other_versions_of_the_api_are_refused(refusing, rest):
    async with rest._session.get(f"{refusing.url}/api/v6/users/@me") as response:
        assert (response.status, (await response.json())["code"]) == (400, 50041)


async def test_a_body_that_is_not_json_is_refused(refusing, rest):
    headers = {"Authorization": f"Bot {refusing.token}", "Content-Type": "application/json"}
    url = f"{refusing.url}/api/v10{rest.games}/messages"
    async with rest._session.post(url, data=b"{", headers=headers) as response:
        assert (response.status, (await response.json())["code"]) == (400, 50109)


async def test_a_form_has_its_json_in_one_field(refusing, rest):
    form = aiohttp.FormData(quote_fields=False)
    form.add_field("content", '{"content": "x"}', content_type="application/json")
    form.add_field("files[0]", b"x", filename="a.txt")
    url = f"{refusing.url}/api/v10{rest.games}/messages"
    headers = {"Authorization": f"Bot {refusing.token}"}
    async with rest._session.post(url, data=form, headers=headers) as response:
        assert (response.status, (await response.json())["code"]) == (400, 50109)


async def test_answers_are_json_without_a_charset(rest):
    for path in ("/users/@me", "/nothing"):
        assert (await rest("GET", path)).headers["Content-Type"] == "application/json"


async def test_a_file_over_10_mebibytes_is_too_large(rest):
    files = {"a.bin": b"x" * (10 * 1024 * 1024 + 1)}

    reply = await rest("POST", f"{rest.games}/messages", {"content": "x"}, files=files)

    assert (reply.status, reply.code) == (413, 40005)


@pytest.mark.parametrize(
    ("denied", "body", "files", "code"),
    [
        (Permission.VIEW_CHANNEL, {"content": "x"}, None, 50001),
        (Permission.SEND_MESSAGES, {"content": "x"}, None, 50013),
        (Permission.EMBED_LINKS, {"embeds": [{"title": "t"}]}, None, 50013),
        (Permission.ATTACH_FILES, {"content": "x"}, {"a.txt": b"x"}, 50013),
    ],
    ids=["view", "send", "embed", "attach"],
)
async def test_a_missing_permission_stops_the_bot(refusing, rest, denied, body, files, code):
    refusing.world.set_permissions("games", deny=denied)

    reply = await rest("POST", f"{rest.games}/messages", body, files=files)

    assert (reply.status, reply.code) == (403, code)


async def test_plain_text_needs_neither_files_nor_embeds(refusing, rest):
    refusing.world.set_permissions("games", deny=Permission.EMBED_LINKS | Permission.ATTACH_FILES)

    assert (await rest("POST", f"{rest.games}/messages", {"content": "x"})).status == 200


async def test_only_the_bots_own_messages_can_be_edited_and_deleted(refusing, rest):
    said = await refusing.person("Ann").say("games", "mine")
    path = f"{rest.games}/messages/{said.id}"

    edited = await rest("PATCH", path, {"content": "yours"})
    deleted = await rest("DELETE", path)

    assert (edited.status, edited.code) == (403, 50005)
    assert (deleted.status, deleted.code) == (403, 50013)


async def test_the_bot_cannot_delete_a_persons_direct_message(refusing, rest):
    ann = refusing.person("Ann")
    said = await ann.say(ann.dm, "mine")

    reply = await rest("DELETE", f"/channels/{ann.dm.id}/messages/{said.id}")

    assert (reply.status, reply.code) == (403, 50003)
    assert not said.deleted


async def test_an_edit_cannot_add_a_file_without_the_permission(refusing, rest):
    sent = await rest("POST", f"{rest.games}/messages", {"content": "x"})
    path = f"{rest.games}/messages/{sent.body['id']}"
    refusing.world.set_permissions("games", deny=Permission.ATTACH_FILES)

    plain = await rest("PATCH", path, {"content": "y"})
    reply = await rest("PATCH", path, {"content": "z"}, files={"a.txt": b"x"})

    assert plain.status == 200
    assert (reply.status, reply.code) == (403, 50013)


async def test_the_bot_cannot_open_direct_messages_with_itself(refusing, rest):
    body = {"recipient_id": str(refusing.world.bot.id)}

    reply = await rest("POST", "/users/@me/channels", body)

    assert (reply.status, reply.code) == (400, 50033)


async def test_reading_history_needs_its_permission(refusing, rest):
    said = await refusing.person("Ann").say("games", "mine")

    listed = await rest("GET", f"{rest.games}/messages")
    single = await rest("GET", f"{rest.games}/messages/{said.id}")

    assert (listed.status, listed.body) == (200, [])
    assert (single.status, single.code) == (403, 50001)


async def test_a_deleted_channel_and_a_server_without_the_bot_are_unknown(refusing, rest):
    refusing.world.delete_channel("games")
    gone = await rest("POST", f"{rest.games}/messages", {"content": "x"})
    guild = refusing.world.guild
    refusing.world.remove_bot(guild)
    left = await rest("GET", f"/guilds/{guild.id}")
    commands = await rest("GET", f"{rest.application}/guilds/{guild.id}/commands")

    assert (gone.status, gone.code) == (404, 10003)
    assert (left.status, left.code) == (404, 10004)
    assert (commands.status, commands.code) == (403, 50001)
