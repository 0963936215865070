"""The rules of every game, a page at a time, for the eyes of who asks."""

import discord
from discord.ext import commands

from bot.buttons import Press
from bot.client import Facedown
from bot.manual import page_sheet

Interaction = discord.Interaction[Facedown]


class Manual(commands.Cog):
    """Takes the buttons Rules (a new message) and those that turn a page (in place)."""

    def __init__(self, bot: Facedown) -> None:
        self.bot = bot

    async def cog_load(self) -> None:
        self.bot.clicks.add("rules", self.open)
        self.bot.clicks.add("page", self.turn)

    async def cog_unload(self) -> None:
        self.bot.clicks.remove("rules")
        self.bot.clicks.remove("page")

    async def open(self, interaction: Interaction, press: Press) -> None:
        sheet = page_sheet(self.bot.presentations, press.arg, 0)
        await self.bot.delivery.answer_privately(interaction, sheet)

    async def turn(self, interaction: Interaction, press: Press) -> None:
        sheet = page_sheet(self.bot.presentations, press.arg, press.step)
        await self.bot.delivery.answer_in_place(interaction, sheet)


async def setup(bot: Facedown) -> None:
    await bot.add_cog(Manual(bot))
