"""The application's own emojis."""

import base64
from dataclasses import replace

import pytest

from tests.support.rest_client import png

IMAGE = f"data:image/png;base64,{base64.b64encode(png()).decode()}"


async def test_an_emoji_can_be_created_used_renamed_and_deleted(refusing, rest):
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
async def test_an_invalid_emoji_is_refused(rest, body, problem):
    path = f"{rest.application}/emojis"
    await rest("POST", path, {"name": "taken", "image": IMAGE})

    assert (await rest("POST", path, body)).problems == {problem}


async def test_an_emoji_can_have_at_most_256_kibibytes(rest):
    large = base64.b64encode(png() + b"\0" * 256 * 1024).decode()
    body = {"name": "large", "image": f"data:image/png;base64,{large}"}

    reply = await rest("POST", f"{rest.application}/emojis", body)

    assert reply.problems == {"image BINARY_TYPE_MAX_SIZE"}


async def test_an_application_can_have_at_most_2000_emojis(refusing, rest):
    path = f"{rest.application}/emojis"
    await rest("POST", path, {"name": "first", "image": IMAGE})
    (first,) = refusing.world.emojis.values()
    refusing.world.emojis |= {n: replace(first, id=n, name=f"e{n}") for n in range(1998)}

    last = await rest("POST", path, {"name": "last", "image": IMAGE})
    reply = await rest("POST", path, {"name": "more", "image": IMAGE})

    assert last.status == 201
    assert (reply.status, reply.code) == (400, 30008)
