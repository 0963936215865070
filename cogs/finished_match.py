"""What follows a match: rematch, moves and replay, the export and its check, the coach."""

import discord
from discord import app_commands

from bot.client import Facedown
from bot.interactions.cog import ActCog, act
from bot.matches import Look
from bot.messaging.components import Press
from bot.messaging.content import Sheet
from bot.rendering.coach import coach_sheet
from bot.rendering.moves import NEWEST, moves_sheet
from bot.rendering.phrases import title
from bot.rendering.replays import replay_sheet
from bot.rendering.verification import finding_sheet
from bot.settings.guilds import must_allow

Interaction = discord.Interaction[Facedown]


class After(ActCog):
    @act("rematch")
    async def rematch(self, interaction: Interaction, press: Press) -> None:
        settings = await self.bot.servers.of(interaction.guild_id or 0)
        must_allow(settings, press.arg, interaction)
        wanted = await self.bot.rematches.want(press.match, interaction.user.id, interaction.id)
        await self.bot.desks.wanted(wanted, interaction)

    @act("moves")
    async def moves(self, interaction: Interaction, press: Press) -> None:
        sheet = await self._moves(interaction, press, NEWEST)
        await self.bot.delivery.answer_privately(interaction, sheet)

    @act("turnmoves")
    async def turn_moves(self, interaction: Interaction, press: Press) -> None:
        sheet = await self._moves(interaction, press, press.step)
        await self.bot.delivery.answer_in_place(interaction, sheet)

    async def _moves(self, interaction: Interaction, press: Press, page: int) -> Sheet:
        user, guild = interaction.user.id, interaction.guild_id
        moves = await self.bot.archive.moves(press.match, user=user, guild=guild)
        return moves_sheet(moves, self.bot.presentations[moves.look.game], page)

    @act("replay")
    async def replay(self, interaction: Interaction, press: Press) -> None:
        sheet = await self._replayed(interaction, press, 0)
        await self.bot.delivery.answer_privately(interaction, sheet)

    @act("frame")
    async def frame(self, interaction: Interaction, press: Press) -> None:
        sheet = await self._replayed(interaction, press, press.step)
        await self.bot.delivery.answer_in_place(interaction, sheet)

    async def _replayed(self, interaction: Interaction, press: Press, number: int) -> Sheet:
        user, guild = interaction.user.id, interaction.guild_id
        shown = await self.bot.archive.replay(press.match, number, user=user, guild=guild)
        return replay_sheet(shown, self.bot.presentations[shown.look.game])

    @act("export")
    async def export(self, interaction: Interaction, press: Press) -> None:
        user, guild = interaction.user.id, interaction.guild_id
        files = await self.bot.archive.export(press.match, self._title, user=user, guild=guild)
        name = f"{files.look.game}-{press.match}"
        await self.bot.delivery.answer_with_files(
            interaction,
            "The match to read, and the same as JSON: `/verify` checks that against the seed.",
            {f"{name}.txt": files.transcript, f"{name}.json": files.json},
        )

    @act("coach")
    async def coach(self, interaction: Interaction, press: Press) -> None:
        """Say what somebody's own choices gave up; how far it is, while that takes long."""
        asked = await self.bot.coach.asked(press.match, interaction.user.id)
        await self.bot.delivery.answer_later(interaction)
        async for study in self.bot.coach.studies(asked):
            sheet = coach_sheet(study, self.bot.presentations[study.look.game])
            await self.bot.delivery.complete(interaction, sheet)

    @act("coachpage")
    async def coach_page(self, interaction: Interaction, press: Press) -> None:
        study = self.bot.coach.known(press.match, interaction.user.id)
        sheet = coach_sheet(study, self.bot.presentations[study.look.game], press.step)
        await self.bot.delivery.answer_in_place(interaction, sheet)

    def _title(self, look: Look) -> str:
        return title(look, self.bot.presentations[look.game])

    @app_commands.command()
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    @app_commands.describe(file="The JSON file that Export has given you")
    async def verify(self, interaction: Interaction, file: discord.Attachment) -> None:
        """Check an exported match: its deal, every move and the result."""
        self.bot.archive.must_be_small(file.size)
        await self.bot.delivery.answer_later(interaction)
        data = await self.bot.delivery.read(file)
        finding = await self.bot.archive.check(data, interaction.user.id)
        await self.bot.delivery.complete(interaction, finding_sheet(finding))


async def setup(bot: Facedown) -> None:
    await bot.add_cog(After(bot))
