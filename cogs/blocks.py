"""`/block` and `/unblock`: whose challenges I don't want."""

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Facedown, Interaction
from bot.interactions.contexts import in_servers
from bot.messaging.content import MessageContent


class BlockList(commands.Cog):
    def __init__(self, bot: Facedown) -> None:
        self.services = bot.services

    @app_commands.command()
    @in_servers
    @app_commands.describe(
        user="Who you don't want challenges from; leave it empty to see your list"
    )
    async def block(self, interaction: Interaction, user: discord.User | None = None) -> None:
        """Block someone's challenges, or see who you've blocked."""
        blocks, asker = self.services.blocks, interaction.user.id
        said = await (blocks.told(asker) if user is None else blocks.add(asker, user))
        await self.services.delivery.answer_privately(interaction, MessageContent(head=said))

    @app_commands.command()
    @in_servers
    @app_commands.describe(user="Who can challenge you again")
    async def unblock(self, interaction: Interaction, user: discord.User) -> None:
        """Allow someone's challenges again."""
        said = await self.services.blocks.remove(interaction.user.id, user)
        await self.services.delivery.answer_privately(interaction, MessageContent(head=said))


async def setup(bot: Facedown) -> None:
    await bot.add_cog(BlockList(bot))
