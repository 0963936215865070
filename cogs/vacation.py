"""`/vacation`: days on which a player's clocks are stopped in slow matches of a server."""

from discord import app_commands
from discord.ext import commands

from bot.client import Facedown, Interaction
from bot.interactions.contexts import in_servers
from bot.matches.time_off import DAYS_A_YEAR, Vacation
from bot.rendering.vacations import days_left, vacation_ended, vacation_started


@in_servers
class VacationCommands(commands.GroupCog, name="vacation"):
    """Stop the clocks of your slow matches in this server."""

    def __init__(self, bot: Facedown) -> None:
        self.services = bot.services

    @app_commands.command()
    @app_commands.describe(days="How many days; you have 14 a year in each server")
    async def start(
        self, interaction: Interaction, days: app_commands.Range[int, 1, DAYS_A_YEAR]
    ) -> None:
        """Stop the clocks of your slow matches in this server for some days."""
        user, guild = interaction.user.id, interaction.guild_id or 0
        vacation = await self.services.vacations.start(user, guild, days)
        await self._answer(interaction, vacation, vacation_started(vacation))

    @app_commands.command()
    async def end(self, interaction: Interaction) -> None:
        """Come back early; days you haven't used are yours again."""
        user, guild = interaction.user.id, interaction.guild_id or 0
        vacation = await self.services.vacations.end(user, guild)
        await self._answer(interaction, vacation, vacation_ended(vacation))

    @app_commands.command()
    async def left(self, interaction: Interaction) -> None:
        """See how many vacation days you have left this year."""
        user, guild = interaction.user.id, interaction.guild_id or 0
        vacation = await self.services.vacations.of(user, guild)
        await self._answer(interaction, vacation, days_left(vacation))

    async def _answer(self, interaction: Interaction, vacation: Vacation, text: str) -> None:
        for match in vacation.matches:
            self.services.live.note_changed(match)
        await self.services.delivery.answer_with_words(interaction, text)


async def setup(bot: Facedown) -> None:
    await bot.add_cog(VacationCommands(bot))
