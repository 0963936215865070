"""What Discord takes of a content: its commands can be tapped, and its picture is a file."""

import io
from typing import cast

import discord

from bot.messaging.arrivals import Media
from bot.messaging.command_ids import CommandIds
from bot.messaging.content import Layout, MessageContent
from bot.messaging.failures import Files
from bot.messaging.picture_cache import PictureCache


class Layouts:
    def __init__(self, pictures: PictureCache, commands: CommandIds) -> None:
        self._pictures = pictures
        self._commands = commands

    def words(self, sentence: str) -> str:
        """A sentence that is an answer by itself."""
        return self._commands.tappable(sentence)

    async def of(self, content: MessageContent, had: Media | None) -> tuple[Layout, Files]:
        """The layout and the files of a message, keeping the picture where it is the same."""
        content = content.told(self._commands.tappable)
        if content.picture is None:
            return Layout(content, None), []
        if had is not None and had.shows(content):
            # discord.py asks of an attachment to keep nothing but `to_dict`.
            return Layout(content, f"attachment://{had.file}"), [cast(discord.Attachment, had)]
        png = await self._pictures.png(content.picture)
        file = discord.File(io.BytesIO(png), filename=content.picture.file)
        return Layout(content, f"attachment://{content.picture.file}"), [file]
