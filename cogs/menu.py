"""The menu of a running match: offers and their answers, nudges, reposting the table."""

from bot.client import Facedown, Interaction
from bot.interactions.cog import ActCog, act
from bot.matches.agreements import offer_of
from bot.messaging.components import Press
from bot.messaging.first_answer import Deferral
from bot.rendering.notices import nudge_confirmation


class Menu(ActCog):
    @act("menu", Deferral.PRIVATE)
    async def menu(self, interaction: Interaction, press: Press) -> None:
        content = await self.match_menu(press.match, interaction.user.id)
        await self.services.delivery.answer_privately(interaction, content)

    @act("offer")
    async def offer(self, interaction: Interaction, press: Press) -> None:
        what = offer_of(press.arg)
        await self.services.absentees.must_not_be_asking(press.match, interaction)
        effect = await self.services.agreements.offer(press.match, interaction.user.id, what)
        await self.services.replies.answer_offer(effect, what, interaction)

    @act("agree")
    async def agree(self, interaction: Interaction, press: Press) -> None:
        what = offer_of(press.arg)
        effect = await self.services.agreements.accept(press.match, interaction.user.id, what)
        await self.services.replies.acknowledge(effect, interaction)

    @act("refuse")
    async def refuse(self, interaction: Interaction, press: Press) -> None:
        what = offer_of(press.arg)
        effect = await self.services.agreements.decline(press.match, interaction.user.id, what)
        await self.services.replies.acknowledge(effect, interaction)

    @act("unpause")
    async def unpause(self, interaction: Interaction, press: Press) -> None:
        effect = await self.services.pauses.resume_here(press.match, interaction.user.id)
        await self.services.replies.acknowledge(effect, interaction)

    @act("nudge")
    async def nudge(self, interaction: Interaction, press: Press) -> None:
        await self.services.absentees.must_not_be_asking(press.match, interaction)
        nudge = await self.services.nudges.nudge(press.match, interaction.user.id)
        await self.services.delivery.answer_with_words(interaction, nudge_confirmation(nudge))

    @act("bottom")
    async def bottom(self, interaction: Interaction, press: Press) -> None:
        await self.services.matches.sit(press.match, interaction.user.id, may_rest=True)
        try:
            await self.services.delivery.acknowledge(interaction)
        finally:  # if Discord fails to take the answer, people are told that it's done
            await self.services.live.repost_table(press.match, interaction.id)


async def setup(bot: Facedown) -> None:
    await bot.add_cog(Menu(bot))
