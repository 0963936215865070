"""Checks whether a click may reach its match: a custom_id comes from a client and can be forged."""

from collections.abc import Callable
from typing import Any, Final

import discord
from cachetools import TTLCache

from bot.errors import NotAllowedHereError
from bot.matches.watching import GONE
from bot.messaging.channels import Channels
from bot.messaging.known_servers import must_know_server
from bot.messaging.permissions import can_see, may_moderate, may_moderate_archived
from bot.storage import MatchAccessRecord, MatchId, Storage

NOT_HERE: Final = "This match is somewhere else. Use the buttons at its table."

NO_MODERATOR: Final = (
    "You need the Manage Messages permission in the channel of that match to do this."
)

OWN_MATCH: Final = (
    "You play in that match and it's rated, so another moderator has to do this. To give up, use "
    "**Resign** in its **Menu**."
)

MAX_REMEMBERED: Final = 8192
"""Matches whose players' clicks need no query: those clicked on last."""

BELIEVED_SECONDS: Final = 10 * 60
"""Seconds that an entry is trusted: another process may have deleted somebody, and died before it
told the others."""


class MatchAccess:
    """Discord vouches for who clicks and where, but only the custom_id says for which match."""

    def __init__(self, storage: Storage, channels: Channels, *, now: Callable[[], float]) -> None:
        self._storage = storage
        self._channels = channels
        self._known: TTLCache[MatchId, MatchAccessRecord] = TTLCache(
            MAX_REMEMBERED, BELIEVED_SECONDS, timer=now
        )
        """By match: where it is, and who plays. For its players only the server counts, which never
        changes."""

        self._forgotten = 0
        """How often people were forgotten, so that what was read before that isn't kept."""

    async def must_reach(self, interaction: discord.Interaction[Any], match: MatchId) -> None:
        """NotAllowedHereError if this person could not have seen a button of this match here.

        Players see them in the match's server and in direct messages. In its server, others see
        them in the channel of the table, elsewhere if they can read the table, and everywhere once
        the match is over, because `/history` leads there.
        """
        record = self._known.get(match)
        if record is None or interaction.user.id not in record.players:
            record = await self._load(match)
        if record is None or _can_reach(interaction, record):
            return
        if interaction.guild_id != record.guild:
            raise NotAllowedHereError(NOT_HERE)
        must_know_server(interaction)
        raise NotAllowedHereError(GONE)

    async def _load(self, match: MatchId) -> MatchAccessRecord | None:
        """Where the match is and who plays; None if it's gone, which the click's handler says."""
        forgotten = self._forgotten
        async with self._storage.reading() as reading:
            record = await reading.matches.access(match)
        # Don't keep what may be from before a deletion.
        if record is not None and forgotten == self._forgotten:
            self._known[match] = record
        return record

    async def must_moderate(self, interaction: discord.Interaction[Any], match: MatchId) -> None:
        """NotAllowedHereError unless this person may manage messages where a match is played.

        Nor may anybody decide in this way how a rated match of their own ends.
        """
        async with self._storage.reading() as reading:
            record = await reading.matches.access(match)
        if record is None or record.channel is None or record.guild != interaction.guild_id:
            return  # the act itself says that there is no such match here
        if not await self._may_moderate(interaction, record.channel):
            raise NotAllowedHereError(NO_MODERATOR)
        decides = record.status == "running" and record.rated  # a challenge has no result
        if decides and interaction.user.id in record.players:
            raise NotAllowedHereError(OWN_MATCH)

    async def _may_moderate(self, interaction: discord.Interaction[Any], channel: int) -> bool:
        """Whether they may manage messages there; in the whole server if that channel is gone.

        NotAllowedHereError if nothing is known of that server's channels and roles now.
        """
        if channel == interaction.channel_id:
            return may_moderate(interaction, channel)
        must_know_server(interaction)
        guild = interaction.guild
        if guild is None or guild.get_channel_or_thread(channel) is not None:
            return may_moderate(interaction, channel)
        thread = await self._channels.find(channel)
        if thread is None:
            member = interaction.user
            return isinstance(member, discord.Member) and member.guild_permissions.manage_messages
        return may_moderate_archived(interaction, thread.parent, is_private=thread.is_private)

    def forget(self, person: int) -> None:
        """Forget this person."""
        self._forgotten += 1
        for match in list(self._known):
            record = self._known.get(match)  # it may expire meanwhile
            if record is not None and person in record.players:
                self._known.pop(match, None)

    def forget_all(self) -> None:
        """Forget everybody: this process may have missed that another one deleted somebody."""
        self._forgotten += 1
        self._known.clear()


def _can_reach(interaction: discord.Interaction[Any], record: MatchAccessRecord) -> bool:
    here = interaction.guild_id or 0
    if interaction.user.id in record.players:
        return here in {0, record.guild} or not record.guild
    if record.channel is None or here != record.guild:
        return False
    if interaction.channel_id == record.channel:
        return True
    is_over = record.status not in {"open", "running"}
    return bool(here) and (is_over or can_see(interaction, record.channel))
