"""The settings of servers: what may be played where, and how unless the challenger says it."""

from typing import Final

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


def must_allow(settings: ServerRecord, game: str, channel: int, parent: int | None) -> None:
    """NotAllowedHereError where this server does not let this game be begun in this channel.

    `parent` is the channel that a thread belongs to: what may be played there may be in its
    threads.
    """
    if game in settings.games_off:
        raise NotAllowedHereError(
            f"{GAMES[game].title} is switched off in this server; its managers can switch it on "
            "with /settings."
        )
    if settings.channels and not {channel, parent} & settings.channels:
        where = " or ".join(f"<#{c}>" for c in sorted(settings.channels))
        raise NotAllowedHereError(f"Matches are not played in this channel. Challenge in {where}.")
