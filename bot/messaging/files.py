"""Files for one person: by direct message, or as an answer that only that person sees."""

import io
from dataclasses import dataclass
from typing import Any

import discord

from bot.messaging.failures import told
from bot.messaging.first_answer import FirstAnswer


@dataclass(frozen=True, slots=True)
class PersonalFile:
    name: str
    data: bytes

    @property
    def file(self) -> discord.File:
        """The file as the library sends it, once."""
        return discord.File(io.BytesIO(self.data), filename=self.name)


class FileDelivery:
    def __init__(self, client: discord.Client) -> None:
        self._client = client

    async def send(
        self, channel: int, sentence: str, personal_file: PersonalFile, nonce: str
    ) -> None:
        """Send it by direct message; again with the same nonce, it does not come twice."""
        with told(direct=True):
            await self._client.get_partial_messageable(channel).send(
                sentence, file=personal_file.file, nonce=nonce
            )

    async def hand_over(
        self, interaction: discord.Interaction[Any], sentence: str, personal_file: PersonalFile
    ) -> None:
        """Give it as the answer that was promised."""
        with told():
            await FirstAnswer.of(interaction).send(
                private=True, content=sentence, files=[personal_file.file]
            )
