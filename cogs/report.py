"""`/report`: tell the bot's owner about a problem or a person."""

from discord import app_commands
from discord.ext import commands

from bot.client import Facedown, Interaction
from bot.guilds.reports import MAX_LENGTH, MIN_LENGTH, Report
from bot.interactions.contexts import anywhere


class Reporting(commands.Cog):
    def __init__(self, bot: Facedown) -> None:
        self.services = bot.services

    @app_commands.command()
    @anywhere
    @app_commands.describe(text="What's wrong; the bot's owner sees that it's from you")
    async def report(
        self, interaction: Interaction, text: app_commands.Range[str, MIN_LENGTH, MAX_LENGTH]
    ) -> None:
        """Tell the bot's owner about a problem or a person."""
        report = Report.of(interaction, text)
        answer = await self.services.reports.pass_on(report)
        await self.services.delivery.answer_with_words(interaction, answer)


async def setup(bot: Facedown) -> None:
    if bot.services.reports.support.channel is not None:  # else nobody would read it
        await bot.add_cog(Reporting(bot))
