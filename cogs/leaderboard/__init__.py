"""`/leaderboard`: who is best at a game in this server, and who was this week."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.client import Facedown


async def setup(bot: "Facedown") -> None:
    # Not above: a worker that draws imports this package, and has no use for discord.py.
    from cogs.leaderboard.commands import Leaderboard  # noqa: PLC0415 - see above

    await bot.add_cog(Leaderboard(bot))
