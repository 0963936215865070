"""What stands at Discord once a message has arrived there: where, and with which picture."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import discord

from bot.messaging.content import MessageContent


@dataclass(frozen=True, slots=True)
class Media:
    """A picture that Discord has already got, as part of a message."""

    file: str
    attachment: int

    @classmethod
    def at(cls, url: str, attachment: int) -> "Media":
        """The picture at an address of Discord's, which ends in its file name and a signature."""
        return cls(urlsplit(url).path.rpartition("/")[-1], attachment)

    def shows(self, content: MessageContent) -> bool:
        """Whether it is the picture of this content, by its file name."""
        return content.picture is not None and content.picture.file == self.file

    def to_dict(self) -> dict[str, Any]:
        """As an edit names an attachment that is to stay.

        Without its name the components could not refer to it: Discord does not take its own
        address of a picture for the picture that is kept.
        """
        return {"id": self.attachment, "filename": self.file}


@dataclass(frozen=True, slots=True)
class Arrived:
    """A message as it stands at Discord now."""

    channel: int
    message: int
    media: Media | None
    plain: bool = False
    """Whether it stands in Discord's older form, in which what notifies somebody is sent."""


def arrived(message: discord.Message) -> Arrived:
    """The same of one of our messages, as Discord has told it."""
    plain = not message.flags.components_v2
    return Arrived(message.channel.id, message.id, media(message), plain)


def media(message: discord.Message) -> Media | None:
    """The picture of one of our messages, or None."""
    for part in message.components:
        for inner in getattr(part, "children", ()):
            if isinstance(inner, discord.MediaGalleryComponent):
                item = inner.items[0].media
                if item.attachment_id is not None:
                    return Media.at(item.url, item.attachment_id)
    return None
