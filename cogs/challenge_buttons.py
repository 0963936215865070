"""The buttons of a challenge: Accept and Decline, Join and Leave, Start, Withdraw, computers."""

from bot.client import Facedown, Interaction
from bot.interactions.cog import ActCog, act
from bot.messaging.components import Press
from bot.rendering.challenge import AWAY


class ChallengeButtons(ActCog):
    @act("accept")
    async def accept(self, interaction: Interaction, press: Press) -> None:
        await self.services.absentees.give_up_seats(press.match, interaction.user.id)
        await self.services.matches.accept(press.match, interaction.user.id)
        await self.services.table_replies.acknowledge(press.match, interaction)

    @act("decline")
    async def decline(self, interaction: Interaction, press: Press) -> None:
        await self.services.matches.decline(press.match, interaction.user.id)
        await self.services.table_replies.acknowledge(press.match, interaction)

    @act("join")
    async def join(self, interaction: Interaction, press: Press) -> None:
        await self.services.absentees.give_up_seats(press.match, interaction.user.id)
        await self.services.matches.join(press.match, interaction.user.id)
        await self.services.table_replies.acknowledge(press.match, interaction)

    @act("vacate")
    async def vacate(self, interaction: Interaction, press: Press) -> None:
        await self.services.matches.vacate(press.match, interaction.user.id)
        await self.services.table_replies.acknowledge(press.match, interaction)

    @act("start")
    async def start(self, interaction: Interaction, press: Press) -> None:
        await self.services.absentees.give_up_seats(press.match, interaction.user.id)
        await self.services.matches.start(press.match, interaction.user.id)
        await self.services.table_replies.acknowledge(press.match, interaction)

    @act("withdraw")
    async def withdraw(self, interaction: Interaction, press: Press) -> None:
        await self.services.matches.withdraw(press.match, interaction.user.id)
        await self.services.table_replies.acknowledge(press.match, interaction)

    @act("computer")
    async def computer(self, interaction: Interaction, press: Press) -> None:
        """Give an open seat to a computer, or remove one again."""
        user = interaction.user.id
        if press.arg == AWAY:
            await self.services.matches.unseat_computer(press.match, user)
        else:
            await self.services.absentees.give_up_seats(press.match, user)
            await self.services.matches.seat_computer(press.match, user, press.arg)
        await self.services.table_replies.acknowledge(press.match, interaction)


async def setup(bot: Facedown) -> None:
    await bot.add_cog(ChallengeButtons(bot))
