"""The ids of our slash commands at Discord, by which a text leads to them."""

from collections.abc import Mapping

import discord

from bot.storage import Storage
from bot.text import tappable


class CommandIds:
    """Read once: a command keeps its id while it keeps its name, and a start sends them first."""

    def __init__(self, client: discord.Client, storage: Storage) -> None:
        self._client = client
        self._storage = storage
        self._known: Mapping[str, int] = {}

    def tappable(self, text: str) -> str:
        """A text with its commands to be tapped, as far as ids were read; it asks nobody."""
        return tappable(text, self._known)

    async def known(self) -> Mapping[str, int]:
        """The ids by the names of whole commands; none until Discord has taken them."""
        application = self._client.application_id
        if not self._known and application is not None:
            async with self._storage.reading() as reading:
                self._known = await reading.commands.ids(application)
        return self._known
