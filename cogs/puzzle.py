"""`/puzzle`: one position a day, the same for everybody, answered by one tap."""

import discord
from discord import app_commands

from bot.client import Facedown
from bot.errors import ButtonError
from bot.interactions.cog import ActCog, act
from bot.interactions.contexts import anywhere
from bot.messaging.components import Press
from bot.messaging.first_answer import Deferral
from bot.messaging.installs import server_of
from bot.puzzles.calendar import puzzle_of
from bot.rendering.puzzles import ANSWER, SOLVE, answered_content, question_content

Interaction = discord.Interaction[Facedown]


class DailyPuzzle(ActCog):
    @app_commands.command()
    @anywhere
    async def puzzle(self, interaction: Interaction) -> None:
        """Solve today's puzzle, and see what came of yesterday's."""
        await self._show(interaction)

    @act(ANSWER, Deferral.PRIVATE)
    async def open(self, interaction: Interaction, press: Press) -> None:
        """The button of a post."""
        self.services.puzzles.must_be_today(press.step)
        await self._show(interaction)

    @act(SOLVE)
    async def solve(self, interaction: Interaction, press: Press) -> None:
        message = interaction.message
        if message is None or not message.flags.ephemeral:  # everybody would see the answer
            raise ButtonError("This button is out of date. Use `/puzzle` again.")
        given = await self.services.puzzles.answer(
            interaction.user.id, server_of(interaction), press.step, press.arg
        )
        content = answered_content(
            self.services.presentations, puzzle_of(given.day), given.day, given.choice
        )
        await self.services.delivery.answer_in_place(interaction, content)

    async def _show(self, interaction: Interaction) -> None:
        day = await self.services.puzzles.day_for(interaction.user.id)
        content = question_content(self.services.presentations, day)
        await self.services.delivery.answer_privately(interaction, content)


async def setup(bot: Facedown) -> None:
    await bot.add_cog(DailyPuzzle(bot))
