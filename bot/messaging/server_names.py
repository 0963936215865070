"""Names of servers, for people who look at all their matches from direct messages."""

import asyncio
from collections.abc import Awaitable, Callable, Container, Iterable
from typing import Final

import discord

from bot.messaging.failures import Failure, UndeliveredError, translating_discord_errors
from bot.messaging.request_pace import RequestPace

LONGEST_NAME: Final = 50
"""Characters of a server's name in a list; Discord allows 100."""

MAX_NAMED: Final = 25
"""Servers named in one message: a select has no more options."""

PATIENCE_SECONDS: Final = 1.5
"""Seconds that Discord may take to name a server; somebody is waiting for the list."""

LEFT: Final = "a server I've left"
UNREACHABLE: Final = "a server I can't reach right now"


class ServerNames:
    """Caches nothing: discord.py knows the servers whose shards this process is connected to."""

    def __init__(
        self,
        client: discord.Client,
        pace: RequestPace,
        left: Callable[[], Awaitable[Container[int]]],
    ) -> None:
        self._client = client
        self._pace = pace
        self._left = left

    async def of(self, guilds: Iterable[int]) -> Callable[[int], str]:
        """A function from a server's id to its name, shortened if it's long.

        Discord is asked about servers that discord.py doesn't know and the bot hasn't left:
        another process may hold their shards, or one isn't connected yet.
        """
        wanted = tuple(dict.fromkeys(guilds))[:MAX_NAMED]
        all_known = all(self._client.get_guild(guild) is not None for guild in wanted)
        left: Container[int] = () if all_known else await self._left()
        resolved = await asyncio.gather(*(self._name(guild, left) for guild in wanted))
        names = dict(zip(wanted, resolved, strict=True))
        return lambda guild: names.get(guild, UNREACHABLE)

    async def _name(self, guild: int, left: Container[int]) -> str:
        server = self._client.get_guild(guild)
        name = "" if server is None else server.name  # it may be unknown in an outage
        if server is None and guild in left:
            return LEFT  # Discord counts refused requests
        if not name:
            try:
                async with asyncio.timeout(PATIENCE_SECONDS):
                    name = await self._fetch_name(guild)
            except TimeoutError:
                return UNREACHABLE
            except UndeliveredError as error:
                is_left = server is None and error.failure is Failure.NOWHERE
                return LEFT if is_left else UNREACHABLE
        return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"

    async def _fetch_name(self, guild: int) -> str:
        await self._pace.turn()
        with translating_discord_errors():
            return (await self._client.http.get_guild(guild, with_counts=False))["name"]
