"""Changes messages in archived threads: opens the thread, makes the change, archives it again."""

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
    retrying_lost,
    translating_discord_errors,
)
from bot.messaging.request_pace import RequestPace

log = structlog.get_logger()

T = TypeVar("T")

OPENING: Final = "-# Opening this thread to update an old message in it."

NOT_ALLOWED: Final = frozenset({Failure.FORBIDDEN, Failure.NOWHERE})
"""Failures that mean that the bot may not unarchive a thread by editing it."""


class ArchivedThreads:
    def __init__(self, client: discord.Client, pace: RequestPace) -> None:
        self._client = client
        self._pace = pace
        self._lock = asyncio.Lock()  # or one change would archive the thread during another

    async def change(self, channel: int, change: Callable[[], Awaitable[T]]) -> T:
        """Change a message and return the result, unarchiving its thread if needed.

        The thread is archived again afterward if the bot may do that, as in threads that it has
        started; elsewhere, Discord does it after the thread's own inactivity period. A locked
        thread that the bot may not open stays as it is, and UndeliveredError is raised.
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
                # Somebody archived it at the same moment, which is no reason to give up.
                raise UndeliveredError(Failure.TROUBLE) from error
            finally:
                with suppress(UndeliveredError):
                    await self._set_archived(channel, archived=True)

    async def _open(self, thread: int) -> None:
        """Unarchive a thread.

        Discord's documentation contradicts itself on who may do that by editing the thread: anybody
        who may send messages there, or only its members, and answering a command adds nobody to it.
        Sending a message always unarchives it.
        """
        try:
            await self._set_archived(thread, archived=False)
        except UndeliveredError as error:
            if error.failure not in NOT_ALLOWED:
                raise
            await self._post_and_delete(thread)

    async def _post_and_delete(self, thread: int) -> None:
        """Send a message that notifies nobody, and delete it."""
        partial = self._client.get_partial_messageable(thread)
        named, nonce = discord.AllowedMentions.none(), f"open.{secrets.token_hex(10)}"

        async def send() -> discord.Message:
            await self._pace.turn()
            with translating_discord_errors():
                return await partial.send(OPENING, nonce=nonce, silent=True, allowed_mentions=named)

        message = await retrying_lost(send)  # a message that we don't know of couldn't be deleted
        await self._pace.turn()
        try:
            with translating_discord_errors():
                await message.delete()
        except UndeliveredError as error:  # the change itself matters more
            log.info("opening message stays", channel=thread, why=error.failure.name)

    async def _set_archived(self, channel: int, *, archived: bool) -> None:
        await self._pace.turn()
        with translating_discord_errors():
            await self._client.http.edit_channel(channel, archived=archived)
