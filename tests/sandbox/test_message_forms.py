"""What Discord refuses in a message: the path and code of each error in the form."""

from typing import Any

import pytest

from sandbox.world import GAMES_ID
from tests.support.rest_client import png

V2 = 1 << 15
FIRST = "components.0.components.0"
"""The path of the first component in the first row."""

EMBED = {"title": "t"}


def row(*components: Any) -> dict[str, Any]:
    return {"type": 1, "components": list(components)}


def button(custom_id: str | None = "a", **fields: Any) -> dict[str, Any]:
    return {"type": 2, "style": 1, "label": "x", "custom_id": custom_id, **fields}


def select(*values: str, default: bool = False, **fields: Any) -> dict[str, Any]:
    options = [
        {"label": value[:100] or "x", "value": value, "default": default} for value in values
    ]
    return {"type": 3, "custom_id": "s", "options": options, **fields}


def users(*chosen: Any) -> dict[str, Any]:
    return {"type": 5, "custom_id": "u", "default_values": list(chosen)}


def channels(chosen: int, **fields: Any) -> dict[str, Any]:
    defaults = [{"id": str(chosen), "type": "channel"}]
    return {"type": 8, "custom_id": "c", "default_values": defaults, **fields}


def text(content: str = "x") -> dict[str, Any]:
    return {"type": 10, "content": content}


def v2(*components: Any, **fields: Any) -> dict[str, Any]:
    return {"flags": V2, "components": list(components), **fields}


def gallery(url: str = "https://example.com/a.png", **item: Any) -> dict[str, Any]:
    return {"type": 12, "items": [{"media": {"url": url}, **item}]}


