"""`/season`: start a new season in a server, or list its seasons."""

from collections.abc import Sequence
from typing import Final

from discord import app_commands
from discord.ext import commands

from bot.client import Facedown, Interaction
from bot.errors import NotAllowedHereError
from bot.interactions.cog import ActCog, act
from bot.interactions.contexts import in_servers
from bot.messaging.components import Button, Press
from bot.messaging.content import MAX_TEXT_LENGTH, MessageContent
from bot.rendering.colors import GOLD
from bot.rendering.phrases import NO_MATCH
from bot.stats.seasons import MAX_NAME_LENGTH, NO_SEASON
from bot.storage.seasons import SeasonRecord
from bot.text import counted, escaped

_RATIO: Final = "\N{RATIO}"
"""Replaces the colon of a name in a custom_id, whose parts are separated by colons."""

MAX_LISTED_SEASONS: Final = 40
"""This many seasons fit in the 4000 characters of a message, even with the longest names, unless
these have much markup: escaped, each of its characters takes two."""


def question(name: str, before: SeasonRecord | None) -> MessageContent:
    """The question before a season of this name starts; `before` is the one that would end."""
    ended = "" if before is None else f"**{escaped(before.name)}** ends now. "
    return MessageContent(
        head=f"### Start the season {escaped(name)}?\n{ended}The new season's leaderboards "
        "start empty; all-time leaderboards and ratings stay as they are. I announce it in this "
        "channel. You can't undo this or rename it.",
        rows=(
            (
                Button(
                    label="Start the season",
                    press=_confirmation(name, before),
                    style="danger",
                ),
                Button(label="Don't start it", press=Press(NO_MATCH, 0, "oldseason")),
            ),
        ),
        color=GOLD,
    )


def _confirmation(name: str, before: SeasonRecord | None) -> Press:
    """The press that starts a season; its step says which one ends, as `_ending` reads it."""
    step = 1 if before is None else before.id + 1
    return Press(NO_MATCH, step, "newseason", name.replace(":", _RATIO))


def _ending(press: Press) -> int | None:
    """The id of the season that a question named as ending, 0 for none; None if it didn't say.

    The buttons of older versions don't say, and mean the current season.
    """
    return press.step - 1 if press.step else None


def list_content(seasons: Sequence[SeasonRecord]) -> MessageContent:
    """The seasons of a server, the newest first."""
    if not seasons:
        return MessageContent(head=f"### Seasons\n{NO_SEASON}", color=GOLD)
    lines = [_line(season) for season in seasons[:MAX_LISTED_SEASONS]]
    while sum(map(len, lines)) + len(lines) > MAX_TEXT_LENGTH:
        lines.pop()
    more = len(seasons) - len(lines)
    foot = f"-# and {counted(more, 'earlier season')}" if more > 0 else ""
    return MessageContent(head="### Seasons\n" + "\n".join(lines), foot=foot, color=GOLD)


def _line(season: SeasonRecord) -> str:
    until = "now" if season.ended_at is None else f"<t:{season.ended_at}:d>"
    return f"- **{escaped(season.name)}** · <t:{season.started_at}:d> to {until}"


def must_manage(interaction: Interaction) -> None:
    """Raise NotAllowedHereError unless the user manages the server; a click can be forged."""
    if not interaction.permissions.manage_guild:
        raise NotAllowedHereError(
            "You need the Manage Server permission to start a season. Ask a server manager."
        )


@in_servers
class Season(
    ActCog,
    commands.GroupCog,
    group_name="season",
    group_description="Seasons in this server",
):
    @app_commands.command()
    @app_commands.describe(name="Its name; each season in a server needs a new one")
    async def start(
        self, interaction: Interaction, name: app_commands.Range[str, 1, MAX_NAME_LENGTH]
    ) -> None:
        """Start a new season with empty leaderboards; the old ones are kept (Manage Server)."""
        must_manage(interaction)
        name = await self.services.seasons.checked_name(interaction.guild_id or 0, name)
        before = await self.services.seasons.of(interaction.guild_id or 0)
        content = question(name, before[0] if before else None)
        await self.services.delivery.answer_privately(interaction, content)

    @act("newseason")
    async def begin(self, interaction: Interaction, press: Press) -> None:
        must_manage(interaction)
        guild = interaction.guild_id or 0
        name = press.arg.replace(_RATIO, ":")
        channel = interaction.channel_id
        started = await self.services.seasons.start(
            guild, name, ending=_ending(press), announce_in=channel
        )
        sentence = f"**{escaped(started.season.name)}** has started."
        try:
            await self.services.delivery.answer_with_words(interaction, sentence)
        finally:
            await self.services.season_announcements.announce(interaction, started)

    @act("oldseason")
    async def leave(self, interaction: Interaction, press: Press) -> None:
        del press
        sentence = "I've left this server's seasons as they are."
        await self.services.delivery.answer_with_words(interaction, sentence)

    @app_commands.command(name="list")
    async def list_all(self, interaction: Interaction) -> None:
        """See this server's seasons."""
        seasons = await self.services.seasons.of(interaction.guild_id or 0)
        await self.services.delivery.answer_privately(interaction, list_content(seasons))


async def setup(bot: Facedown) -> None:
    await bot.add_cog(Season(bot))
