"""The buttons of a running match: moves, **My hand**, and **Resign** with its confirmation."""

from bot.client import Facedown, Interaction
from bot.interactions.cog import ActCog, act
from bot.messaging.components import Press
from bot.messaging.first_answer import Deferral
from bot.rendering.match_list import LISTED
from bot.rendering.menu import resign_question


class MatchButtons(ActCog):
    @act("pick")
    async def pick(self, interaction: Interaction, press: Press) -> None:
        user = interaction.user.id
        effect = await self.services.matches.submit(press.match, press.step, user, press.arg)
        await self.services.replies.answer_choice(effect, user, interaction)

    @act("tap")
    async def tap(self, interaction: Interaction, press: Press) -> None:
        """Choose a move by one tap at the table; a seat's buttons work for its own player only."""
        seat, _, move = press.arg.partition(" ")
        user = interaction.user.id
        effect = await self.services.matches.submit(press.match, press.step, user, move, block=seat)
        await self.services.replies.answer_tap(effect, user, interaction)

    @act("draft")
    async def draft(self, interaction: Interaction, press: Press) -> None:
        snapshot = await self.services.matches.sit(
            press.match, interaction.user.id, step=press.step
        )
        await self.services.replies.answer_draft(snapshot, press.arg, interaction)

    @act("hand", Deferral.PRIVATE)
    async def hand(self, interaction: Interaction, press: Press) -> None:
        user = interaction.user.id
        snapshot = await self.services.matches.sit(press.match, user, may_rest=True)
        has_next = press.arg == LISTED
        await self.services.replies.show_here(snapshot, interaction, has_next=has_next)

    @act("resign", Deferral.PRIVATE)
    async def resign(self, interaction: Interaction, press: Press) -> None:
        """Ask for confirmation."""
        user = interaction.user.id
        snapshot = await self.services.matches.sit(press.match, user, may_rest=True)
        question = resign_question(snapshot)
        await self.services.delivery.answer_privately(interaction, question)

    @act("leave")
    async def leave(self, interaction: Interaction, press: Press) -> None:
        await self.services.matches.concede(press.match, interaction.user.id)
        await self.services.replies.say(press.match, "You resigned.", interaction)

    @act("stay")
    async def stay(self, interaction: Interaction, press: Press) -> None:
        await self.services.matches.sit(press.match, interaction.user.id, may_rest=True)
        await self.services.delivery.answer_with_words(interaction, "You're still in the match.")


async def setup(bot: Facedown) -> None:
    await bot.add_cog(MatchButtons(bot))
