"""Shared posts of solved puzzles: one per user, day and server, where they press **Share**."""

from collections.abc import Callable
from typing import Any

import discord

from bot.errors import MatchError
from bot.messaging.content import MessageContent
from bot.messaging.delivery import Delivery
from bot.messaging.sent import SentMessages
from bot.puzzles.answers import UNSOLVED, SolvedPuzzle
from bot.sharing.rights import must_be_able_to_share
from bot.sharing.shared_posts import SharedPosts
from bot.storage import Spot, Storage
from bot.storage.puzzle_shares import PuzzleShareRecord


class PuzzleShares:
    def __init__(
        self,
        client: discord.Client,
        storage: Storage,
        delivery: Delivery,
        sent: SentMessages,
        *,
        now: Callable[[], float],
    ) -> None:
        self._client = client
        self._storage = storage
        self._posts = SharedPosts(storage, delivery, sent, lambda found: found.puzzle_shares)
        self._now = now

    async def posted(self, solved: SolvedPuzzle, guild: int) -> Spot | None:
        """The post of a solved puzzle in this server; None if there is none, or it was deleted."""
        return await self._posts.find(solved.day, solved.user, guild)

    def must_allow(self, interaction: discord.Interaction[Any], guild: int, channel: int) -> None:
        """Raise NotAllowedHereError if the bot or this user can't post in the channel."""
        must_be_able_to_share(
            self._client.get_guild(guild),
            channel,
            interaction.channel,
            bot=interaction.app_permissions,
            person=interaction.permissions,
        )

    async def post(
        self, solved: SolvedPuzzle, guild: int, channel: int, content: MessageContent
    ) -> Spot:
        """Post a solved puzzle in a channel; returns the post in this server, new or existing."""
        wanted = PuzzleShareRecord(
            day=solved.day,
            user=solved.user,
            guild=guild,
            channel=channel,
            message=None,
            shared_at=int(self._now()),
        )
        async with self._storage.transaction() as writing:
            claimed = await writing.puzzle_shares.claim(wanted)
        # Discord's nonces have 25 characters at most, so only the end of the user id fits.
        nonce = f"p{solved.day}.{solved.user % 10**9}"
        posted = await self._posts.send(claimed, content, nonce)
        if posted is None:
            raise MatchError(UNSOLVED)
        return posted
