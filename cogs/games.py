"""`/games`: what I play everywhere, those matches first that wait for me."""

from typing import Final

from discord import app_commands

from bot.client import Facedown, Interaction
from bot.errors import NotAllowedHereError
from bot.interactions.cog import ActCog, act
from bot.interactions.contexts import anywhere
from bot.matches.listing import listing
from bot.messaging.components import Press
from bot.messaging.content import MessageContent
from bot.messaging.permissions import must_be_available, must_have_left
from bot.rendering.match_list import ACCEPT, DECLINE, WITHDRAW, match_list_content
from bot.storage import MatchId

NOT_THERE: Final = (
    "I'm not in that challenge's server anymore, so it can't start. Your list has **Decline**, or "
    "let it expire."
)


class Games(ActCog):
    @app_commands.command()
    @anywhere
    async def games(self, interaction: Interaction) -> None:
        """See all your matches and challenges, your turn first."""
        await self.services.delivery.answer_privately(
            interaction, await self._content(interaction, 0)
        )

    @act("games", anywhere=True)
    async def turn(self, interaction: Interaction, press: Press) -> None:
        """Show another page, or do what a button on it says.

        Refused or not, the list is shown as it is now: it offered what was gone.
        """
        try:
            await self._act(interaction, press)
        finally:
            content = await self._content(interaction, press.step)
            await self.services.delivery.answer_in_place(interaction, content)

    async def _act(self, interaction: Interaction, press: Press) -> None:
        """Do what the button of a challenge says; others only turn pages."""
        match, user = press.match, interaction.user.id
        if press.arg == ACCEPT:
            await self._must_have_a_place(match, interaction)
            await self.services.absentees.must_be_there(match, interaction)
            await self.services.absentees.give_up_seats(match, user)
            await self.services.matches.accept(match, user)
        elif press.arg == DECLINE:
            await self.services.matches.decline(match, user)
        elif press.arg == WITHDRAW:
            await self.services.matches.withdraw(match, user)
        else:
            return
        self.services.live.changed(match)

    async def _must_have_a_place(self, match: MatchId, interaction: Interaction) -> None:
        """NotAllowedHereError where the server of a challenge is out of reach for the bot."""
        snapshot = await self.services.matches.public(match)
        if snapshot.guild is None:
            return
        guild = interaction.client.get_guild(snapshot.guild)
        must_be_available(guild)
        if guild is None:
            must_have_left(snapshot.guild, await self.services.guild_settings.left())
            raise NotAllowedHereError(NOT_THERE)

    async def _content(self, interaction: Interaction, page: int) -> MessageContent:
        entries = await listing(self.services.storage, interaction.user.id)
        return match_list_content(entries, self.services.presentations, page)


async def setup(bot: Facedown) -> None:
    await bot.add_cog(Games(bot))
