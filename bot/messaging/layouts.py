"""Turns content into what is sent to Discord: commands become links, the picture a file."""

import asyncio
import io
from typing import Final, cast

import discord
import structlog

from bot.messaging.arrivals import Media
from bot.messaging.command_ids import CommandIds
from bot.messaging.content import MAX_PLAIN_LENGTH, Layout, MessageContent, PlainButtons
from bot.messaging.failures import Files
from bot.messaging.picture_cache import PictureCache

log = structlog.get_logger()

MAX_DRAWING_SECONDS: Final = 10.0
"""Seconds that drawing a picture may take before the message is sent in words."""


class Layouts:
    def __init__(self, pictures: PictureCache, commands: CommandIds) -> None:
        self._pictures = pictures
        self._commands = commands

    def words(self, sentence: str) -> str:
        """A sentence that is an answer by itself, with its commands as links."""
        return self._commands.tappable(sentence)

    def plain(self, content: MessageContent) -> tuple[str, PlainButtons]:
        """The head and buttons of a message in Discord's older form, without Components V2."""
        linked = self._commands.tappable(content.head)
        words = linked if len(linked) <= MAX_PLAIN_LENGTH else content.head[:MAX_PLAIN_LENGTH]
        return words, PlainButtons(content.rows)

    async def in_time(self, content: MessageContent, had: Media | None) -> MessageContent:
        """The content once its picture is drawn; in words if that takes too long or fails."""
        if had is not None and had.shows(content):
            return content
        try:
            async with asyncio.timeout(MAX_DRAWING_SECONDS):
                if content.picture is not None:
                    await self._pictures.png(content.picture)
        except TimeoutError:
            return content.in_words()
        except Exception:  # a bug of ours, or the worker was killed twice: words still work
            log.exception("picture not drawn", file=content.picture and content.picture.file)
            return content.in_words()
        return content

    async def of(self, content: MessageContent, had: Media | None) -> tuple[Layout, Files]:
        """The layout and files of a message; a picture that Discord already has is kept."""
        content = content.with_text(self._commands.tappable)
        if content.picture is None:
            return Layout(content, None), []
        if had is not None and had.shows(content):
            kept = cast(discord.Attachment, had)  # discord.py only calls `to_dict`
            return Layout(content, f"attachment://{had.file}"), [kept]
        png = await self._pictures.png(content.picture)
        file = discord.File(io.BytesIO(png), filename=content.picture.file)
        return Layout(content, f"attachment://{content.picture.file}"), [file]
