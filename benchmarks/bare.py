"""The baseline: a discord.py bot that acknowledges every click and does nothing else."""

import asyncio
import os
from typing import Any

import discord
from discord.ext import commands

from bot.messaging import discord_address


class Acknowledge(discord.ui.View):
    """Six buttons, as many as a hand has, each acknowledged by a minimal callback."""

    def __init__(self) -> None:
        super().__init__(timeout=None)
        for n in range(6):
            button: discord.ui.Button[Any] = discord.ui.Button(label=str(n), custom_id=f"bare:{n}")
            button.callback = self.acknowledge  # type: ignore[method-assign]  # as the library says to
            self.add_item(button)

    async def acknowledge(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.response.defer()


class BareBot(commands.AutoShardedBot):
    def __init__(self) -> None:
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            intents=discord.Intents(guilds=True),
            max_messages=None,
        )

    async def setup_hook(self) -> None:
        self.add_view(Acknowledge())

        @self.tree.command()
        async def desk(interaction: discord.Interaction[Any]) -> None:
            """Send a message with six buttons by direct message."""
            await interaction.user.send("A hand of six cards.", view=Acknowledge())
            await interaction.response.send_message("Sent.", ephemeral=True)

        await self.tree.sync()


async def main() -> None:
    discord_address.use_address(os.environ["DISCORD_API"])
    async with BareBot() as bot:
        await bot.start(os.environ["DISCORD_TOKEN"])


if __name__ == "__main__":
    asyncio.run(main())
