"""The buttons of a challenge: Accept and Decline, Join and Leave, Start, Withdraw, computers."""

import discord
from discord.ext import commands

from bot.buttons import Press
from bot.client import Facedown
from bot.tables.challenge import AWAY

Interaction = discord.Interaction[Facedown]


class Lobby(commands.Cog):
    def __init__(self, bot: Facedown) -> None:
        self.bot = bot
        self.acts = {
            "accept": self.accept,
            "decline": self.decline,
            "join": self.join,
            "vacate": self.vacate,
            "start": self.start,
            "withdraw": self.withdraw,
            "computer": self.computer,
        }

    async def cog_load(self) -> None:
        for act, handler in self.acts.items():
            self.bot.clicks.add(act, handler)

    async def cog_unload(self) -> None:
        for act in self.acts:
            self.bot.clicks.remove(act)

    async def accept(self, interaction: Interaction, press: Press) -> None:
        turn = await self.bot.matches.accept(press.match, interaction.user.id)
        await self.bot.desks.table_changed(turn, interaction)

    async def decline(self, interaction: Interaction, press: Press) -> None:
        turn = await self.bot.matches.decline(press.match, interaction.user.id)
        await self.bot.desks.table_changed(turn, interaction)

    async def join(self, interaction: Interaction, press: Press) -> None:
        turn = await self.bot.matches.join(press.match, interaction.user.id)
        await self.bot.desks.table_changed(turn, interaction)

    async def vacate(self, interaction: Interaction, press: Press) -> None:
        turn = await self.bot.matches.vacate(press.match, interaction.user.id)
        await self.bot.desks.table_changed(turn, interaction)

    async def start(self, interaction: Interaction, press: Press) -> None:
        turn = await self.bot.matches.start(press.match, interaction.user.id)
        await self.bot.desks.table_changed(turn, interaction)

    async def withdraw(self, interaction: Interaction, press: Press) -> None:
        turn = await self.bot.matches.withdraw(press.match, interaction.user.id)
        await self.bot.desks.table_changed(turn, interaction)

    async def computer(self, interaction: Interaction, press: Press) -> None:
        """Give an open seat to a computer, or take one away again."""
        user = interaction.user.id
        if press.arg == AWAY:
            turn = await self.bot.matches.unseat_computer(press.match, user)
        else:
            turn = await self.bot.matches.seat_computer(press.match, user, press.arg)
        await self.bot.desks.table_changed(turn, interaction)


async def setup(bot: Facedown) -> None:
    await bot.add_cog(Lobby(bot))
