"""The **Challenge** command in the menu of a right-click on a person, and the form it opens."""

import discord
from discord import app_commands

from bot.client import Facedown, Interaction
from bot.interactions.cog import ActCog, act
from bot.interactions.contexts import IN_SERVERS
from bot.matches.challenge import must_be_able_to_answer
from bot.messaging.components import Press
from bot.messaging.first_answer import Deferral
from bot.messaging.installs import server_of
from bot.rendering.challenge_form import (
    ChallengeForm,
    challenge_form_content,
    first_computer_form,
    first_form,
)


class ChallengeMenu(ActCog):
    def __init__(self, bot: Facedown) -> None:
        super().__init__(bot)
        self.menu = app_commands.ContextMenu(
            name="Challenge",
            callback=self.challenge,
            allowed_contexts=IN_SERVERS,
        )

    async def cog_load(self) -> None:
        self.bot.tree.add_command(self.menu)
        await super().cog_load()

    async def cog_unload(self) -> None:
        await super().cog_unload()
        self.bot.tree.remove_command(self.menu.name, type=self.menu.type)

    async def challenge(self, interaction: Interaction, person: discord.Member) -> None:
        server = interaction.guild_id or 0
        settings = await self.services.playability.settings_here(interaction, server)
        new_to = await self.services.progress.unknown_games(interaction.user.id)
        if self.bot.user is not None and person.id == self.bot.user.id:
            form = first_computer_form(self.services.presentations, settings, new_to)
        else:
            must_be_able_to_answer(person, interaction.user.id)
            form = first_form(person.id, self.services.presentations, settings)
        content = challenge_form_content(form, self.services.presentations, settings, new_to)
        await self.services.delivery.answer_privately(interaction, content)

    @act("choose")
    async def choose(self, interaction: Interaction, press: Press) -> None:
        server = server_of(interaction)
        settings = None
        if server is not None:
            settings = await self.services.playability.settings_here(interaction, server)
        new_to = await self.services.progress.unknown_games(interaction.user.id)
        form = ChallengeForm.parse(press.arg)
        content = challenge_form_content(form, self.services.presentations, settings, new_to)
        await self.services.delivery.answer_in_place(interaction, content)

    @act("send", Deferral.PUBLIC)
    async def send(self, interaction: Interaction, press: Press) -> None:
        await self.services.challenges.from_form(interaction, ChallengeForm.parse(press.arg))


async def setup(bot: Facedown) -> None:
    await bot.add_cog(ChallengeMenu(bot))
