"""Answers to a challenge from a list of matches, away from its table, which then follows."""

from typing import Any, Final

import discord

from bot.errors import NotAllowedHereError
from bot.interactions.absentees import Absentees
from bot.live.live import Live
from bot.matches import Matches
from bot.messaging.channels import Channels
from bot.messaging.permissions import must_be_available, must_have_left
from bot.settings.guilds import GuildSettings
from bot.storage import MatchId

NOT_THERE: Final = (
    "I'm not in that challenge's server anymore, so it can't start. Your list has **Decline**, or "
    "let it expire."
)


class ListedChallenges:
    def __init__(
        self,
        matches: Matches,
        live: Live,
        absentees: Absentees,
        servers: GuildSettings,
        channels: Channels,
    ) -> None:
        self._matches = matches
        self._live = live
        self._absentees = absentees
        self._servers = servers
        self._channels = channels

    async def accept(self, match: MatchId, interaction: discord.Interaction[Any]) -> None:
        """Take the seat that this person was invited to; the last acceptance starts the match."""
        await self._must_have_a_place(match, interaction)
        await self._absentees.must_be_there(match, interaction)
        await self._absentees.give_up_seats(match, interaction.user.id)
        await self._matches.accept(match, interaction.user.id)
        self._live.note_changed(match)

    async def decline(self, match: MatchId, interaction: discord.Interaction[Any]) -> None:
        """Decline a challenge, which ends it unless it has open seats."""
        await self._matches.decline(match, interaction.user.id)
        self._live.note_changed(match)

    async def _must_have_a_place(
        self, match: MatchId, interaction: discord.Interaction[Any]
    ) -> None:
        """NotAllowedHereError if the match couldn't be played where the challenge is."""
        snapshot = await self._matches.public(match)
        if snapshot.guild is None or snapshot.channel is None:
            return
        guild = interaction.client.get_guild(snapshot.guild)
        must_be_available(guild)
        if guild is None:
            must_have_left(snapshot.guild, await self._servers.left())
            raise NotAllowedHereError(NOT_THERE)
        await self._channels.must_be_able_to_play_there(guild, snapshot.channel)
