"""`/season`: a server begins a new season, and looks at those it has had."""

from collections.abc import Sequence
from typing import Final

import discord
from discord import app_commands
from discord.ext import commands
from discord.utils import escape_markdown

from bot.client import Facedown
from bot.errors import NotAllowedHereError
from bot.interactions.contexts import in_servers
from bot.messaging.content import MessageContent
from bot.messaging.first_answer import PUBLIC
from bot.stats.seasons import LONGEST, NO_SEASON
from bot.storage.seasons import SeasonRecord

Interaction = discord.Interaction[Facedown]

GOLD: Final = 0xF1C40F
MAX_LISTED_SEASONS: Final = 40
"""So many seasons with the longest names stay below the 4000 characters of a message."""


def started_content(season: SeasonRecord, before: SeasonRecord | None) -> MessageContent:
    """What everybody is told when a season begins."""
    ended = ""
    if before is not None:
        ended = (
            f"\n**{escape_markdown(before.name)}** is over. To see its leaderboards, use "
            "`/leaderboard season`."
        )
    return MessageContent(
        head=f"### A new season: {escape_markdown(season.name)}\nEvery leaderboard starts over: "
        "`/leaderboard period:This season`. Rated matches that end from now on count, also those "
        f"in progress. Ratings stay as they are.{ended}",
        color=GOLD,
    )


def list_content(seasons: Sequence[SeasonRecord]) -> MessageContent:
    """The seasons of a server, the newest first."""
    if not seasons:
        return MessageContent(head=f"### Seasons\n{NO_SEASON}", color=GOLD)
    lines = [_line(season) for season in seasons[:MAX_LISTED_SEASONS]]
    more = len(seasons) - MAX_LISTED_SEASONS
    foot = f"-# and {more} earlier ones" if more > 0 else ""
    return MessageContent(head="### Seasons\n" + "\n".join(lines), foot=foot, color=GOLD)


def _line(season: SeasonRecord) -> str:
    until = "now" if season.ended_at is None else f"<t:{season.ended_at}:d>"
    return f"- **{escape_markdown(season.name)}** · <t:{season.started_at}:d> to {until}"


@in_servers
class Season(commands.GroupCog, group_name="season", group_description="Seasons in this server"):
    def __init__(self, bot: Facedown) -> None:
        self.bot = bot
        self.services = bot.services

    @app_commands.command(extras=PUBLIC)
    @app_commands.describe(name="Its name; each season in a server needs a new one")
    async def start(
        self, interaction: Interaction, name: app_commands.Range[str, 1, LONGEST]
    ) -> None:
        """Start a new season: leaderboards start over, old ones are kept (Manage Server)."""
        if not interaction.permissions.manage_guild:
            raise NotAllowedHereError("You need the Manage Server permission to start a season.")
        before = await self.services.seasons.of(interaction.guild_id or 0)
        season = await self.services.seasons.start(interaction.guild_id or 0, name)
        content = started_content(season, before[0] if before else None)
        await self.services.delivery.answer(interaction, content)

    @app_commands.command(name="list")
    async def list_all(self, interaction: Interaction) -> None:
        """See this server's seasons."""
        seasons = await self.services.seasons.of(interaction.guild_id or 0)
        await self.services.delivery.answer_privately(interaction, list_content(seasons))


async def setup(bot: Facedown) -> None:
    await bot.add_cog(Season(bot))
