"""Right-click a person, Apps, Challenge: what to play is chosen by tapping."""

import discord
from discord import app_commands

from bot.client import Facedown
from bot.interactions.cog import ActCog, act
from bot.matches.challenge import must_be_able_to_answer
from bot.messaging.components import Press
from bot.rendering.challenge_form import Wish, chooser_sheet, first_wish

Interaction = discord.Interaction[Facedown]


class ChallengeMenu(ActCog):
    def __init__(self, bot: Facedown) -> None:
        super().__init__(bot)
        self.menu = app_commands.ContextMenu(
            name="Challenge",
            callback=self.challenge,
            allowed_contexts=app_commands.AppCommandContext(guild=True),
        )

    async def cog_load(self) -> None:
        self.bot.tree.add_command(self.menu)
        await super().cog_load()

    async def cog_unload(self) -> None:
        await super().cog_unload()
        self.bot.tree.remove_command(self.menu.name, type=self.menu.type)

    async def challenge(self, interaction: Interaction, person: discord.Member) -> None:
        must_be_able_to_answer(person.id, interaction.user.id, bot=person.bot)
        settings = await self.bot.servers.of(interaction.guild_id or 0)
        wish = first_wish(person.id, self.bot.presentations, settings)
        sheet = chooser_sheet(wish, self.bot.presentations, settings)
        await self.bot.delivery.answer_privately(interaction, sheet)

    @act("choose")
    async def choose(self, interaction: Interaction, press: Press) -> None:
        settings = await self.bot.servers.of(interaction.guild_id or 0)
        sheet = chooser_sheet(Wish.parse(press.arg), self.bot.presentations, settings)
        await self.bot.delivery.answer_in_place(interaction, sheet)

    @act("send")
    async def send(self, interaction: Interaction, press: Press) -> None:
        await self.bot.lobby.challenge(interaction, Wish.parse(press.arg).proposal())


async def setup(bot: Facedown) -> None:
    await bot.add_cog(ChallengeMenu(bot))
