"""`/stats`: a person's results, against everybody or against one other person."""

from bot.client import Facedown
from cogs.stats.commands import Stats


async def setup(bot: Facedown) -> None:
    await bot.add_cog(Stats(bot))
