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
        await self.services.delivery.answer_privately(interaction, self._guide().content(FIRST))

    @act("help")
    async def turn(self, interaction: Interaction, press: Press) -> None:
        await self.services.delivery.answer_in_place(interaction, self._guide().content(press.arg))

    def _guide(self) -> HelpPages:
        """Built again each time: a cog may have been loaded or unloaded."""
        return HelpPages.of(
            self.bot.tree, self.services.presentations, self.services.reports.support
        )


async def setup(bot: Facedown) -> None:
    await bot.add_cog(Help(bot))
