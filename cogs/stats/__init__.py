"""`/stats`: what somebody has played in a server, alone or against somebody else."""

from bot.client import Facedown
from cogs.stats.commands import Stats


async def setup(bot: Facedown) -> None:
    await bot.add_cog(Stats(bot))
