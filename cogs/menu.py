"""The menu of a running match: offers and their answers, nudges, the table brought down."""

import discord

from bot.client import Facedown
from bot.interactions.cog import ActCog, act
from bot.matches.agreements import offer_of
from bot.messaging.components import Press
from bot.rendering.menu import menu_sheet
from bot.scheduling.nudges import nudged

Interaction = discord.Interaction[Facedown]


class Menu(ActCog):
    @act("menu")
    async def menu(self, interaction: Interaction, press: Press) -> None:
        look = await self.bot.matches.watch(press.match, interaction.user.id)
        sheet = menu_sheet(look, self.bot.presentations[look.game])
        await self.bot.delivery.answer_privately(interaction, sheet)

    @act("offer")
    async def offer(self, interaction: Interaction, press: Press) -> None:
        what = offer_of(press.arg)
        turn = await self.bot.agreements.offer(press.match, interaction.user.id, what)
        await self.bot.desks.offered(turn, what, interaction)

    @act("agree")
    async def agree(self, interaction: Interaction, press: Press) -> None:
        what = offer_of(press.arg)
        turn = await self.bot.agreements.accept(press.match, interaction.user.id, what)
        await self.bot.desks.answered(turn, interaction)

    @act("refuse")
    async def refuse(self, interaction: Interaction, press: Press) -> None:
        what = offer_of(press.arg)
        turn = await self.bot.agreements.decline(press.match, interaction.user.id, what)
        await self.bot.desks.answered(turn, interaction)

    @act("nudge")
    async def nudge(self, interaction: Interaction, press: Press) -> None:
        nudge = await self.bot.nudges.nudge(press.match, interaction.user.id)
        await self.bot.delivery.answer_with_words(interaction, nudged(nudge))
        await self.bot.nudges.send(nudge, interaction.user.id)

    @act("bottom")
    async def bottom(self, interaction: Interaction, press: Press) -> None:
        await self.bot.matches.sit(press.match, interaction.user.id)
        await self.bot.delivery.acknowledge(interaction)
        await self.bot.updates.bring_down(press.match, interaction.id)


async def setup(bot: Facedown) -> None:
    await bot.add_cog(Menu(bot))
