"""What can be done after a match: rematch, moves, replay, export and `/verify`, coach, sharing."""

import asyncio

import discord
from discord import app_commands

from bot.client import Facedown, Interaction
from bot.interactions.cog import ActCog, act
from bot.interactions.contexts import anywhere
from bot.matches import Snapshot
from bot.matches.verification import Finding
from bot.messaging.components import Press
from bot.messaging.content import MessageContent
from bot.messaging.files import PersonalFile, read
from bot.messaging.first_answer import Deferral
from bot.messaging.installs import server_of
from bot.messaging.interim_answers import tell_progress
from bot.rendering.coach import coach_content
from bot.rendering.help import FAIR, Help
from bot.rendering.moves import LAST_PAGE, moves_content
from bot.rendering.phrases import GONE, OVER, title
from bot.rendering.replays import replay_content


def finding_content(finding: Finding) -> MessageContent:
    """The result of `/verify`: a line for each check, and a verdict if the file could be read."""
    lines = [f"{'✅' if right else '❌'} {point}" for right, point in finding.points]
    if finding.is_read:
        not_ = "" if finding.is_true else "**not** "
        lines.append(f"This export is {not_}genuine.")
    return MessageContent(
        head="\n".join([f"### {finding.title}", *lines]),
        color=OVER if finding.is_true else GONE,
    )


class FinishedMatch(ActCog):
    @act("rematch")
    async def rematch(self, interaction: Interaction, press: Press) -> None:
        match = await self.services.matches.public(press.match)
        await self.services.playability.must_be_playable(interaction, match)
        await self.services.playability.must_be_allowed_again(interaction, match)
        await self.services.absentees.must_all_be_present(match, interaction)
        wanted = await self.services.rematches.want(
            press.match, interaction.user.id, interaction.id
        )
        await self.services.replies.answer_rematch(wanted, interaction)

    @act("reopen")
    async def reopen(self, interaction: Interaction, press: Press) -> None:
        match = await self.services.matches.public(press.match)
        await self.services.playability.must_be_playable(interaction, match)
        await self.services.absentees.must_not_be_asking(press.match, interaction)
        effect = await self.services.reopenings.want(press.match, interaction.user.id)
        await self.services.replies.acknowledge(effect, interaction)

    @act("count")
    async def count(self, interaction: Interaction, press: Press) -> None:
        effect = await self.services.reopenings.count_result(press.match, interaction.user.id)
        await self.services.replies.acknowledge(effect, interaction)

    @act("moves", Deferral.PRIVATE)
    async def moves(self, interaction: Interaction, press: Press) -> None:
        content = await self._moves(interaction, press, LAST_PAGE)
        await self.services.delivery.answer_privately(interaction, content)

    @act("turnmoves")
    async def turn_moves(self, interaction: Interaction, press: Press) -> None:
        content = await self._moves(interaction, press, press.step)
        await self.services.delivery.answer_in_place(interaction, content)

    async def _moves(self, interaction: Interaction, press: Press, page: int) -> MessageContent:
        user, guild = interaction.user.id, server_of(interaction)
        moves = await self.services.archive.moves(press.match, user=user, guild=guild)
        presentation = self.services.presentations[moves.snapshot.game]
        return await asyncio.to_thread(moves_content, moves, presentation, page)

    @act("replay", Deferral.PRIVATE)
    async def replay(self, interaction: Interaction, press: Press) -> None:
        content = await self._replayed(interaction, press, 0)
        await self.services.delivery.answer_privately(interaction, content)

    @act("frame")
    async def frame(self, interaction: Interaction, press: Press) -> None:
        content = await self._replayed(interaction, press, press.step)
        await self.services.delivery.answer_in_place(interaction, content)

    async def _replayed(
        self, interaction: Interaction, press: Press, number: int
    ) -> MessageContent:
        user, guild = interaction.user.id, server_of(interaction)
        replayed = await self.services.archive.replay(press.match, number, user=user, guild=guild)
        return replay_content(replayed, self.services.presentations[replayed.snapshot.game])

    @act("export", Deferral.PRIVATE)
    async def export(self, interaction: Interaction, press: Press) -> None:
        user, guild = interaction.user.id, server_of(interaction)
        files = await self.services.archive.export(
            press.match, user=user, guild=guild, title=self._title
        )
        name = f"{files.snapshot.game}-{press.match}"
        await self.services.delivery.answer_with_files(
            interaction,
            "The match as text and as JSON. To check the JSON against the seed, use `/verify`.",
            PersonalFile(f"{name}.txt", files.transcript.encode()),
            PersonalFile(f"{name}.json", files.json.encode()),
        )

    @act("coach", Deferral.PRIVATE)
    async def coach(self, interaction: Interaction, press: Press) -> None:
        """Show what the user's own choices gave up, and the progress while that takes long."""
        asked = await self.services.coach.asked(press.match, interaction.user.id)
        await self.services.delivery.answer_later(interaction)
        async for study in self.services.coach.studies(asked):
            content = coach_content(study, self.services.presentations[study.snapshot.game])
            if study.complete:
                await self.services.delivery.answer_privately(interaction, content)
            else:
                await tell_progress(self.services.delivery, interaction, content)

    @act("coachpage")
    async def coach_page(self, interaction: Interaction, press: Press) -> None:
        study = self.services.coach.known(press.match, interaction.user.id)
        content = coach_content(study, self.services.presentations[study.snapshot.game], press.step)
        await self.services.delivery.answer_in_place(interaction, content)

    async def _explain(self, interaction: Interaction) -> None:
        """Explain the digits at a table, which name this command."""
        guide = Help.of(
            self.bot.tree,
            self.services.presentations,
            self.services.reports.support,
        )
        await self.services.delivery.answer_privately(interaction, guide.content(FAIR))

    @act("share", Deferral.PRIVATE)
    async def share(self, interaction: Interaction, press: Press) -> None:
        """Post a result for everybody; that of a solo match is only shown to its player."""
        await self.services.result_sharing.share(press.match, interaction)

    def _title(self, snapshot: Snapshot) -> str:
        return title(snapshot, self.services.presentations[snapshot.game])

    @app_commands.command()
    @anywhere
    @app_commands.describe(file="The JSON file from Export (default: explain sealed deals)")
    async def verify(
        self, interaction: Interaction, file: discord.Attachment | None = None
    ) -> None:
        """Read what a sealed deal is, or check an exported match: deal, moves and result."""
        if file is None:
            await self._explain(interaction)
            return
        self.services.archive.must_be_small(file.size)
        await self.services.delivery.answer_later(interaction)
        data = await read(file)
        finding = await self.services.archive.check(data, interaction.user.id)
        await self.services.delivery.answer_privately(interaction, finding_content(finding))


async def setup(bot: Facedown) -> None:
    await bot.add_cog(FinishedMatch(bot))
