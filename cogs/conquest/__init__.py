"""Divide & Conquer (board) in Discord: its commands, and how its matches look."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.client import Facedown


async def setup(bot: "Facedown") -> None:
    # Not above: a worker that draws imports this package, and has no use for discord.py.
    from cogs.conquest.commands import DivideAndConquer  # noqa: PLC0415 - see above

    await bot.add_cog(DivideAndConquer(bot))
