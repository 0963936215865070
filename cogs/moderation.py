"""What moderators can do about a match of their server: end it, or take somebody from it.

For members with the permission Manage Messages where the match is played. Discord offers the
commands to nobody else, and it is looked at again when one is used.
"""

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Facedown
from bot.interactions.autocomplete import completions
from bot.interactions.contexts import in_servers
from bot.storage import MatchId

Interaction = discord.Interaction[Facedown]

_MATCH = "Which match: pick it from the list"


@in_servers
@app_commands.default_permissions(manage_messages=True)
class Moderation(
    commands.GroupCog,
    group_name="moderate",
    group_description="End a match in this server, or remove someone from it",
):
    def __init__(self, bot: Facedown) -> None:
        self.bot = bot
        self.services = bot.services

    @app_commands.command()
    @app_commands.describe(match=_MATCH)
    async def end(self, interaction: Interaction, match: int) -> None:
        """Close a match without a result; its table says that a moderator did."""
        await self.services.access.must_moderate(interaction, MatchId(match))
        turn = await self.services.pauses.end(
            MatchId(match), interaction.guild_id or 0, interaction.user.id
        )
        sentence = f"Match {match} is closed without a result. Its table says so."
        await self.services.replies.told(turn, sentence, interaction)

    @app_commands.command()
    @app_commands.describe(match=_MATCH, user="Who to remove")
    async def unseat(self, interaction: Interaction, match: int, user: discord.User) -> None:
        """Remove someone from a match for good; if one player is left, they win."""
        await self.services.access.must_moderate(interaction, MatchId(match))
        guild = interaction.guild_id or 0
        turn = await self.services.pauses.unseat(MatchId(match), guild, user.id)
        sentence = f"{user.mention} is out of match {match}. Its table says so."
        await self.services.replies.told(turn, sentence, interaction)

    @end.autocomplete("match")
    @unseat.autocomplete("match")
    async def complete_match(
        self, interaction: Interaction, typed: str
    ) -> list[app_commands.Choice[int]]:
        if not interaction.permissions.manage_messages:
            return []
        found = await self.services.pauses.running(interaction.guild_id or 0)
        return completions(found, interaction.guild, typed)


async def setup(bot: Facedown) -> None:
    await bot.add_cog(Moderation(bot))
