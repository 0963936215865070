"""`/history`: the matches that a person has finished, to replay or export them."""

from bot.client import Facedown
from cogs.history.commands import History


async def setup(bot: Facedown) -> None:
    await bot.add_cog(History(bot))
