"""`/games`: what I play everywhere, those matches first that wait for me."""

import discord
from discord import app_commands

from bot.client import Facedown
from bot.interactions.cog import ActCog, act
from bot.interactions.contexts import anywhere
from bot.matches.listing import listing
from bot.messaging.components import Press
from bot.messaging.content import MessageContent
from bot.rendering.match_list import WITHDRAW, match_list_content

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
        """Show another page, or what a page shows when a challenge on it has been withdrawn."""
        if press.arg == WITHDRAW:
            await self.services.matches.withdraw(press.match, interaction.user.id)
            self.services.live.changed(press.match)
        content = await self._content(interaction, press.step)
        await self.services.delivery.answer_in_place(interaction, content)

    async def _content(self, interaction: Interaction, page: int) -> MessageContent:
        entries = await listing(self.services.storage, interaction.user.id)
        return match_list_content(entries, self.services.presentations, page)


async def setup(bot: Facedown) -> None:
    await bot.add_cog(Games(bot))
