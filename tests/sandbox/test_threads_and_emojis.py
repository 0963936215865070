"""Threads, and the application's own emojis."""

import base64

import pytest

from sandbox.permissions import Permission
from tests.support.rest_client import png

IMAGE = f"data:image/png;base64,{base64.b64encode(png()).decode()}"
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
    refused = await begin(rest)
    refusing.world.set_permissions("games", allow=Permission.CREATE_PUBLIC_THREADS)
    begun = await begin(rest)
    mute = await rest("POST", f"/channels/{begun.body['id']}/messages", {"content": "x"})

    assert (refused.status, refused.code) == (403, 50013)
    assert (begun.status, begun.body["type"]) == (201, 11)
    assert (mute.status, mute.code) == (403, 50013)


async def test_a_thread_begins_at_a_message_once(rest, games):
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
async def test_a_thread_that_is_wrong_is_refused(rest, games, fields, problem):
    assert (await begin(rest, **fields)).problems == {problem}


async def test_an_archived_thread_takes_no_edits_until_somebody_writes(refusing, rest, games):
    thread = f"/channels/{(await begin(rest)).body['id']}"
    sent = await rest("POST", f"{thread}/messages", {"content": "x"})
    path = f"{thread}/messages/{sent.body['id']}"
    assert (await rest("PATCH", thread, {"archived": True})).status == 200

    edited = await rest("PATCH", path, {"content": "y"})
    deleted = await rest("DELETE", path)
    renamed = await rest("PATCH", thread, {"name": "other"})
    written = await rest("POST", f"{thread}/messages", {"content": "z"})

    codes = [reply.code for reply in (edited, deleted, renamed)]
    assert codes == [50083, 50083, 50083]
    assert written.status == 200
    assert (await rest("PATCH", path, {"content": "y"})).status == 200


async def test_a_locked_thread_is_closed_to_the_bot(rest, games):
    thread = f"/channels/{(await begin(rest)).body['id']}"
    await rest("PATCH", thread, {"locked": True})

    reply = await rest("POST", f"{thread}/messages", {"content": "x"})

    assert (reply.status, reply.code) == (400, 160005)


async def test_a_private_thread_is_seen_by_its_members_only(refusing, rest, games):
    begun = await begin(rest, type=12)
    thread = refusing.world.channel(int(begun.body["id"]))
    ann, bo = refusing.person("Ann"), refusing.person("Bo")
    await rest("PUT", f"/channels/{thread.id}/thread-members/{bo.id}")

    assert thread in bo.channels
    listed = await rest("GET", f"/channels/{thread.id}/thread-members")
    assert {m["user_id"] for m in listed.body} == {str(bo.id), str(refusing.world.bot.id)}
    await rest("DELETE", f"/channels/{thread.id}/thread-members/{bo.id}")
    assert thread not in bo.channels
    assert thread in ann.channels  # the owner of the server sees everything


async def test_threads_go_with_their_channel(refusing, rest, games):
    thread = (await begin(rest)).body["id"]

    refusing.world.delete_channel(games)

    assert (await rest("GET", f"/channels/{thread}")).code == 10003


async def test_an_emoji_is_made_used_renamed_and_taken_away(refusing, rest):
    path = f"{rest.application}/emojis"
    made = await rest("POST", path, {"name": "pico_9", "image": IMAGE})
    emoji = made.body

    def button():
        part = {"type": 2, "style": 1, "custom_id": "a", "emoji": {"id": emoji["id"], "name": "x"}}
        return {"components": [{"type": 1, "components": [part]}]}

    sent = await rest("POST", f"{rest.games}/messages", button())
    renamed = await rest("PATCH", f"{path}/{emoji['id']}", {"name": "pico_ten"})
    deleted = await rest("DELETE", f"{path}/{emoji['id']}")
    late = await rest("POST", f"{rest.games}/messages", button())

    assert made.status == 201
    used = sent.body["components"][0]["components"][0]["emoji"]
    assert used == {"id": emoji["id"], "name": "pico_9", "animated": False}
    assert renamed.body["name"] == "pico_ten"
    assert deleted.status == 204
    assert late.problems == {"components.0.components.0.emoji.id BUTTON_COMPONENT_INVALID_EMOJI"}
    async with rest._session.get(f"{refusing.url}/emojis/{emoji['id']}.png") as gone:
        assert gone.status == 404


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ({"image": IMAGE}, "name BASE_TYPE_REQUIRED"),
        ({"name": "a", "image": IMAGE}, "name BASE_TYPE_BAD_LENGTH"),
        ({"name": "a b", "image": IMAGE}, "name STRING_TYPE_REGEX"),
        ({"name": "taken", "image": IMAGE}, "name APPLICATION_EMOJI_NAME_ALREADY_TAKEN"),
        ({"name": "ok"}, "image BASE_TYPE_REQUIRED"),
        ({"name": "ok", "image": "data:image/png;base64,AAAA"}, "image BASE64_TYPE_INVALID"),
        ({"name": "ok", "image": "nonsense"}, "image BASE64_TYPE_INVALID"),
    ],
)
async def test_an_emoji_that_is_wrong_is_refused(rest, body, problem):
    path = f"{rest.application}/emojis"
    await rest("POST", path, {"name": "taken", "image": IMAGE})

    assert (await rest("POST", path, body)).problems == {problem}


async def test_an_emoji_has_at_most_256_kibibytes(rest):
    large = base64.b64encode(png() + b"\0" * 256 * 1024).decode()
    body = {"name": "large", "image": f"data:image/png;base64,{large}"}

    reply = await rest("POST", f"{rest.application}/emojis", body)

    assert reply.problems == {"image BINARY_TYPE_MAX_SIZE"}
