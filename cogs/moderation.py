"""What moderators can do about a match of their server: end it, or take somebody from it.

For members with the permission Manage Messages where the match is played. Discord offers the
commands to nobody else, and it is looked at again when one is used.
"""

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Facedown
from bot.interactions.autocomplete import completions
from bot.interactions.cog import ActCog, act
from bot.interactions.contexts import in_servers
from bot.messaging.components import Button, Press
from bot.messaging.content import MessageContent
from bot.storage import MatchId
from bot.storage.pauses import Underway
from games import GAMES

Interaction = discord.Interaction[Facedown]

_MATCH = "Which match: pick it from the list"


def question(match: Underway) -> MessageContent:
    """What is asked before a match is ended."""
    return MessageContent(
        head=f"End match {match.match} ({GAMES[match.game].title} in <#{match.channel}>) for "
        "everyone, without a result? You can't undo this.",
        rows=(
            (
                Button(
                    label="End the match",
                    press=Press(match.match, 0, "endmatch"),
                    style="danger",
                ),
                Button(label="Let it go on", press=Press(match.match, 0, "keepmatch")),
            ),
        ),
    )


@in_servers
@app_commands.default_permissions(manage_messages=True)
class Moderation(
    ActCog,
    commands.GroupCog,
    group_name="moderate",
    group_description="End a match in this server, or remove someone from it",
):
    @app_commands.command()
    @app_commands.describe(match=_MATCH)
    async def end(self, interaction: Interaction, match: int) -> None:
        """End a match without a result; its table says that a moderator did."""
        await self.services.access.must_moderate(interaction, MatchId(match))
        found = await self.services.pauses.found(MatchId(match), interaction.guild_id or 0)
        await self.services.delivery.answer_privately(interaction, question(found))

    @act("endmatch")
    async def carry_out(self, interaction: Interaction, press: Press) -> None:
        await self.services.access.must_moderate(interaction, press.match)
        guild, user = interaction.guild_id or 0, interaction.user.id
        turn = await self.services.pauses.end(press.match, guild, user)
        sentence = f"You ended match {press.match} without a result. Its table says so."
        await self.services.replies.told(turn, sentence, interaction)

    @act("keepmatch")
    async def keep(self, interaction: Interaction, press: Press) -> None:
        sentence = f"Match {press.match} goes on."
        await self.services.delivery.answer_with_words(interaction, sentence)

    @app_commands.command()
    @app_commands.describe(match=_MATCH, user="Who to remove")
    async def unseat(self, interaction: Interaction, match: int, user: discord.User) -> None:
        """Remove someone from a match for good; if one player is left, they win."""
        await self.services.access.must_moderate(interaction, MatchId(match))
        guild = interaction.guild_id or 0
        turn = await self.services.pauses.unseat(MatchId(match), guild, user.id)
        sentence = f"{user.mention} is out of match {match}. Its table says so."
        await self.services.replies.told(turn, sentence, interaction)

    @end.autocomplete("match")
    @unseat.autocomplete("match")
    async def complete_match(
        self, interaction: Interaction, typed: str
    ) -> list[app_commands.Choice[int]]:
        if not interaction.permissions.manage_messages:
            return []
        found = await self.services.pauses.running(interaction.guild_id or 0)
        return completions(found, interaction.guild, typed)


async def setup(bot: Facedown) -> None:
    await bot.add_cog(Moderation(bot))
