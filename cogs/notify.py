"""`/notify`: how and how early somebody is reminded of a move that they owe."""

from typing import Final, cast

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Facedown
from bot.storage.people import ReminderChannel, ReminderPreference

Interaction = discord.Interaction[Facedown]

CHANNELS: Final[dict[ReminderChannel, str]] = {
    "dm": "by direct message",
    "channel": "by a mention at the table",
    "none": "not at all",
}
EARLY: Final[dict[int, str]] = {
    0: "when a quarter of the time is left",
    10 * 60: "10 minutes before the deadline",
    60 * 60: "1 hour before the deadline",
    3 * 60 * 60: "3 hours before the deadline",
    8 * 60 * 60: "8 hours before the deadline",
}
"""By the seconds; 0 stands for a quarter of the time."""


def changed(
    preference: ReminderPreference, channel: str | None, early: int | None
) -> ReminderPreference:
    """The wish with what was named; whatever was not stays."""
    return ReminderPreference(
        # One of the choices that Discord offers.
        channel=preference.channel if channel is None else cast(ReminderChannel, channel),
        before=preference.before if early is None else early or None,
    )


def described(preference: ReminderPreference) -> str:
    """The wish in sentences to the one who has it."""
    if preference.channel == "none":
        return (
            "I **don't remind** you of moves. Your hand still comes as a new message when it's "
            "your turn. To change this, use `/notify by`."
        )
    closed = (
        " If my direct messages can't reach you, I mention you at the table."
        if preference.channel == "dm"
        else ""
    )
    return (
        f"If it's still your turn, I remind you **{CHANNELS[preference.channel]}** "
        f"**{EARLY[preference.before or 0]}**: once a turn, never before half your time is up, and "
        f"never in live matches.{closed}"
    )


class Notify(commands.Cog):
    def __init__(self, bot: Facedown) -> None:
        self.bot = bot
        self.services = bot.services

    @app_commands.command()
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    @app_commands.describe(
        by="How I remind you; default: no change",
        early="When I remind you; default: no change",
    )
    @app_commands.choices(
        by=[app_commands.Choice(name=n.capitalize(), value=str(c)) for c, n in CHANNELS.items()]
    )
    @app_commands.choices(
        early=[app_commands.Choice(name=n.capitalize(), value=s) for s, n in EARLY.items()]
    )
    async def notify(
        self, interaction: Interaction, by: str | None = None, early: int | None = None
    ) -> None:
        """See or change how I remind you before your time runs out."""
        before = await self.services.reminders.preference(interaction.user.id)
        preference = changed(before, by, early)
        if preference != before:
            await self.services.reminders.put_preference(interaction.user.id, preference)
        await self.services.delivery.answer_with_words(interaction, described(preference))


async def setup(bot: Facedown) -> None:
    await bot.add_cog(Notify(bot))
