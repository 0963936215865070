"""What Discord refuses in an archived thread: the thread is opened for it, and archived again."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final, TypeVar

import discord
import structlog

from bot.messaging.failures import (
    Failure,
    UndeliveredError,
    once_more,
    translating_discord_errors,
)
from bot.messaging.request_pace import RequestPace

log = structlog.get_logger()

T = TypeVar("T")

OPENING: Final = "-# Opening this thread to update an old message in it."

NOT_ALLOWED: Final = frozenset({Failure.FORBIDDEN, Failure.NOWHERE})
"""How Discord may refuse to let the bot open a thread by an edit."""


class ArchivedThreads:
    def __init__(self, client: discord.Client, pace: RequestPace) -> None:
        self._client = client
        self._pace = pace
        self._lock = asyncio.Lock()  # or one change would archive the thread before the other

    async def also_there(self, channel: int, change: Callable[[], Awaitable[T]]) -> T:
        """What this change of a message gives, in an archived thread too.

        A thread that the bot has begun it may archive again; where it may not, Discord does that
        after the silence set for it. One that is locked stays as it is.
        """
        try:
            return await change()
        except UndeliveredError as error:
            if error.failure is not Failure.ARCHIVED:
                raise
        async with self._lock:
            await self._open(channel)
            try:
                return await change()
            except UndeliveredError as error:
                if error.failure is not Failure.ARCHIVED:
                    raise
                # Somebody has archived it in the same moment, which is no reason to give up.
                raise UndeliveredError(Failure.TROUBLE) from error
            finally:
                with suppress(UndeliveredError):
                    await self._set(channel, archived=True)

    async def _open(self, thread: int) -> None:
        """Let changes be made in a thread.

        Discord's documents contradict each other on who may do that by an edit: whoever may write
        there, or whoever was added to it, and answers to commands add nobody. A message opens it
        in any case.
        """
        try:
            await self._set(thread, archived=False)
        except UndeliveredError as error:
            if error.failure not in NOT_ALLOWED:
                raise
            await self._write(thread)

    async def _write(self, thread: int) -> None:
        """Send a message that notifies nobody, and delete it."""
        partial = self._client.get_partial_messageable(thread)
        named, nonce = discord.AllowedMentions.none(), f"open.{secrets.token_hex(10)}"

        async def send() -> discord.Message:
            await self._pace.turn()
            with translating_discord_errors():
                return await partial.send(OPENING, nonce=nonce, silent=True, allowed_mentions=named)

        message = await once_more(send)  # or what stands there could not be deleted
        await self._pace.turn()
        try:
            with translating_discord_errors():
                await message.delete()
        except UndeliveredError as error:  # what the thread was opened for is worth more
            log.info("opening message stays", channel=thread, why=error.failure.name)

    async def _set(self, channel: int, *, archived: bool) -> None:
        await self._pace.turn()
        with translating_discord_errors():
            await self._client.http.edit_channel(channel, archived=archived)
