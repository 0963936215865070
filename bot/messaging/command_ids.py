"""Ids of our slash commands at Discord, which turn their names in a text into links."""

from collections.abc import Mapping

import discord

from bot.storage import Storage
from bot.text import tappable


class CommandIds:
    """Reads them once: a command keeps its id while it keeps its name, and syncing comes first."""

    def __init__(self, client: discord.Client, storage: Storage) -> None:
        self._client = client
        self._storage = storage
        self._known: Mapping[str, int] = {}

    def tappable(self, text: str) -> str:
        """A text with its commands as links, if their ids have been read; this sends no request."""
        return tappable(text, self._known)

    async def known(self) -> Mapping[str, int]:
        """Ids by name of top-level command; empty until Discord has accepted the commands."""
        application = self._client.application_id
        if not self._known and application is not None:
            async with self._storage.reading() as reading:
                self._known = await reading.commands.ids(application)
        return self._known
