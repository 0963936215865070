"""Posts of solved puzzles, in channels where people press **Share**: one a person, day and server.

A post is a row before it is sent, and can come again once it is deleted, as that of a match's
result (`bot/sharing/shares.py`).
"""

from collections.abc import Callable
from typing import Any

import discord

from bot.errors import MatchError
from bot.messaging.content import MessageContent
from bot.messaging.delivery import Delivery
from bot.messaging.failures import PASSING_FAILURES, UndeliveredError
from bot.messaging.sent import SentMessages
from bot.puzzles.answers import UNSOLVED, SolvedPuzzle
from bot.sharing.rights import must_be_able_to_share
from bot.storage import Storage
from bot.storage.puzzle_shares import PuzzleShareRecord
from bot.storage.records import Spot


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
        self._delivery = delivery
        self._sent = sent
        self._now = now

    async def posted(self, solved: SolvedPuzzle, guild: int) -> Spot | None:
        """Where it is shared in this server; None if it is not, or the post is gone."""
        async with self._storage.reading() as reading:
            found = await reading.puzzle_shares.of(solved.day, solved.user, guild)
        if found is None or found.message is None:
            return None
        if not await self._sent.is_gone(found.channel, found.message):
            return Spot(found.channel, found.message)
        async with self._storage.transaction() as writing:
            await writing.puzzle_shares.release(found)
        return None

    def must_allow(self, interaction: discord.Interaction[Any], guild: int, channel: int) -> None:
        """NotAllowedHereError where the bot can't post, or where this person may not write."""
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
        """Send it to a channel; where it stands in this server, now or already."""
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
        if claimed is None:  # everything about this person was deleted meanwhile
            raise MatchError(UNSOLVED)
        if claimed.message is not None:
            return Spot(claimed.channel, claimed.message)
        # As much of the person as there is room for. The moment tells it from a post that is gone,
        # in the minutes that Discord knows a nonce.
        nonce = f"p{solved.day}.{solved.user % 10**9}.{claimed.shared_at % 10_000}"
        try:
            arrived = await self._delivery.send(claimed.channel, content, nonce)
        except UndeliveredError as error:
            if error.failure not in PASSING_FAILURES:  # so it may be shared elsewhere at once
                async with self._storage.transaction() as writing:
                    await writing.puzzle_shares.release(claimed)
            raise
        async with self._storage.transaction() as writing:
            known = await writing.puzzle_shares.note_posted(claimed, arrived.message)
        if not known:
            await self._delivery.delete(arrived.channel, arrived.message)
            raise MatchError(UNSOLVED)
        await self._delivery.name_all(arrived, content)
        return Spot(arrived.channel, arrived.message)
