"""Files for one person, by direct message or as a private answer, and those that people send."""

import asyncio
import io
from dataclasses import dataclass
from typing import Any, Final

import discord

from bot.messaging.failures import once_more, translating_discord_errors
from bot.messaging.first_answer import FirstAnswer
from bot.messaging.request_pace import RequestPace

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


class FileDelivery:
    def __init__(self, client: discord.Client, pace: RequestPace) -> None:
        self._client = client
        self._pace = pace

    async def send(
        self, channel: int, sentence: str, personal_file: PersonalFile, nonce: str
    ) -> None:
        """Send it by direct message, once more where only Discord's answer was lost.

        It waits for its turn among all requests that Discord counts.
        """
        partial = self._client.get_partial_messageable(channel)

        async def counted() -> None:
            await self._pace.turn()
            with translating_discord_errors(direct=True):
                await partial.send(sentence, file=personal_file.file, nonce=nonce)

        await once_more(counted)

    async def hand_over(
        self, interaction: discord.Interaction[Any], sentence: str, personal_file: PersonalFile
    ) -> None:
        """Give it as the answer that was promised."""
        with translating_discord_errors():
            await FirstAnswer.of(interaction).send(
                private=True, content=sentence, files=[personal_file.file]
            )


async def read(attachment: discord.Attachment) -> bytes:
    """What somebody has sent with a command."""
    with translating_discord_errors():
        async with asyncio.timeout(MAX_READING_SECONDS):
            return await attachment.read()
