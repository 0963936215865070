"""Files that are sent to one person, and files that people attach to a command."""

import asyncio
import io
from dataclasses import dataclass
from typing import Final

import discord

from bot.messaging.failures import translating_discord_errors

MAX_READING_SECONDS: Final = 30.0
"""Seconds that Discord may take to deliver a file that came with a command."""


@dataclass(frozen=True, slots=True)
class PersonalFile:
    name: str
    data: bytes

    @property
    def file(self) -> discord.File:
        """The file for discord.py, which can send it once."""
        return discord.File(io.BytesIO(self.data), filename=self.name)


async def read(attachment: discord.Attachment) -> bytes:
    """The content of a file that came with a command; UndeliveredError if it can't be read."""
    with translating_discord_errors():
        async with asyncio.timeout(MAX_READING_SECONDS):
            return await attachment.read()
