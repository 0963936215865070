"""What is asked of Discord about channels, and what is begun there besides messages."""

from datetime import datetime
from typing import Any, Final, NamedTuple, cast

import discord
import structlog

from bot.messaging.failures import (
    PASSING_FAILURES,
    Failure,
    UndeliveredError,
    translating_discord_errors,
)
from bot.messaging.permissions import is_seen, may_edit_in
from bot.messaging.request_pace import RequestPace

log = structlog.get_logger()

HAS_THREAD: Final = 160004
"""What Discord answers where a thread has already been begun from a message."""


class FoundThread(NamedTuple):
    """Where a thread is, also one that the library does not know."""

    parent: int
    is_private: bool
    owner: int
    """Who has begun it."""


class Channels:
    """Most of it asks Discord, in its turn among all requests; some only looks at what is known."""

    def __init__(self, client: discord.Client, pace: RequestPace) -> None:
        self._client = client
        self._pace = pace

    async def is_gone(self, channel: int) -> bool:
        """Whether Discord knows no such channel or thread; False also where it can't say."""
        await self._pace.turn()
        try:
            with translating_discord_errors():
                await self._client.http.get_channel(channel)
        except UndeliveredError as error:
            return error.failure is Failure.NOWHERE
        return False

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

    def is_in_outage(self, guild: int) -> bool:
        """Whether Discord has told that it can't reach this server at present."""
        found = self._client.get_guild(guild)
        return found is not None and found.unavailable

    def joined_at(self, guild: int) -> datetime | None:
        """Since when the bot is in this server; None while Discord does not say."""
        found = self._client.get_guild(guild)
        me: discord.Member | None = None if found is None else found.me  # it may be missing
        return None if me is None else me.joined_at

    def sees(self, channel: int) -> bool:
        """Whether the library knows this channel or thread, and the bot may look into it."""
        return is_seen(self._client.get_channel(channel))

    def may_edit_in(self, channel: int) -> bool:
        """Whether the library knows this channel or thread, and the bot may edit messages there."""
        return may_edit_in(self._client.get_channel(channel))

    async def begin_thread(self, channel: int, message: int, name: str, minutes: int) -> int:
        """A thread from this message, put away after so many minutes; the one it has already."""
        await self._pace.turn()
        try:
            with translating_discord_errors():
                await self._client.http.start_thread_with_message(
                    channel,
                    message,
                    name=name,
                    auto_archive_duration=cast(Any, minutes),  # the library has a literal of them
                    rate_limit_per_user=None,
                )
        except discord.HTTPException as error:
            if error.code != HAS_THREAD:
                log.warning("thread refused", why=str(error))
                raise UndeliveredError(Failure.FORBIDDEN) from error
        return message  # Discord gives a thread the id of the message it is begun from

    async def open_dm(self, user: int) -> int:
        """The channel of direct messages with somebody."""
        await self._pace.turn()
        with translating_discord_errors(direct=True):
            return (await self._client.create_dm(discord.Object(user))).id

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


def is_in_thread(interaction: discord.Interaction[Any]) -> bool:
    """Whether this comes from a thread: whoever a message there may mention is taken into it."""
    return isinstance(interaction.channel, discord.Thread)
