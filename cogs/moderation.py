"""`/moderate`: end a match, withdraw an open challenge, or remove somebody from a match.

A moderator can delete a challenge's message by hand, but Discord doesn't tell the bot.

For members with the permission Manage Messages where the match is played. Discord shows the
commands to nobody else, and the permission is checked again when a command is used and when its
question is answered. The buttons of a question work anywhere, because the match may be in a channel
that is gone.
"""

from functools import partial

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Facedown, Interaction
from bot.interactions.autocomplete import completions
from bot.interactions.cog import ActCog, act
from bot.interactions.contexts import in_servers
from bot.matches import PublicSnapshot
from bot.messaging.components import Button, Press, id_in
from bot.messaging.content import MessageContent
from bot.messaging.permissions import may_moderate
from bot.rendering.phrases import seat_names
from bot.storage import MatchId
from games import GAMES

_MATCH = "Which match: pick it from the list; the Menu at its table has its number"
_UNFINISHED = (
    "Which match or challenge: pick it from the list; the Menu, or the challenge, has its number"
)


def end_question(match: PublicSnapshot) -> MessageContent:
    """The question before a match is ended."""
    return _question(
        f"End {_described(match)} for everyone, without a result? You can't undo this.",
        "End the match",
        Press(match.match, 0, "endmatch"),
    )


def withdraw_question(challenge: PublicSnapshot) -> MessageContent:
    """The question before an open challenge is withdrawn."""
    return _question(
        f"Withdraw {_described(challenge)}, so that nobody can accept it? You can't undo this.",
        "Withdraw the challenge",
        Press(challenge.match, 0, "endchallenge"),
    )


def unseat_question(match: PublicSnapshot, user: discord.abc.User) -> MessageContent:
    """The question before somebody is removed from a match."""
    return _question(
        f"Remove {user.mention} from {_described(match)} for good? The others play on; if one "
        "player is left, they win, and if only computers are left, the match is over. You can't "
        "undo this.",
        "Remove from the match",
        Press(match.match, 0, "unseat", str(user.id)),
    )


def _described(match: PublicSnapshot) -> str:
    who = " against ".join(seat_names(match))
    what = "challenge" if match.status == "open" else "match"
    return f"{what} {match.match} ({GAMES[match.game].title} in <#{match.channel}>: {who})"


def _question(question: str, label: str, press: Press) -> MessageContent:
    keep = Button(label="Change nothing", press=Press(press.match, 0, "keepmatch"))
    return MessageContent(
        head=question, rows=((Button(label=label, press=press, style="danger"), keep),)
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
    @app_commands.describe(match=_UNFINISHED)
    async def end(self, interaction: Interaction, match: int) -> None:
        """End a match for everyone, without a result, or withdraw a challenge."""
        await self.services.access.must_moderate(interaction, MatchId(match))
        snapshot = await self.services.moderation.snapshot(
            MatchId(match), interaction.guild_id or 0
        )
        question = withdraw_question if snapshot.status == "open" else end_question
        await self.services.delivery.answer_privately(interaction, question(snapshot))

    @act("endmatch", anywhere=True)
    async def carry_out_end(self, interaction: Interaction, press: Press) -> None:
        await self.services.access.must_moderate(interaction, press.match)
        guild, user = interaction.guild_id or 0, interaction.user.id
        await self.services.moderation.end(press.match, guild, user)
        sentence = f"You ended match {press.match} without a result."
        await self.services.replies.say(press.match, sentence, interaction)

    @act("endchallenge", anywhere=True)
    async def carry_out_withdrawal(self, interaction: Interaction, press: Press) -> None:
        await self.services.access.must_moderate(interaction, press.match)
        guild, user = interaction.guild_id or 0, interaction.user.id
        await self.services.moderation.withdraw(press.match, guild, user)
        sentence = f"You withdrew challenge {press.match}."
        await self.services.replies.say(press.match, sentence, interaction)

    @act("keepmatch", anywhere=True)
    async def keep(self, interaction: Interaction, press: Press) -> None:
        sentence = f"I've left match {press.match} as it is."
        await self.services.delivery.answer_with_words(interaction, sentence)

    @app_commands.command()
    @app_commands.describe(match=_MATCH, user="Who to remove")
    async def unseat(self, interaction: Interaction, match: int, user: discord.User) -> None:
        """Remove someone from a match for good; if one player is left, they win."""
        await self.services.access.must_moderate(interaction, MatchId(match))
        guild = interaction.guild_id or 0
        await self.services.moderation.must_be_removable(MatchId(match), guild, user.id)
        snapshot = await self.services.moderation.snapshot(MatchId(match), guild)
        await self.services.delivery.answer_privately(interaction, unseat_question(snapshot, user))

    @act("unseat", anywhere=True)
    async def carry_out_unseat(self, interaction: Interaction, press: Press) -> None:
        await self.services.access.must_moderate(interaction, press.match)
        guild, user = interaction.guild_id or 0, id_in(press.arg)
        moderator = interaction.user.id
        await self.services.moderation.unseat(press.match, guild, user, moderator)
        sentence = f"<@{user}> is out of match {press.match}."
        await self.services.replies.say(press.match, sentence, interaction)

    @end.autocomplete("match")
    async def complete_unfinished(
        self, interaction: Interaction, typed: str
    ) -> list[app_commands.Choice[int]]:
        unfinished = await self.services.moderation.unfinished(interaction.guild_id or 0)
        offers = partial(may_moderate, interaction)
        return completions(unfinished, interaction.guild, typed, offers=offers)

    @unseat.autocomplete("match")
    async def complete_running(
        self, interaction: Interaction, typed: str
    ) -> list[app_commands.Choice[int]]:
        running = await self.services.moderation.running(interaction.guild_id or 0)
        offers = partial(may_moderate, interaction)
        return completions(running, interaction.guild, typed, offers=offers)


async def setup(bot: Facedown) -> None:
    await bot.add_cog(Moderation(bot))
