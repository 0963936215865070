"""`/help`: what can be played and how, who can do what, and where to read more."""

import discord
from discord import app_commands

from bot.client import Facedown
from bot.interactions.cog import ActCog, act
from bot.messaging.components import Press
from bot.rendering.help import FIRST
from bot.rendering.help import Help as HelpPages

Interaction = discord.Interaction[Facedown]


class Help(ActCog):
    @app_commands.command()
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    async def help(self, interaction: Interaction) -> None:
        """See what you can play, how to start, all commands and the rules."""
        guide = await self._guide(interaction)
        await self.services.delivery.answer_privately(interaction, guide.content(FIRST))

    @act("help")
    async def turn(self, interaction: Interaction, press: Press) -> None:
        guide = await self._guide(interaction)
        await self.services.delivery.answer_in_place(interaction, guide.content(press.arg))

    async def _guide(self, interaction: Interaction) -> HelpPages:
        """Built again each time: a cog may have been loaded or unloaded."""
        off = None
        if interaction.guild_id is not None:
            off = (await self.services.guild_settings.of(interaction.guild_id)).games_off
        ids = await self.command_ids(interaction)
        return HelpPages.of(
            self.bot.tree,
            self.services.presentations,
            self.services.reports.support,
            ids=ids,
            off=off,
        )


async def setup(bot: Facedown) -> None:
    await bot.add_cog(Help(bot))
