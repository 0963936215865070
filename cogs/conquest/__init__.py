"""Divide & Conquer (board) in Discord: its commands, and how its matches look."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.client import Facedown


async def setup(bot: "Facedown") -> None:
    # Not at the top: drawing workers import this package and don't need discord.py.
    from cogs.conquest.commands import DivideAndConquer  # noqa: PLC0415 - see above

    await bot.add_cog(DivideAndConquer(bot))
