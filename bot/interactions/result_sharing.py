"""**Share** at a finished match: posts its result for everybody, or shows that of a solo match."""

from typing import Any

import discord

from bot.computers.coach import Study
from bot.messaging.content import MessageContent
from bot.messaging.delivery import Delivery
from bot.messaging.failures import translating_share_errors
from bot.messaging.interim_answers import tell_progress
from bot.rendering.presentation import KeepsScore, Presentations
from bot.rendering.shares import posted_content, shared_content, studying_content
from bot.sharing.results import Results, SharedResult
from bot.sharing.shares import Shares
from bot.storage import MatchId


class ResultSharing:
    def __init__(
        self, results: Results, shares: Shares, delivery: Delivery, presentations: Presentations
    ) -> None:
        self._results = results
        self._shares = shares
        self._delivery = delivery
        self._presentations = presentations

    async def share(self, match: MatchId, interaction: discord.Interaction[Any]) -> None:
        """Post a result for everybody; that of a solo match is only shown to its player.

        The player sees the coach's progress meanwhile, and then where the post is.
        """
        asked = await self._results.load(match, interaction.user.id)
        channel: int | None = None
        if not asked.snapshot.is_solo:
            earlier = await self._shares.posted(match, interaction.user.id)
            if earlier is not None:
                content = posted_content(earlier, asked.snapshot.guild, before=True)
                await self._delivery.answer_privately(interaction, content)
                return
            with translating_share_errors():
                channel = await self._shares.channel_for(interaction, asked.snapshot)
        with translating_share_errors():
            await self._delivery.answer_later(interaction)
        presentation = self._presentations[asked.snapshot.game]
        points = presentation.points if isinstance(presentation, KeepsScore) else None
        async for result in self._results.compute(asked, points):
            if isinstance(result, Study):
                await tell_progress(self._delivery, interaction, studying_content(result))
            else:
                content = await self._posted(result, channel)
                await self._delivery.answer_privately(interaction, content)

    async def _posted(self, result: SharedResult, channel: int | None) -> MessageContent:
        """Post a result in this channel; returns where it is, or without a channel the result."""
        snapshot = result.snapshot
        content = shared_content(result, self._presentations[snapshot.game])
        if channel is None:
            return content
        with translating_share_errors():
            post = await self._shares.post(snapshot, result.user, content, channel)
        return posted_content(post, snapshot.guild, before=False)
