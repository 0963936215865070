"""`/block` and `/unblock`: the people whose challenges a user doesn't want."""

from collections.abc import Sequence

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
        if user is None:
            people = listed(await blocks.of(asker))
            await self.services.delivery.answer_privately(interaction, MessageContent(head=people))
            return
        if await blocks.add(asker, user):
            answer = (
                f"Blocked. <@{user.id}> can't challenge you or join your tables. I don't tell "
                "them; if they try, I say that they can't, but not why. Matches in progress "
                "continue, but I no longer notify you of what they ask there. To undo this, use "
                "`/unblock`."
            )
        else:
            answer = f"You've already blocked <@{user.id}>. To undo that, use `/unblock`."
        await self.services.delivery.answer_with_words(interaction, answer)

    @app_commands.command()
    @in_servers
    @app_commands.describe(user="Who can challenge you again")
    async def unblock(self, interaction: Interaction, user: discord.User) -> None:
        """Allow someone's challenges again."""
        asker = interaction.user.id
        await self.services.blocks.remove(asker, user)
        answer = f"<@{user.id}> can challenge you again."
        if (await self.services.preferences.of(asker)).left_alone:
            answer = (
                f"<@{user.id}> can join your tables again, but not challenge you: you've chosen in "
                "`/preferences` that nobody can."
            )
        await self.services.delivery.answer_with_words(interaction, answer)


def listed(blocked: Sequence[int]) -> str:
    """The user's block list in words."""
    if not blocked:
        return (
            "You haven't blocked anyone. To block someone's challenges, use `/block` with their "
            "name."
        )
    people = " ".join(f"<@{other}>" for other in blocked)
    return f"You've blocked: {people}\nTo unblock someone, use `/unblock`."


async def setup(bot: Facedown) -> None:
    await bot.add_cog(BlockList(bot))
