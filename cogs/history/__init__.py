"""`/history`: the matches somebody has finished, with the way to look at them again."""

from bot.client import Facedown
from cogs.history.commands import History


async def setup(bot: Facedown) -> None:
    await bot.add_cog(History(bot))