FORMS: dict[str, tuple[dict[str, Any], str]] = {
    "long content": ({"content": "x" * 2001}, "content BASE_TYPE_MAX_LENGTH"),
    "content no text": ({"content": [1]}, "content STRING_TYPE_CONVERT"),
    "6 rows": (
        {"components": [row(button(str(n))) for n in range(6)]},
        "components BASE_TYPE_BAD_LENGTH",
    ),
    "empty row": ({"components": [row()]}, "components.0.components BASE_TYPE_BAD_LENGTH"),
    "6 buttons": (
        {"components": [row(*[button(str(n)) for n in range(6)])]},
        "components.0.components BASE_TYPE_BAD_LENGTH",
    ),
    "wide row": (
        {"components": [row(select("1"), button())]},
        "components.0.components.1 COMPONENT_LAYOUT_WIDTH_EXCEEDED",
    ),
    "button without custom id": (
        {"components": [row(button(None))]},
        f"{FIRST}.custom_id BUTTON_COMPONENT_CUSTOM_ID_REQUIRED",
    ),
    "empty custom id": (
        {"components": [row(button(""))]},
        f"{FIRST}.custom_id BASE_TYPE_BAD_LENGTH",
    ),
    "long custom id": (
        {"components": [row(button("x" * 101))]},
        f"{FIRST}.custom_id BASE_TYPE_BAD_LENGTH",
    ),
    "duplicate custom id": (
        {"components": [row(button("a"), button("a"))]},
        "components.0.components.1.custom_id COMPONENT_CUSTOM_ID_DUPLICATED",
    ),
    "link without url": (
        {"components": [row(button(None, style=5))]},
        f"{FIRST}.url BUTTON_COMPONENT_URL_REQUIRED",
    ),
    "link with custom id": (
        {"components": [row(button("a", style=5, url="https://a.b"))]},
        f"{FIRST}.custom_id BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE",
    ),
    "link to nowhere": (
        {"components": [row(button(None, style=5, url="ftp://a.b"))]},
        f"{FIRST}.url URL_TYPE_INVALID_SCHEME",
    ),
    "long url": (
        {"components": [row(button(None, style=5, url="https://a.b/" + "x" * 512))]},
        f"{FIRST}.url BASE_TYPE_MAX_LENGTH",
    ),
    "unknown style": ({"components": [row(button(style=9))]}, f"{FIRST}.style BASE_TYPE_CHOICES"),
    "bare button": (
        {"components": [row(button(label=None))]},
        f"{FIRST}.label BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED",
    ),
    "long label": (
        {"components": [row(button(label="x" * 81))]},
        f"{FIRST}.label BASE_TYPE_MAX_LENGTH",
    ),
    "no emoji": (
        {"components": [row(button(emoji={"name": "smile"}))]},
        f"{FIRST}.emoji.name BUTTON_COMPONENT_INVALID_EMOJI",
    ),
    "no such emoji": (
        {"components": [row(button(emoji={"name": "x", "id": "123"}))]},
        f"{FIRST}.emoji.id BUTTON_COMPONENT_INVALID_EMOJI",
    ),
    "no options": ({"components": [row(select())]}, f"{FIRST}.options BASE_TYPE_BAD_LENGTH"),
    "26 options": (
        {"components": [row(select(*map(str, range(26))))]},
        f"{FIRST}.options BASE_TYPE_BAD_LENGTH",
    ),
    "same option": (
        {"components": [row(select("1", "1"))]},
        f"{FIRST}.options.1.value SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
    ),
    "long option": (
        {"components": [row(select("x" * 101))]},
        f"{FIRST}.options.0.value BASE_TYPE_BAD_LENGTH",
    ),
    "too many values": (
        {"components": [row(select("1", max_values=2))]},
        f"{FIRST}.max_values SELECT_COMPONENT_MAX_VALUES_EXCEEDS_OPTIONS",
    ),
    "min above max": (
        {"components": [row(select("1", "2", min_values=2))]},
        f"{FIRST}.min_values SELECT_COMPONENT_MIN_VALUES_INVALID",
    ),
    "long placeholder": (
        {"components": [row(select("1", placeholder="x" * 151))]},
        f"{FIRST}.placeholder BASE_TYPE_MAX_LENGTH",
    ),
    "v2 without the flag": ({"components": [text()]}, "components.0.type UNION_TYPE_CHOICES"),
    "v2 with content": (
        v2(text(), content="x"),
        "content MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
    ),
    "v2 with embeds": (
        v2(text(), embeds=[EMBED]),
        "embeds MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
    ),
    "41 components": (v2(*[text()] * 40, text()), "components BASE_TYPE_MAX_LENGTH"),
    "41 nested": (
        v2({"type": 17, "components": [text()] * 40}),
        "components COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
    ),
    "4001 characters": (
        v2(text("x" * 2001), text("x" * 2000)),
        "components COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
    ),
    "empty text": (v2(text("")), "components.0.content BASE_TYPE_REQUIRED"),
    "blank text": (v2(text(" \n ")), "components.0.content BASE_TYPE_REQUIRED"),
    "button at the top": (v2(button()), "components.0.type UNION_TYPE_CHOICES"),
    "container in container": (
        v2({"type": 17, "components": [{"type": 17, "components": [text()]}]}),
        f"{FIRST}.type UNION_TYPE_CHOICES",
    ),
    "section without accessory": (
        v2({"type": 9, "components": [text()]}),
        "components.0.accessory BASE_TYPE_REQUIRED",
    ),
    "section of 4": (
        v2({"type": 9, "components": [text()] * 4, "accessory": button()}),
        "components.0.components BASE_TYPE_BAD_LENGTH",
    ),
    "same id": (
        v2({**text(), "id": 5}, {**text(), "id": 5}),
        "components.1.id COMPONENT_ID_DUPLICATED",
    ),
    "empty gallery": (v2({"type": 12, "items": []}), "components.0.items BASE_TYPE_BAD_LENGTH"),
    "11 pictures": (
        v2({"type": 12, "items": gallery()["items"] * 11}),
        "components.0.items BASE_TYPE_BAD_LENGTH",
    ),
    "long alt text": (
        v2(gallery(description="x" * 1025)),
        "components.0.items.0.description BASE_TYPE_BAD_LENGTH",
    ),
    "no such attachment": (
        v2(gallery("attachment://a.png")),
        "components.0.items.0.media.url UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
    ),
    "foreign file": (
        v2({"type": 13, "file": {"url": "https://a.b/c"}}),
        "components.0.file.url UNFURLED_MEDIA_ITEM_ATTACHMENT_REFERENCE_REQUIRED",
    ),
    "color": (
        v2({"type": 17, "accent_color": 1 << 24, "components": [text()]}),
        "components.0.accent_color NUMBER_TYPE_MAX",
    ),
    "11 embeds": ({"embeds": [EMBED] * 11}, "embeds BASE_TYPE_MAX_LENGTH"),
    "embeds over 6000": (
        {"embeds": [{"description": "x" * 4000}, {"description": "x" * 2001}]},
        "embeds MAX_EMBED_SIZE_EXCEEDED",
    ),
    "embeds over 6000 by what is small": (
        {
            "embeds": [
                {"description": "x" * 4000, "footer": {"text": "x" * 1000}},
                {"author": {"name": "x" * 200}, "fields": [{"name": "a", "value": "x" * 800}]},
            ]
        },
        "embeds MAX_EMBED_SIZE_EXCEEDED",
    ),
    "long title": ({"embeds": [{"title": "x" * 257}]}, "embeds.0.title BASE_TYPE_MAX_LENGTH"),
    "long description": (
        {"embeds": [{"description": "x" * 4097}]},
        "embeds.0.description BASE_TYPE_MAX_LENGTH",
    ),
    "26 fields": (
        {"embeds": [{"fields": [{"name": "a", "value": "b"}] * 26}]},
        "embeds.0.fields BASE_TYPE_MAX_LENGTH",
    ),
    "empty field name": (
        {"embeds": [{"fields": [{"name": "", "value": "b"}]}]},
        "embeds.0.fields.0.name BASE_TYPE_REQUIRED",
    ),
    "long field": (
        {"embeds": [{"fields": [{"name": "a", "value": "x" * 1025}]}]},
        "embeds.0.fields.0.value BASE_TYPE_BAD_LENGTH",
    ),
    "long footer": (
        {"embeds": [{"footer": {"text": "x" * 2049}}]},
        "embeds.0.footer.text BASE_TYPE_MAX_LENGTH",
    ),
    "picture that is not there": (
        {"embeds": [{"image": {"url": "attachment://a.png"}}]},
        "embeds.0.image.url UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
    ),
    "timestamp": (
        {"embeds": [{"title": "a", "timestamp": "soon"}]},
        "embeds.0.timestamp DATE_TIME_TYPE_PARSE",
    ),
    "both ways of mentions": (
        {"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}},
        "allowed_mentions MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
    ),
    "unknown mentions": (
        {"content": "x", "allowed_mentions": {"parse": ["all"]}},
        "allowed_mentions.parse.0 BASE_TYPE_CHOICES",
    ),
    "mentions of one person twice": (
        {"content": "x", "allowed_mentions": {"users": ["1", "2", "1"]}},
        "allowed_mentions.users.2 SET_TYPE_CONTAINS_DUPLICATES",
    ),
    "mentions of no id": (
        {"content": "x", "allowed_mentions": {"roles": ["everyone"]}},
        "allowed_mentions.roles.0 NUMBER_TYPE_COERCE",
    ),
    "unknown type of channels": (
        {"components": [row({"type": 8, "custom_id": "c", "channel_types": [0, 15, 9]})]},
        f"{FIRST}.channel_types.2 BASE_TYPE_CHOICES",
    ),
    "a type of channels twice": (
        {"components": [row({"type": 8, "custom_id": "c", "channel_types": [0, 0]})]},
        f"{FIRST}.channel_types.1 SET_TYPE_CONTAINS_DUPLICATES",
    ),
    "a type of channels that is no number": (
        {"components": [row({"type": 8, "custom_id": "c", "channel_types": [True]})]},
        f"{FIRST}.channel_types.0 BASE_TYPE_CHOICES",
    ),
    "a role chosen among users": (
        {"components": [row(users({"id": "1", "type": "role"}))]},
        f"{FIRST}.default_values.0.type BASE_TYPE_CHOICES",
    ),
    "more users chosen than may be": (
        {"components": [row(users(*({"id": n, "type": "user"} for n in "12")))]},
        f"{FIRST}.default_values SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES",
    ),
    "more options chosen than may be": (
        {"components": [row(select("1", "2", default=True))]},
        f"{FIRST}.options SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES",
    ),
    "a channel chosen that is nowhere": (
        {"components": [row(channels(77))]},
        f"{FIRST}.default_values.0.id SELECT_COMPONENT_INVALID_DEFAULT_VALUE",
    ),
    "a channel chosen of another type": (
        {"components": [row(channels(GAMES_ID, channel_types=[2]))]},
        f"{FIRST}.default_values.0.id SELECT_COMPONENT_INVALID_DEFAULT_VALUE",
    ),
    "long nonce": ({"content": "x", "nonce": "x" * 26}, "nonce BASE_TYPE_MAX_LENGTH"),
    "attachment without a file": (
        {"content": "x", "attachments": [{"id": 0, "filename": "a"}]},
        "attachments.0.id ATTACHMENT_NOT_FOUND",
    ),
    "reply to nothing": (
        {"content": "x", "message_reference": {}},
        "message_reference.message_id BASE_TYPE_REQUIRED",
    ),
}


@pytest.mark.parametrize("name", FORMS)
async def test_an_invalid_message_is_refused_with_the_path_of_each_error(rest, refusing, name):
    body, problem = FORMS[name]

    reply = await rest("POST", f"{rest.games}/messages", body)

    assert (reply.status, reply.code, reply.problems) == (400, 50035, {problem})
    assert reply.body["message"] == "Invalid Form Body"
    assert refusing.person("Ann").see("games") == []


@pytest.mark.parametrize(
    "body",
    [{}, {"content": ""}, {"content": " \n"}, {"embeds": []}, {"components": []}, {"flags": V2}],
    ids=str,
)
async def test_an_empty_message_is_refused(rest, body):
    reply = await rest("POST", f"{rest.games}/messages", body)

    assert (reply.status, reply.code) == (400, 50006)


@pytest.mark.parametrize(
    "body",
    [
        {"content": "x" * 2000},
        {"components": [row(*[button(f"{n}{m}") for m in range(5)]) for n in range(5)]},
        v2({"type": 17, "components": [text("x" * 100)] * 39}),
        v2(text("x" * 4000)),
        v2({"type": 9, "components": [text()] * 3, "accessory": button()}, {"type": 14}),
        {
            "components": [
                row(button(emoji={"name": "♠️"}), button("b", emoji={"name": "👍🏽"}, label=None))
            ]
        },
        {"embeds": [{"description": "x" * 4096}, {"description": "x" * 1904}]},
        {"components": [row(channels(GAMES_ID, channel_types=[0]))]},
    ],
    ids=[
        "content",
        "25 buttons",
        "40 components",
        "4000 characters",
        "section",
        "emojis",
        "6000",
        "a channel chosen",
    ],
)
async def test_messages_at_the_limits_are_accepted(rest, body):
    assert (await rest("POST", f"{rest.games}/messages", body)).status == 200


async def test_an_upload_that_no_component_shows_is_refused(rest):
    reply = await rest("POST", f"{rest.games}/messages", v2(text()), files={"a.png": png()})

    assert (reply.status, reply.code) == (400, 50035)
    assert reply.problems == {"attachments.0 MESSAGE_ATTACHMENT_NOT_REFERENCED"}
