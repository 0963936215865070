"""`/games`: what I play everywhere, those matches first that wait for me."""

from types import MappingProxyType
from typing import Final

import discord
from discord import app_commands

from bot.client import Facedown
from bot.interactions.cog import ActCog, act
from bot.interactions.contexts import anywhere
from bot.matches.listing import listing
from bot.messaging.components import Press
from bot.messaging.content import MessageContent
from bot.rendering.match_list import ACCEPT, DECLINE, WITHDRAW, match_list_content
from bot.storage import MatchId

Interaction = discord.Interaction[Facedown]


class Games(ActCog):
    @app_commands.command()
    @anywhere
    async def games(self, interaction: Interaction) -> None:
        """See all your matches and challenges, your turn first."""
        await self.services.delivery.answer_privately(
            interaction, await self._content(interaction, 0)
        )

    @act("games", anywhere=True)
    async def turn(self, interaction: Interaction, press: Press) -> None:
        """Show another page, or do what a button on it says.

        Refused or not, the list is shown as it is now: it offered what was gone.
        """
        try:
            if press.arg in _ANSWERS:
                await _ANSWERS[press.arg](self, interaction, press.match)
                self.services.live.changed(press.match)
        finally:
            content = await self._content(interaction, press.step)
            await self.services.delivery.answer_in_place(interaction, content)

    async def accept(self, interaction: Interaction, match: MatchId) -> None:
        await self.services.absentees.must_be_there(match, interaction)
        await self.services.absentees.give_up_seats(match, interaction.user.id)
        await self.services.matches.accept(match, interaction.user.id)

    async def decline(self, interaction: Interaction, match: MatchId) -> None:
        await self.services.matches.decline(match, interaction.user.id)

    async def withdraw(self, interaction: Interaction, match: MatchId) -> None:
        await self.services.matches.withdraw(match, interaction.user.id)

    async def _content(self, interaction: Interaction, page: int) -> MessageContent:
        entries = await listing(self.services.storage, interaction.user.id)
        return match_list_content(entries, self.services.presentations, page)


_ANSWERS: Final = MappingProxyType(
    {ACCEPT: Games.accept, DECLINE: Games.decline, WITHDRAW: Games.withdraw}
)


async def setup(bot: Facedown) -> None:
    await bot.add_cog(Games(bot))
