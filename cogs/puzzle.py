"""`/puzzle`: one position a day, the same for everybody, answered in one tap."""

from typing import Final

from discord import app_commands

from bot.client import Facedown, Interaction
from bot.interactions.cog import ActCog, act
from bot.interactions.contexts import anywhere
from bot.messaging.components import Press, outdated
from bot.messaging.failures import translating_share_errors
from bot.messaging.first_answer import Deferral
from bot.messaging.installs import server_of
from bot.puzzles.calendar import puzzle_of
from bot.rendering.puzzles import (
    ANSWER_ACT,
    PAST_ACT,
    SHARE_ACT,
    SOLVE_ACT,
    TODAY,
    TURN_ACT,
    answered_content,
    past_content,
    question_content,
    solved_content,
)
from bot.rendering.shares import posted_content

_AGAIN: Final = "Use `/puzzle` again."


class DailyPuzzle(ActCog):
    @app_commands.command()
    @anywhere
    async def puzzle(self, interaction: Interaction) -> None:
        """Solve today's puzzle, and see the answer to yesterday's."""
        await self._show(interaction)

    @act(ANSWER_ACT, Deferral.PRIVATE)
    async def open(self, interaction: Interaction, press: Press) -> None:
        """Open the puzzle of a button; once that puzzle is over, its answer."""
        puzzles = self.services.puzzles
        if puzzles.shows_answer(press.step):
            await self._show_past(interaction, press.step)
            return
        if press.step != TODAY:
            puzzles.must_be_today(press.step)
        await self._show(interaction)

    @act(SOLVE_ACT)
    async def solve(self, interaction: Interaction, press: Press) -> None:
        _must_be_private(interaction)
        here = server_of(interaction)
        given = await self.services.puzzles.answer(interaction.user.id, here, press.step, press.arg)
        content = answered_content(self.services.presentations, puzzle_of(given.day), given, here)
        await self.services.delivery.answer_in_place(interaction, content)

    @act(PAST_ACT, Deferral.PRIVATE)
    async def past(self, interaction: Interaction, press: Press) -> None:
        """Show yesterday's answer in a new message, as today's question may still be open."""
        del press
        await self._show_past(interaction)

    @act(TURN_ACT)
    async def turn(self, interaction: Interaction, press: Press) -> None:
        _must_be_private(interaction)
        past = await self.services.puzzles.past(interaction.user.id, press.step)
        content = past_content(self.services.presentations, past, server_of(interaction))
        await self.services.delivery.answer_in_place(interaction, content)

    @act(SHARE_ACT, Deferral.PRIVATE)
    async def share(self, interaction: Interaction, press: Press) -> None:
        """Post in this channel that the user solved the puzzle of a past day."""
        shares = self.services.puzzle_shares
        guild, channel = server_of(interaction), interaction.channel_id
        if guild is None or channel is None:
            raise outdated(_AGAIN)
        solved = await self.services.puzzles.solved(interaction.user.id, press.step)
        post = earlier = await shares.posted(solved, guild)
        if post is None:
            shares.must_allow(interaction, guild, channel)
            with translating_share_errors():
                await self.services.delivery.answer_later(interaction)
                post = await shares.post(solved, guild, channel, solved_content(solved))
        content = posted_content(post, guild, before=earlier is not None)
        await self.services.delivery.answer_privately(interaction, content)

    async def _show_past(self, interaction: Interaction, day: int | None = None) -> None:
        past = await self.services.puzzles.past(interaction.user.id, day)
        content = past_content(self.services.presentations, past, server_of(interaction))
        await self.services.delivery.answer_privately(interaction, content)

    async def _show(self, interaction: Interaction) -> None:
        day = await self.services.puzzles.day_for(interaction.user.id)
        content = question_content(self.services.presentations, day, server_of(interaction))
        await self.services.delivery.answer_privately(interaction, content)


def _must_be_private(interaction: Interaction) -> None:
    """Raise ButtonError if the message to be replaced isn't private."""
    message = interaction.message
    if message is None or not message.flags.ephemeral:
        raise outdated(_AGAIN)


async def setup(bot: Facedown) -> None:
    await bot.add_cog(DailyPuzzle(bot))
