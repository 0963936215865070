"""`/games`: all matches of a user, in all servers; those that wait for them come first."""

from collections.abc import Sequence
from functools import partial

from discord import app_commands

from bot.client import Facedown, Interaction
from bot.interactions.cog import ActCog, act, shown_after
from bot.interactions.contexts import anywhere
from bot.matches.listing import Entry, listing
from bot.messaging.components import Press
from bot.messaging.content import MessageContent
from bot.messaging.first_answer import Deferral
from bot.rendering.hand import NEXT
from bot.rendering.match_list import (
    ACCEPT,
    ACTS,
    DECLINE,
    RESUME,
    UNPAUSE,
    WITHDRAW,
    match_list_content,
    next_to_open,
)
from bot.storage import MatchId


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
        """Show another page, or act on a match and then show the page again."""
        show = partial(self._show, interaction, press.step)
        if press.arg not in ACTS:
            await show()
            return
        async with shown_after(show):
            await self._act(interaction, press)

    @act(NEXT, Deferral.PRIVATE, anywhere=True)
    async def next(self, interaction: Interaction, press: Press) -> None:
        """Open the hand of the next match that waits for this user; the list if there is none.

        Also the list if another process shows that match: clicks on the list's buttons are routed
        to it, but this click was routed to the process that shows the last match.
        """
        user = interaction.user.id
        entries = await listing(self.services.storage, user)
        entry = next_to_open(entries, press.match, interaction.guild_id)
        if entry is None or not self.services.share.owns(entry.snapshot.guild):
            content = self._page(interaction, entries, 0)
            await self.services.delivery.answer_privately(interaction, content)
            return
        match = entry.snapshot.match
        self.services.activity.note(match, user)
        snapshot = await self.services.matches.sit(match, user, may_rest=True)
        await self.services.replies.show_here(snapshot, interaction, has_next=True)

    async def _act(self, interaction: Interaction, press: Press) -> None:
        """Do what a button in the list says."""
        if press.arg == ACCEPT:
            await self.services.listed_challenges.accept(press.match, interaction)
        elif press.arg == DECLINE:
            await self.services.listed_challenges.decline(press.match, interaction)
        elif press.arg == WITHDRAW:
            await self.services.matches.withdraw(press.match, interaction.user.id)
            self.services.live.note_changed(press.match)
        elif press.arg == RESUME:
            await self._resume(interaction, press.match)
        elif press.arg == UNPAUSE:
            await self.services.access.must_reach(interaction, press.match)
            await self.services.pauses.resume_here(press.match, interaction.user.id)
            self.services.live.note_changed(press.match)

    async def _resume(self, interaction: Interaction, match: MatchId) -> None:
        """Agree to resume a match that timed out, as with the button at its table."""
        await self.services.access.must_reach(interaction, match)
        snapshot = await self.services.matches.public(match)
        await self.services.playability.must_be_playable(interaction, snapshot)
        await self.services.absentees.must_not_be_asking(match, interaction)
        await self.services.reopenings.want(match, interaction.user.id)
        self.services.live.note_changed(match)

    async def _show(self, interaction: Interaction, page: int) -> None:
        content = await self._content(interaction, page)
        await self.services.delivery.answer_in_place(interaction, content)

    async def _content(self, interaction: Interaction, page: int) -> MessageContent:
        entries = await listing(self.services.storage, interaction.user.id)
        return self._page(interaction, entries, page)

    def _page(
        self, interaction: Interaction, entries: Sequence[Entry], page: int
    ) -> MessageContent:
        presentations = self.services.presentations
        return match_list_content(entries, presentations, page, here=interaction.guild_id)


async def setup(bot: Facedown) -> None:
    await bot.add_cog(Games(bot))
