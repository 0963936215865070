"""Files for one person, and those that people send."""

import asyncio
import io
from dataclasses import dataclass
from typing import Final

import discord

from bot.messaging.failures import translating_discord_errors

MAX_READING_SECONDS: Final = 30.0
"""A file that came with a command is given up if Discord takes longer to hand it over."""


@dataclass(frozen=True, slots=True)
class PersonalFile:
    name: str
    data: bytes

    @property
    def file(self) -> discord.File:
        """The file as the library sends it, once."""
        return discord.File(io.BytesIO(self.data), filename=self.name)


async def read(attachment: discord.Attachment) -> bytes:
    """What somebody has sent with a command."""
    with translating_discord_errors():
        async with asyncio.timeout(MAX_READING_SECONDS):
            return await attachment.read()
