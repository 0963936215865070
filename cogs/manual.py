"""The rules of every game, a page at a time, for the eyes of who asks."""

import discord

from bot.client import Facedown
from bot.interactions.cog import ActCog, act
from bot.messaging.components import Press
from bot.rendering.rules_pages import page_sheet

Interaction = discord.Interaction[Facedown]


class Manual(ActCog):
    """Takes the buttons Rules (a new message) and those that turn a page (in place)."""

    @act("rules")
    async def open(self, interaction: Interaction, press: Press) -> None:
        sheet = page_sheet(self.bot.presentations, press.arg, 0)
        await self.bot.delivery.answer_privately(interaction, sheet)

    @act("page")
    async def turn(self, interaction: Interaction, press: Press) -> None:
        sheet = page_sheet(self.bot.presentations, press.arg, press.step)
        await self.bot.delivery.answer_in_place(interaction, sheet)


async def setup(bot: Facedown) -> None:
    await bot.add_cog(Manual(bot))
