"""Embeds: their limits, and how Discord returns them."""

from typing import Final

from sandbox.errors import Json
from sandbox.forms import Form
from sandbox.media import Media

MAX_EMBED_CHARACTERS: Final = 6000
PICTURE_FIELDS: Final = ("image", "thumbnail")


def read_embeds(form: Form, media: Media) -> list[Json] | None:
    """The embeds of a body as Discord returns them; None if it has no field `embeds`."""
    if "embeds" not in form.data:
        return None
    embeds, size = [], 0
    for entry in form.forms("embeds", 10):
        embed = _read(entry, media)
        size += _size(embed)
        embeds.append(embed)
    if size > MAX_EMBED_CHARACTERS:
        message = "Embed size exceeds maximum size of 6000"
        form.note("embeds", "MAX_EMBED_SIZE_EXCEEDED", message)
    return embeds


def _read(form: Form, media: Media) -> Json:
    embed: Json = {
        "type": "rich",
        "title": form.text("title", 256),
        "description": form.text("description", 4096),
        "url": form.url("url"),
        "timestamp": form.timestamp("timestamp"),
        "color": form.integer("color", low=0, high=0xFFFFFF),
        "footer": _footer(form, media),
        "author": _author(form, media),
        "fields": [_field(field) for field in form.forms("fields", 25)] or None,
    }
    for name in PICTURE_FIELDS:
        picture = form.form(name)
        if picture is not None:
            embed[name] = media.read(picture, "url", embed=True)
    embed = {key: value for key, value in embed.items() if value is not None}
    if set(embed) == {"type"} and not form.data:
        form.note("description", "BASE_TYPE_REQUIRED", "This field is required")
    return embed


def _field(form: Form) -> Json:
    return {
        "name": form.text("name", 256, low=1, required=True) or "",
        "value": form.text("value", 1024, low=1, required=True) or "",
        "inline": form.flag("inline"),
    }


def _footer(form: Form, media: Media) -> Json | None:
    footer = form.form("footer")
    if footer is None:
        return None
    answer: Json = {"text": footer.text("text", 2048, required=True) or ""}
    if icon := _icon(footer, media):
        answer |= {"icon_url": icon["url"], "proxy_icon_url": icon["proxy_url"]}
    return answer


def _author(form: Form, media: Media) -> Json | None:
    author = form.form("author")
    if author is None:
        return None
    answer: Json = {"name": author.text("name", 256, low=1, required=True) or ""}
    if url := author.url("url"):
        answer["url"] = url
    if icon := _icon(author, media):
        answer |= {"icon_url": icon["url"], "proxy_icon_url": icon["proxy_url"]}
    return answer


def _icon(form: Form, media: Media) -> Json | None:
    return media.read(form, "icon_url", embed=True) if form.has("icon_url") else None


def _size(embed: Json) -> int:
    """The number of characters that count toward the limit of 6000."""
    size = len(embed.get("title", "")) + len(embed.get("description", ""))
    size += len(embed.get("footer", {}).get("text", ""))
    size += len(embed.get("author", {}).get("name", ""))
    return size + sum(len(f["name"]) + len(f["value"]) for f in embed.get("fields", []))
