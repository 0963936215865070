"""`/games`: what I play everywhere, those matches first that wait for me."""

import discord
from discord import app_commands

from bot.client import Facedown
from bot.interactions.cog import ActCog, act
from bot.matches.listing import listing
from bot.messaging.components import Press
from bot.messaging.content import Sheet
from bot.rendering.match_list import WITHDRAW, listing_sheet

Interaction = discord.Interaction[Facedown]


class Games(ActCog):
    @app_commands.command()
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    async def games(self, interaction: Interaction) -> None:
        """See all your matches and challenges, those first that wait for you."""
        await self.bot.delivery.answer_privately(interaction, await self._sheet(interaction, 0))

    @act("games")
    async def turn(self, interaction: Interaction, press: Press) -> None:
        """Show another page, or what a page shows when a challenge on it has been withdrawn."""
        if press.arg == WITHDRAW:
            await self.bot.matches.withdraw(press.match, interaction.user.id)
            self.bot.updates.changed(press.match)
            self.bot.updates.now(press.match)
        sheet = await self._sheet(interaction, press.step)
        await self.bot.delivery.answer_in_place(interaction, sheet)

    async def _sheet(self, interaction: Interaction, page: int) -> Sheet:
        entries = await listing(self.bot.storage, interaction.user.id)
        return listing_sheet(entries, self.bot.presentations, page)


async def setup(bot: Facedown) -> None:
    await bot.add_cog(Games(bot))
