"""What Discord refuses in an archived thread: the thread is opened for it, and archived again."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Final, NamedTuple, TypeVar

import discord
import structlog

from bot.messaging.failures import (
    PASSING_FAILURES,
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


class FoundThread(NamedTuple):
    """Where a thread is, also one that the library does not know."""

    parent: int
    is_private: bool
    owner: int
    """Who has begun it."""


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

    async def parent_of(self, thread: int) -> int | None:
        """The channel that a thread is in, as in `find`."""
        found = await self.find(thread)
        return None if found is None else found.parent

    async def find(self, thread: int) -> FoundThread | None:
        """A thread, as Discord knows it where the library does not: it knows no archived ones.

        None where Discord has no such thread for us.
        """
        known = self._client.get_channel(thread)
        if isinstance(known, discord.Thread):
            return FoundThread(known.parent_id, known.is_private(), known.owner_id)
        found = None if known is not None else await self._ask(thread)
        if found is None or "thread_metadata" not in found:
            return None  # the parent of any other channel is its category
        is_private = found["type"] == discord.ChannelType.private_thread.value
        return FoundThread(int(found["parent_id"]), is_private, int(found["owner_id"]))

    async def holds(self, thread: int, user: int) -> bool:
        """Whether somebody is in a thread that the bot can look into."""
        await self._pace.turn()
        try:
            with translating_discord_errors():
                await self._client.http.get_thread_member(thread, user)
        except UndeliveredError as error:
            if error.failure in PASSING_FAILURES:
                raise
            return False
        return True

    async def has_threads(self, channel: int) -> bool:
        """Whether a channel that the library does not know is one whose messages have threads."""
        found = await self._ask(channel)
        of_text = {discord.ChannelType.text.value, discord.ChannelType.news.value}
        return found is not None and found["type"] in of_text

    async def _ask(self, channel: int) -> Any | None:  # noqa: ANN401 - as Discord tells it
        """A channel or thread as Discord tells of it; None where it has none such for us."""
        await self._pace.turn()
        try:
            with translating_discord_errors():
                return await self._client.http.get_channel(channel)  # of any kind
        except UndeliveredError as error:
            if error.failure in PASSING_FAILURES:
                raise
            return None

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
