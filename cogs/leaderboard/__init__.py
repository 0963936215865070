"""`/leaderboard`: who is best at a game in a server, of all time or in a period."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.client import Facedown


async def setup(bot: "Facedown") -> None:
    # Not at the top: workers that draw import this package, and don't need discord.py.
    from cogs.leaderboard.commands import Leaderboard  # noqa: PLC0415 - see above

    await bot.add_cog(Leaderboard(bot))
