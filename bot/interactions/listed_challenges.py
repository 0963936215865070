"""Answers to a challenge from a list of matches, away from its table, which then follows."""

from typing import Any, Final

import discord

from bot.interactions.absentees import Absentees
from bot.interactions.playability import Playability
from bot.live.live import Live
from bot.matches import Matches, PublicSnapshot
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
        playability: Playability,
    ) -> None:
        self._matches = matches
        self._live = live
        self._absentees = absentees
        self._playability = playability

    async def accept(self, match: MatchId, interaction: discord.Interaction[Any]) -> None:
        """Take the seat that this person was invited to; the last acceptance starts the match."""
        challenge = await self._playable(match, interaction)
        await self._absentees.must_be_there(challenge, interaction)
        await self._absentees.give_up_seats(match, interaction.user.id)
        await self._matches.accept(match, interaction.user.id)
        self._live.note_changed(match)

    async def join(self, match: MatchId, interaction: discord.Interaction[Any]) -> None:
        """Take an open seat; the last acceptance starts the match."""
        await self._playable(match, interaction)
        await self._absentees.give_up_seats(match, interaction.user.id)
        await self._matches.join(match, interaction.user.id)
        self._live.note_changed(match)

    async def _playable(
        self, match: MatchId, interaction: discord.Interaction[Any]
    ) -> PublicSnapshot:
        """The challenge; NotAllowedHereError if the bot couldn't run its match where it is."""
        challenge = await self._matches.public(match)
        await self._playability.must_be_playable_there(interaction, challenge, NOT_THERE)
        return challenge

    async def decline(self, match: MatchId, interaction: discord.Interaction[Any]) -> None:
        """Decline a challenge, which ends it unless it has open seats."""
        await self._matches.decline(match, interaction.user.id)
        self._live.note_changed(match)
