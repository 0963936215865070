"""The rules of every game, a page at a time, in a private message."""

from bot.client import Facedown, Interaction
from bot.interactions.cog import ActCog, act
from bot.messaging.components import Press
from bot.messaging.first_answer import Deferral
from bot.rendering.rules_pages import rules_page_content


class Manual(ActCog):
    """Answers **Rules** with a new message; the buttons that turn a page edit it."""

    @act("rules", Deferral.PRIVATE)
    async def open(self, interaction: Interaction, press: Press) -> None:
        options = await self.services.matches.options(press.match)
        content = rules_page_content(self.services.presentations, press.arg, 0, options)
        await self.services.delivery.answer_privately(interaction, content)

    @act("page")
    async def turn(self, interaction: Interaction, press: Press) -> None:
        content = rules_page_content(self.services.presentations, press.arg, press.step)
        await self.services.delivery.answer_in_place(interaction, content)


async def setup(bot: Facedown) -> None:
    await bot.add_cog(Manual(bot))
