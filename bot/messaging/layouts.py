"""Turns content into what is sent to Discord: commands become links, the picture a file."""

import asyncio
import io
from typing import Final, cast

import discord
import structlog

from bot.messaging.arrivals import Media
from bot.messaging.command_ids import CommandIds
from bot.messaging.content import MAX_PLAIN_LENGTH, Layout, MessageContent
from bot.messaging.failures import Files
from bot.messaging.picture_cache import PictureCache

log = structlog.get_logger()

MAX_DRAWING_SECONDS: Final = 10.0
"""Seconds that drawing a picture may take before the message is sent in words."""


class Layouts:
    def __init__(self, pictures: PictureCache, commands: CommandIds) -> None:
        self._pictures = pictures
        self._commands = commands

    def words(self, text: str) -> str:
        """A text that is sent as `content`, with its commands as links if there's room for them."""
        linked = self._commands.tappable(text)
        return linked if len(linked) <= MAX_PLAIN_LENGTH else text[:MAX_PLAIN_LENGTH]

    async def of(self, content: MessageContent, had: Media | None) -> tuple[Layout, Files]:
        """The layout and files of a message; a picture that Discord already has is kept.

        A picture that can't be drawn soon is said in words: a slot that waits for it shows nothing
        newer.
        """
        linked = content.with_text(self._commands.tappable)
        if content.picture is None:
            return Layout(linked, None), []
        if had is not None and had.shows(content):
            kept = cast(discord.Attachment, had)  # discord.py only calls `to_dict`
            return Layout(linked, f"attachment://{had.file}"), [kept]
        try:
            async with asyncio.timeout(MAX_DRAWING_SECONDS):
                png = await self._pictures.png(content.picture)
        except TimeoutError:
            return await self.of(content.in_words(), None)
        except Exception:  # a bug of ours, or the worker was killed twice: words still work
            log.exception("picture not drawn", file=content.picture.file)
            return await self.of(content.in_words(), None)
        file = discord.File(io.BytesIO(png), filename=content.picture.file)
        return Layout(linked, f"attachment://{content.picture.file}"), [file]
