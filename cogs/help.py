"""`/help`: what can be played and how, all commands, and where to read more."""

from dataclasses import replace

from discord import app_commands

from bot.client import Facedown, Interaction
from bot.interactions.cog import ActCog, act
from bot.interactions.contexts import anywhere
from bot.interactions.match_channels import elsewhere
from bot.messaging.components import Press
from bot.messaging.first_answer import Deferral
from bot.messaging.installs import server_of
from bot.messaging.permissions import invite
from bot.rendering.help import FIRST
from bot.rendering.help import Help as HelpPages


class Help(ActCog):
    @app_commands.command()
    @anywhere
    async def help(self, interaction: Interaction) -> None:
        """See what you can play, how to start, all commands and the rules."""
        guide = await self._guide(interaction)
        await self.services.delivery.answer_privately(interaction, guide.content(FIRST))

    @act("help")
    async def turn(self, interaction: Interaction, press: Press) -> None:
        guide = await self._guide(interaction)
        await self.services.delivery.answer_in_place(interaction, guide.content(press.arg))

    @act("openhelp", Deferral.PRIVATE)
    async def open(self, interaction: Interaction, press: Press) -> None:
        """Show a page in a private message, from the button of a public one."""
        guide = await self._guide(interaction)
        await self.services.delivery.answer_privately(interaction, guide.content(press.arg))

    async def _guide(self, interaction: Interaction) -> HelpPages:
        """The pages for this user, built each time because cogs may be loaded or unloaded."""
        server = server_of(interaction)
        settings = None if server is None else await self.services.guild_settings.of(server)
        app = self.bot.application
        guide = HelpPages.of(
            self.bot.tree,
            self.services.presentations,
            self.services.reports.support,
            off=None if settings is None else settings.games_off,
            invite=None if app is None or not app.bot_public else invite(app.id),
        )
        return replace(
            guide,
            elsewhere=None if settings is None else elsewhere(settings, interaction),
            new_to=await self.services.progress.unknown_games(interaction.user.id),
        )


async def setup(bot: Facedown) -> None:
    await bot.add_cog(Help(bot))
