"""`/resume`: continue a match that lost its channel or server in another channel."""

from discord import app_commands
from discord.ext import commands

from bot.client import Facedown, Interaction
from bot.interactions.autocomplete import completions
from bot.interactions.contexts import in_servers
from bot.messaging.first_answer import PUBLIC
from bot.storage import MatchId


class Resume(commands.Cog):
    def __init__(self, bot: Facedown) -> None:
        self.services = bot.services

    @app_commands.command(extras=PUBLIC)
    @in_servers
    @app_commands.describe(
        match="Which of your paused matches in this server; /games has their numbers"
    )
    async def resume(self, interaction: Interaction, match: int) -> None:
        """Resume a paused match in this channel."""
        guild, user = interaction.guild_id or 0, interaction.user.id
        await self.services.playability.must_be_playable_here(interaction)
        snapshot = await self.services.pauses.snapshot(MatchId(match), guild, user)
        await self.services.absentees.must_all_read(snapshot, interaction)
        effect = await self.services.pauses.resume(
            MatchId(match), guild=guild, channel=interaction.channel_id or 0, user=user
        )
        self.services.activity.note(MatchId(match), user)
        await self.services.table_replies.post_resumed(effect.public(), interaction)

    @resume.autocomplete("match")
    async def complete_match(
        self, interaction: Interaction, typed: str
    ) -> list[app_commands.Choice[int]]:
        guild, user = interaction.guild_id or 0, interaction.user.id
        paused = await self.services.pauses.paused(guild, user)
        return completions(paused, interaction.guild, typed)


async def setup(bot: Facedown) -> None:
    await bot.add_cog(Resume(bot))
