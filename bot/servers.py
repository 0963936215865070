"""The settings of servers: what may be played where, and how unless the challenger says it."""

from typing import Any, Final

import discord

from bot.errors import NotAllowedHereError
from bot.storage import Pace, Storage
from bot.storage.settings import ServerRecord, read_server, write_server
from games import GAMES

DEFAULT_PACE: Final[Pace] = "slow"
"""Of a match for which neither challenger nor server has named one."""


class Servers:
    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    async def of(self, guild: int) -> ServerRecord:
        """The settings of this server; the defaults where it has chosen nothing."""
        async with self._storage.reading() as connection:
            return await read_server(connection, guild)

    async def put(self, record: ServerRecord) -> None:
        async with self._storage.transaction() as writing:
            await write_server(writing.connection, record)


def must_allow(settings: ServerRecord, game: str, interaction: discord.Interaction[Any]) -> None:
    """NotAllowedHereError where this server does not let this game be begun in this channel.

    What may be played in a channel may be in its threads.
    """
    if game in settings.games_off:
        raise NotAllowedHereError(
            f"{GAMES[game].title} is switched off in this server; its managers can switch it on "
            "with /settings."
        )
    here = {interaction.channel_id, getattr(interaction.channel, "parent_id", None)}
    if settings.channels and not here & settings.channels:
        where = " or ".join(f"<#{channel}>" for channel in sorted(settings.channels))
        raise NotAllowedHereError(f"Matches are not played in this channel. Challenge in {where}.")
