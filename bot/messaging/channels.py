"""Looks up channels and threads, starts threads, and opens direct message channels."""

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any, Final, NamedTuple, TypeVar, cast

import discord
import structlog

from bot.messaging.failures import (
    PASSING_FAILURES,
    Failure,
    UndeliveredError,
    translating_discord_errors,
)
from bot.messaging.permissions import is_seen, may_edit_in, must_be_able_to_play_in
from bot.messaging.request_pace import RequestPace

log = structlog.get_logger()

T = TypeVar("T")

HAS_THREAD: Final = 160004
"""Discord's error code if a message already has a thread."""


class FoundThread(NamedTuple):
    """A thread, possibly one that discord.py doesn't cache."""

    parent: int
    is_private: bool
    owner: int
    """User id of the person or bot that started it."""


class Channels:
    """Most methods send requests, paced with all others; some only read discord.py's cache."""

    def __init__(self, client: discord.Client, pace: RequestPace) -> None:
        self._client = client
        self._pace = pace

    async def is_gone(self, channel: int) -> bool:
        """Whether Discord shows the bot no such channel or thread; False while it can't say."""
        await self._pace.turn()
        try:
            with translating_discord_errors():
                await self._client.http.get_channel(channel)
        except UndeliveredError as error:
            return error.failure is Failure.NOWHERE
        return False

    async def parent_of(self, thread: int) -> int | None:
        """The id of the channel that a thread is in; None where `find` returns None."""
        found = await self.find(thread)
        return None if found is None else found.parent

    async def find(self, thread: int) -> FoundThread | None:
        """Look up a thread in discord.py's cache, which has no archived ones, and then at Discord.

        None if it isn't a thread, or Discord has none that the bot can see. UndeliveredError while
        Discord has trouble.
        """
        known = self._client.get_channel(thread)
        if isinstance(known, discord.Thread):
            return FoundThread(known.parent_id, known.is_private(), known.owner_id)
        data: Any = None
        if known is None:
            data = await self._ask(self._client.http.get_channel, thread)
        if data is None or "thread_metadata" not in data:
            return None  # any other channel's parent is its category
        is_private = data["type"] == discord.ChannelType.private_thread.value
        return FoundThread(int(data["parent_id"]), is_private, int(data["owner_id"]))

    async def must_be_able_to_play_there(self, guild: discord.Guild, channel: int) -> None:
        """`must_be_able_to_play_in` for a channel or thread of this server, also an archived one.

        discord.py knows no archived threads. UndeliveredError while Discord has trouble.
        """
        place = guild.get_channel_or_thread(channel)
        if place is None:
            found = await self._ask(self._client.fetch_channel, channel)
            place = found if isinstance(found, discord.Thread) else None
        must_be_able_to_play_in(guild, place)

    async def has_thread_member(self, thread: int, user: int) -> bool:
        """Whether this user is a member of a thread that the bot can view.

        UndeliveredError while Discord has trouble.
        """
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
        """Whether an uncached channel is of a type whose messages can have threads."""
        data: Any = await self._ask(self._client.http.get_channel, channel)
        of_text = {discord.ChannelType.text.value, discord.ChannelType.news.value}
        return data is not None and data["type"] in of_text

    def is_in_outage(self, guild: int) -> bool:
        """Whether Discord has reported this server as unavailable."""
        server = self._client.get_guild(guild)
        return server is not None and server.unavailable

    def joined_at(self, guild: int) -> datetime | None:
        """When the bot joined this server; None while Discord hasn't said."""
        server = self._client.get_guild(guild)
        me: discord.Member | None = None if server is None else server.me  # it may be missing
        return None if me is None else me.joined_at

    def sees(self, channel: int) -> bool:
        """Whether discord.py knows this channel or thread and the bot may view it."""
        return is_seen(self._client.get_channel(channel))

    def may_edit_in(self, channel: int) -> bool:
        """Whether discord.py knows this channel or thread and the bot may edit messages there."""
        return may_edit_in(self._client.get_channel(channel))

    async def begin_thread(self, channel: int, message: int, name: str, minutes: int) -> int:
        """Start a thread from this message, or find the one that it has; returns the thread's id.

        Discord archives it after `minutes` of inactivity.
        """
        await self._pace.turn()
        try:
            with translating_discord_errors():
                await self._client.http.start_thread_with_message(
                    channel,
                    message,
                    name=name,
                    auto_archive_duration=cast(Any, minutes),  # typed as a Literal by discord.py
                    rate_limit_per_user=None,
                )
        except discord.HTTPException as error:
            if error.code != HAS_THREAD:
                log.warning("thread refused", why=str(error))
                raise UndeliveredError(Failure.FORBIDDEN) from error
        return message  # Discord gives a thread the id of the message it's started from

    async def open_dm(self, user: int) -> int:
        """The id of the direct message channel with this user, opened if necessary."""
        await self._pace.turn()
        with translating_discord_errors(direct=True):
            return (await self._client.create_dm(discord.Object(user))).id

    async def _ask(self, request: Callable[[int], Awaitable[T]], channel: int) -> T | None:
        """What Discord answers about a channel or thread; None if it has none that the bot can see.

        UndeliveredError while Discord has trouble.
        """
        await self._pace.turn()
        try:
            with translating_discord_errors():
                return await request(channel)
        except UndeliveredError as error:
            if error.failure in PASSING_FAILURES:
                raise
            return None


def connected_server(client: discord.Client, guild: int) -> discord.Guild | None:
    """A server that this process is connected to; None if it's gone or in an outage."""
    server = client.get_guild(guild)
    return None if server is None or server.unavailable else server
