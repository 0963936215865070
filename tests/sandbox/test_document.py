"""The check against Discord's OpenAPI document: what it finds, and the sandbox's own answers."""

from datetime import UTC, datetime

import pytest

from sandbox import LoggedRequest
from sandbox.permissions import Permission
from tests.support.discord_document import document, response_violations, violations
from tests.support.rest_client import png

needs_document = pytest.mark.skipif(document() is None, reason="DISCORD_OPENAPI is not set")


def request(method="POST", path="/channels/1/messages", body=None, **fields):
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return LoggedRequest(
        method=method, path=path, query=fields.pop("query", {}), json=body, at=at, **fields
    )


BUTTON = {"type": 2, "style": 1, "label": "x", "custom_id": "a"}


@needs_document
@pytest.mark.parametrize(
    "good",
    [
        request(body={"content": "x", "nonce": "n", "enforce_nonce": True}),
        request(body={"components": [{"type": 1, "components": [BUTTON]}]}),
        request(body={"allowed_mentions": {"users": [123]}}),
        request("POST", "/users/@me/channels", {"recipient_id": 123}),
        request("GET", "/channels/1/messages", query={"limit": "5"}),
        request(
            "POST",
            "/interactions/1/t/callback",
            {"type": 5, "data": {"flags": 64}},
            query={"with_response": "true"},
        ),
        request(body={"content": "x"}, multipart=True, files=[("a.png", "image/png")]),
    ],
    ids=lambda request: f"{request.method} {request.path}",
)
def test_valid_requests_pass(good):
    assert violations([good]) == []


@needs_document
@pytest.mark.parametrize(
    ("bad", "found"),
    [
        (request("GET", "/nothing"), "no such operation"),
        (request("GET", "/channels/abc"), "no such operation"),
        (request(body={"content": 3}), "is not of type"),
        (request(body={"content": "x", "colour": 1}), "colour is not declared"),
        (
            request(body={"components": [{"type": 1, "components": [{**BUTTON, "size": 2}]}]}),
            "components.size is not declared",
        ),
        (
            request(
                body={"components": [{"type": 1, "components": [{**BUTTON, "label": "x" * 81}]}]}
            ),
            "too long",
        ),
        (request(body={"embeds": [{"fields": [{"name": "a"}]}]}), "'value' is a required"),
        (request("PATCH", "/channels/1/messages/2", None), "a body is required"),
        (request("DELETE", "/channels/1/messages/2", {}), "no body is declared"),
        (request("GET", "/channels/1/messages", query={"limit": "many"}), "does not fit"),
        (request("GET", "/channels/1/messages", query={"skip": "1"}), "'skip' is not declared"),
        (request("PUT", "/applications/1/commands", [{"name": "x" * 33}]), "too long"),
        (request("POST", "/interactions/1/t/callback", {"type": 99}), "$"),
    ],
    ids=lambda value: value if isinstance(value, str) else f"{value.method} {value.path}",
)
def test_violations_are_found(bad, found):
    told = violations([bad])

    assert told
    assert found in "\n".join(told)
    assert violations([bad]) == told  # only valid values are remembered


@needs_document
async def test_the_sandboxs_answers_to_a_bot_are_valid(discord, bot):
    ann, bo = discord.person("Ann"), discord.person("Bo")
    shown = (await ann.slash("show", channel="games", acts="later think ask selects")).message
    await (await ann.click(shown, "Later")).settled()
    await (await bo.click(shown, "Think")).settled()
    await ann.submit(await ann.click(shown, "Ask"), {"name": "x", "color": "Red"})
    selects = (await ann.slash("show", channel="games", acts="selects")).message
    await ann.select(selects, "Whom", bo)
    await ann.autocomplete("paint", "move", "E", channel="games", color="red")
    await ann.context_menu("Greet", user=bo, channel="games")
    await (await bot.fetch_user(ann.id)).send("hello")
    await bot.fetch_guild(discord.world.guild.id)
    await bot.fetch_channel(discord.world.channel("games").id)
    await bot.get_guild(discord.world.guild.id).fetch_member(ann.id)

    assert response_violations(discord.requests) == []


@needs_document
async def test_the_sandboxs_answers_to_other_requests_are_valid(refusing, rest):
    """Requests that discord.py doesn't make."""
    allowed = Permission.READ_MESSAGE_HISTORY | Permission.CREATE_PUBLIC_THREADS
    refusing.world.set_permissions("games", allow=allowed)
    v2 = {
        "flags": 1 << 15,
        "components": [
            {"type": 10, "content": "x"},
            {"type": 12, "items": [{"media": {"url": "attachment://a.png"}}]},
            {"type": 9, "components": [{"type": 10, "content": "y"}], "accessory": BUTTON},
            {"type": 13, "file": {"url": "attachment://b.txt"}},
            {"type": 17, "components": [{"type": 14}]},
        ],
    }
    embeds = {"embeds": [{"title": "t", "image": {"url": "attachment://c.png"}}]}
    sent = await rest("POST", f"{rest.games}/messages", v2, files={"a.png": png(), "b.txt": b"b"})
    await rest("POST", f"{rest.games}/messages", embeds, files={"c.png": png(), "d.png": png()})
    await rest("POST", f"{rest.games}/messages/{sent.body['id']}/threads", {"name": "t"})
    guild = refusing.world.guild.id
    for path in [
        f"{rest.games}/messages",
        f"/guilds/{guild}",
        f"/guilds/{guild}/channels",
        f"/guilds/{guild}/roles",
        f"/guilds/{guild}/threads/active",
        f"/guilds/{guild}/members/{refusing.person('Bo').id}",
        f"/channels/{sent.body['id']}/thread-members",
        "/users/@me",
        "/applications/@me",
        "/gateway/bot",
        f"{rest.application}/emojis",
    ]:
        assert (await rest("GET", path)).status == 200, path
    await rest("POST", f"{rest.application}/commands", {"name": "a", "description": "b"})
    await rest("POST", f"{rest.games}/messages", {})

    assert response_violations(refusing.requests) == []
