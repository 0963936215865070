"""Checks of pictures in messages: sent, kept by an edit, replaced, and taken away."""

import io
from dataclasses import dataclass
from typing import Any, Final, cast

import discord
from discord.http import MultipartParameters, handle_message_parameters
from PIL import Image

from bot.messaging.content import MAX_ALT_LENGTH, Layout, MessageContent, Picture
from bot.operations.smoke.lines import Checks, DiffersError, needed
from bot.operations.smoke.messages import MALFORMED, refused, taken
from bot.operations.smoke.requests import Json
from bot.operations.smoke.trial import Trial, components, content, payload

NO_PICTURE: Final = "there is no picture to try it on"

checks = Checks()


def draw(shade: int) -> bytes:
    """A small square in this shade of gray (0 to 255), as PNG."""
    drawn = io.BytesIO()
    Image.new("L", (8, 8), shade).save(drawn, "PNG")
    return drawn.getvalue()


def pictured(topic: str, shade: int) -> MessageContent:
    """A message with a picture, like those of matches."""
    alt = f"Grey {shade}. ".ljust(MAX_ALT_LENGTH, "x")
    picture = Picture(name="smoke", draw=draw, subject=shade, alt=alt)
    return MessageContent(head=content(topic).head, picture=picture)


def upload(shown: MessageContent) -> tuple[Layout, discord.File]:
    """The layout and the file of a message whose picture is uploaded."""
    assert shown.picture is not None
    name = shown.picture.file
    file = discord.File(io.BytesIO(shown.picture.draw(shown.picture.subject)), filename=name)
    return Layout(shown, f"attachment://{name}"), file


def uploading(shown: MessageContent) -> MultipartParameters:
    view, file = upload(shown)
    none = discord.AllowedMentions.none()
    return handle_message_parameters(view=view, attachments=[file], allowed_mentions=none)


def hooked(shown: MessageContent) -> dict[str, Any]:
    """Arguments for an edit through a webhook that uploads a picture."""
    view, file = upload(shown)
    return {"view": view, "attachments": [file]}


@dataclass(frozen=True, slots=True)
class Kept:
    """An attachment to keep, as an edit lists it."""

    id: str
    filename: str
    url: str

    @classmethod
    def of(cls, message: Json) -> "Kept":
        media = gallery(message)["media"]
        name = media["url"].split("?")[0].rsplit("/", 1)[-1]
        return cls(media["attachment_id"], name, media["url"])

    def to_dict(self) -> Json:
        return {"id": self.id, "filename": self.filename}


def gallery(message: Json) -> Json:
    """The item in the media gallery of a message; DiffersError if there is none."""
    for part in message["components"][0]["components"]:
        if part["type"] == discord.ComponentType.media_gallery.value:
            return cast(Json, part["items"][0])  # JSON has no types
    raise DiffersError("no picture in the answer")


def kept(before: Json, after: Json) -> str:
    """What was seen, if a message shows the same attachment as before; DiffersError if not."""
    if gallery(after)["media"].get("attachment_id") != Kept.of(before).id:
        raise DiffersError("not the same attachment")
    return "the same attachment"


@checks.add("A picture sent with a new message", "in the gallery, under its file name")
async def sent(trial: Trial) -> str:
    shown = pictured("picture sent", 80)
    message = taken(await trial.post(uploading(shown)))
    trial.picture = message
    return shows(message, shown)


def shows(message: Json, shown: MessageContent) -> str:
    """What was seen, if a message shows the picture uploaded with it; DiffersError if not."""
    assert shown.picture is not None
    media = gallery(message)["media"]
    if not media.get("attachment_id"):
        raise DiffersError("in the gallery, without an attachment_id")
    if Kept.of(message).filename != shown.picture.file:
        raise DiffersError("in the gallery, under another name")
    return "there, with its attachment_id and its name"


@checks.add("Its description of 1024 characters", "kept")
async def description(trial: Trial) -> str:
    length = len(gallery(needed(trial.picture, NO_PICTURE)).get("description") or "")
    if length != MAX_ALT_LENGTH:
        raise DiffersError(f"{length} characters")
    return "kept"


@checks.add("An edit that keeps it: `attachment://<name>`, id and filename", "the same attachment")
async def kept_by_name(trial: Trial) -> str:
    before = needed(trial.picture, NO_PICTURE)
    by_name = Kept.of(before)
    url = f"attachment://{by_name.filename}"
    return kept(before, await _edited(trial, "kept by name", url, by_name.to_dict()))


@checks.add("The same by its CDN address and id", "not that attachment", relied_on=False)
async def kept_by_address(trial: Trial) -> str:
    by_address = Kept.of(needed(trial.picture, NO_PICTURE))
    attachment = {"id": by_address.id}
    after = await _edited(trial, "kept by address", by_address.url, attachment)
    if gallery(after)["media"].get("attachment_id") == by_address.id:
        raise DiffersError("the same attachment")
    return "not that attachment"


async def _edited(trial: Trial, topic: str, url: str, attachment: Json) -> Json:
    """The message after an edit that keeps one file and shows the picture at this URL."""
    before = needed(trial.picture, NO_PICTURE)
    parts = components(pictured(topic, 80), url)
    body = payload(content(""), components=parts, attachments=[attachment])
    return taken(await trial.edit(body, int(before["id"])))


@checks.add("An edit that keeps what is not there", "refused, 50035")
async def stale(trial: Trial) -> str:
    message = needed(trial.picture, NO_PICTURE)
    gone = Kept(message["id"], "smoke.png", "")
    parts = components(pictured("kept though gone", 80), f"attachment://{gone.filename}")
    body = payload(content(""), components=parts, attachments=[gone.to_dict()])
    return refused(await trial.edit(body, int(message["id"])), MALFORMED)


@checks.add("An edit that sends another picture", "in the gallery, under its file name")
async def replaced(trial: Trial) -> str:
    before = needed(trial.picture, NO_PICTURE)
    shown = pictured("picture replaced", 160)
    after = taken(await trial.edit(uploading(shown), int(before["id"])))
    return shows(after, shown)


@checks.add("An edit to words: `attachments: []`", "no picture and no attachment")
async def taken_away(trial: Trial) -> str:
    message = needed(trial.picture, NO_PICTURE)
    body = payload(content("picture taken away"), attachments=[])
    after = taken(await trial.edit(body, int(message["id"])))
    if after["attachments"] or len(after["components"][0]["components"]) != 1:
        raise DiffersError("something of it is left")
    return "neither"
