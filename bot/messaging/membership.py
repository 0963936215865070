"""Who is still in a server: asked of the gateway by id, without the privileged intent."""

import asyncio
import time
from collections.abc import Callable, Collection
from datetime import timedelta
from typing import Final

import aiohttp
import discord
import structlog
from cachetools import LRUCache

from bot.errors import NotAllowedHereError

log = structlog.get_logger()

UNKNOWN: Final = (
    "I can't check right now whether you're still in that server. Try again in a minute."
)

BELIEVED_FOR: Final = timedelta(minutes=10)
"""How long an answer is believed."""

MAX_IDS_ASKED: Final = 100
"""Ids in one question, the most that Discord takes."""

PATIENCE_SECONDS: Final = 1.5
"""Seconds to wait for all answers; Discord waits 3 for ours."""

MAX_REMEMBERED_SERVERS: Final = 1000
"""Servers whose members are remembered, those last asked about."""


class Membership:
    def __init__(
        self,
        client: discord.Client,
        *,
        now: Callable[[], float] = time.time,
        patience: float = PATIENCE_SECONDS,
    ) -> None:
        self._client = client
        self._now = now
        self._patience = patience
        self._known: LRUCache[int, dict[int, tuple[bool, float]]] = LRUCache(MAX_REMEMBERED_SERVERS)

    async def gone(self, guild: int, users: Collection[int]) -> frozenset[int] | None:
        """Who of these people is not in this server; None if that cannot be learned now."""
        known = self._remembered(guild)
        unknown = [user for user in users if user not in known]
        if unknown:
            there = await self._ask(guild, unknown)
            if there is None:
                return None
            until = self._now() + BELIEVED_FOR.total_seconds()
            known.update((user, (user in there, until)) for user in unknown)
        return frozenset(user for user in users if not known[user][0])

    async def find(self, guild: discord.Guild, user: int) -> discord.Member | None:
        """This person as a member of a server; None if they are none.

        NotAllowedHereError while that cannot be learned.
        """
        found = await self._query(guild, [[user]])
        if found is None:
            raise NotAllowedHereError(UNKNOWN)
        return next(iter(found), None)

    def forget(self, user: int) -> None:
        """Remember nothing of this person."""
        for known in self._known.values():
            known.pop(user, None)

    def _remembered(self, guild: int) -> dict[int, tuple[bool, float]]:
        """What is known of a server and not too old."""
        now = self._now()
        before = self._known.get(guild, {})
        known = {user: answer for user, answer in before.items() if answer[1] > now}
        self._known[guild] = known
        return known

    async def _ask(self, guild: int, users: list[int]) -> set[int] | None:
        server = self._client.get_guild(guild)
        if server is None or server.unavailable:
            return None
        batches = [users[i : i + MAX_IDS_ASKED] for i in range(0, len(users), MAX_IDS_ASKED)]
        found = await self._query(server, batches)
        return None if found is None else {member.id for member in found}

    async def _query(
        self, server: discord.Guild, batches: list[list[int]]
    ) -> list[discord.Member] | None:
        """Those of these people who are members; None if Discord does not say it in time."""
        try:
            async with asyncio.timeout(self._patience):
                answers = await asyncio.gather(
                    *(
                        server.query_members(user_ids=b, limit=MAX_IDS_ASKED, cache=False)
                        for b in batches
                    )
                )
        except (TimeoutError, OSError, aiohttp.ClientError, discord.DiscordException) as error:
            asked = sum(map(len, batches))
            log.warning("members unknown", asked=asked, error=type(error).__name__)
            return None
        return [member for answer in answers for member in answer]
