"""`/notify`: what the bot tells a user, how, and how early it reminds them of a deadline."""

from typing import Final

from discord import app_commands

from bot.client import Facedown, Interaction
from bot.errors import ButtonError
from bot.interactions.cog import ActCog, act
from bot.interactions.contexts import in_messages_too
from bot.messaging.components import Press
from bot.rendering.notices import notice_panel
from bot.settings.notices import EVENTS, UNKNOWN, is_event

FIRST: Final = next(iter(EVENTS))
"""The event that the panel shows first."""


class Notify(ActCog):
    @app_commands.command()
    @in_messages_too
    async def notify(self, interaction: Interaction) -> None:
        """See or change what I tell you: your turn, challenges, offers, results, and how."""
        preference = await self.services.notice_settings.of(interaction.user.id)
        content = notice_panel(preference, FIRST)
        await self.services.delivery.answer_privately(interaction, content)

    @act("notify")
    async def change(self, interaction: Interaction, press: Press) -> None:
        """Apply what was picked: the event to show, a way for it, or how early to remind."""
        what, _, how = press.arg.partition(" ")
        user, settings = interaction.user.id, self.services.notice_settings
        match what:
            case "show" if is_event(how):
                preference, shown = await settings.of(user), how
            case "early":
                seconds = int(how) if how.isdecimal() else -1
                preference, shown = await settings.remind_before(user, seconds or None), "time"
            case _ if is_event(what):
                preference, shown = await settings.choose(user, what, how), what
            case _:
                raise ButtonError(UNKNOWN)
        await self.services.delivery.answer_in_place(interaction, notice_panel(preference, shown))


async def setup(bot: Facedown) -> None:
    await bot.add_cog(Notify(bot))
