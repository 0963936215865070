"""The slash command, its buttons and its menu."""

from functools import partial

import discord
from discord import app_commands

from bot.client import Facedown
from bot.interactions.cog import ActCog, act
from bot.messaging.components import Press
from bot.messaging.content import Sheet
from bot.settings.guilds import server_name
from bot.stats.match_history import Wish, wish_of
from bot.stats.visibility import Audience
from bot.storage import MatchId
from cogs.history.sheets import again_sheet, page_sheet

Interaction = discord.Interaction[Facedown]


class History(ActCog):
    @app_commands.command()
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    @app_commands.describe(
        user="Whose; without a name: your own",
        private="Show the answer to you only; without a word: everybody here sees it",
    )
    async def history(
        self,
        interaction: Interaction,
        user: discord.User | None = None,
        private: bool = False,  # noqa: FBT001, FBT002 - an option of the command
    ) -> None:
        """See the matches somebody has finished, with replay and export."""
        wish = wish_of(interaction.user.id, user)
        audiences = self.bot.audiences
        audience = await audiences.of_command(interaction, [wish.user], private=private)
        sheet = await self._sheet(wish, audience)
        await self.bot.delivery.answer_for(interaction, sheet, private=audience.private)

    @act("history")
    async def turn(self, interaction: Interaction, press: Press) -> None:
        wish = Wish.parse(press.arg)
        audience = await self.bot.audiences.of_click(interaction, [wish.user])
        await self.bot.delivery.answer_in_place(interaction, await self._sheet(wish, audience))

    @act("again")
    async def again(self, interaction: Interaction, press: Press) -> None:
        user, guild = interaction.user.id, interaction.guild_id
        number = MatchId(int(press.arg)) if press.arg.isdecimal() else MatchId(0)
        look, table = await self.bot.histories.again(number, user=user, guild=guild)
        sheet = again_sheet(look, self.bot.presentations[look.game], table)
        await self.bot.delivery.answer_privately(interaction, sheet)

    async def _sheet(self, wish: Wish, audience: Audience) -> Sheet:
        page = await self.bot.histories.page(wish, audience.guild)
        return page_sheet(page, self.bot.presentations, partial(server_name, self.bot))
