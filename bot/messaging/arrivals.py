"""A message that Discord has accepted: where it is, and which picture it shows."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import discord

from bot.messaging.content import MessageContent


@dataclass(frozen=True, slots=True)
class Media:
    """A picture that Discord already has, as an attachment of a message."""

    file: str
    attachment: int

    def shows(self, content: MessageContent) -> bool:
        """Whether this is the picture of the content, compared by file name."""
        return content.picture is not None and content.picture.file == self.file

    def to_dict(self) -> dict[str, Any]:
        """The attachment in the form in which an edit lists those to keep.

        The components refer to it by file name: Discord doesn't recognize its own URL of an
        attachment that is kept.
        """
        return {"id": self.attachment, "filename": self.file}


@dataclass(frozen=True, slots=True)
class Arrived:
    """A message as it is at Discord now."""

    channel: int
    message: int
    media: Media | None
    plain: bool = False
    """Whether it's in Discord's older form (`content` and buttons, no Components V2), in which
    messages that notify somebody are sent."""


def as_arrived(message: discord.Message) -> Arrived:
    """One of our messages, as Discord returned it."""
    plain = not message.flags.components_v2
    return Arrived(message.channel.id, message.id, media(message), plain)


def media(message: discord.Message) -> Media | None:
    """The picture that one of our messages shows, or None."""
    for part in message.components:
        for inner in getattr(part, "children", ()):
            if isinstance(inner, discord.MediaGalleryComponent):
                item = inner.items[0].media
                if item.attachment_id is not None:
                    file = urlsplit(item.url).path.rpartition("/")[-1]
                    return Media(file, item.attachment_id)
    return None
