"""What follows the end of a match: the rematch, the replay and the export."""

import discord
from discord.ext import commands

from bot.buttons import Press
from bot.client import Facedown
from bot.servers import must_allow

Interaction = discord.Interaction[Facedown]


class After(commands.Cog):
    def __init__(self, bot: Facedown) -> None:
        self.bot = bot
        self.acts = {"rematch": self.rematch}

    async def cog_load(self) -> None:
        for act, handler in self.acts.items():
            self.bot.clicks.add(act, handler)

    async def cog_unload(self) -> None:
        for act in self.acts:
            self.bot.clicks.remove(act)

    async def rematch(self, interaction: Interaction, press: Press) -> None:
        settings = await self.bot.servers.of(interaction.guild_id or 0)
        must_allow(settings, press.arg, interaction)
        wanted = await self.bot.rematches.want(press.match, interaction.user.id, interaction.id)
        await self.bot.desks.wanted(wanted, interaction)


async def setup(bot: Facedown) -> None:
    await bot.add_cog(After(bot))
