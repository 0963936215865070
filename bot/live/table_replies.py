"""Answers with tables, and to clicks on them: posted as an answer, edited by later clicks."""

from collections.abc import Sequence
from typing import Any

import discord

from bot.live.live import Live
from bot.live.table_slot import BEGINNING, TableSlot, outdated_key
from bot.matches import PublicSnapshot
from bot.messaging.arrivals import Arrived, as_arrived
from bot.messaging.content import MessageContent
from bot.messaging.delivery import Delivery
from bot.messaging.first_answer import Token
from bot.rendering.challenge import beginning_content
from bot.rendering.presentation import Presentations
from bot.storage import SHOWN_PLAIN, SHOWN_POSTING, MatchId, MessageRef


class TableReplies:
    def __init__(self, live: Live, delivery: Delivery, presentations: Presentations) -> None:
        self._live = live
        self._delivery = delivery
        self._presentations = presentations

    async def post(self, snapshot: PublicSnapshot, interaction: discord.Interaction[Any]) -> None:
        """Answer a command with the table of its new match; it mentions the invited players."""
        table = await self._live.slots.table(snapshot.match)
        async with table.lock:
            await self._post(table, snapshot, interaction, await table.invited(snapshot))

    async def begin(self, snapshot: PublicSnapshot, interaction: discord.Interaction[Any]) -> None:
        """Answer a command whose match has begun at once, because nobody had to accept.

        Drawing the table could take longer than Discord waits, so it follows in a moment.
        """
        content = beginning_content(snapshot, self._presentations[snapshot.game])
        table = await self._live.slots.table(snapshot.match)
        async with table.lock:
            await table.put(_ref(await self._answer(table, content, interaction), BEGINNING))
        self._live.note_changed(snapshot.match)

    async def post_resumed(
        self, snapshot: PublicSnapshot, interaction: discord.Interaction[Any]
    ) -> None:
        """Answer a command with the table of a match that is resumed here; hands follow.

        The old table is deleted first: where it was is forgotten once another is on its way, and a
        crash would leave both. A table that is missing is posted again by a start.
        """
        match = snapshot.match
        async with self._live.changing(match):
            table = await self._live.slots.table(match)
            try:
                async with table.lock:
                    if table.ref is not None:
                        await table.remove(table.ref)
                    await self._post(table, snapshot, interaction, ())
            finally:
                self._live.table_moved(snapshot)
                self._live.slots.unbar(match)

    async def acknowledge(self, match: MatchId, interaction: discord.Interaction[Any]) -> None:
        """Acknowledge a click on the table that changed the match; the table follows soon."""
        async with self._live.changing(match):
            await self._delivery.acknowledge(interaction)
            await self.keep_token(match, interaction)

    async def keep_token(self, match: MatchId, interaction: discord.Interaction[Any]) -> None:
        """Edit the table by this click's interaction from now on, until it expires.

        A table that wasn't stored, because of a crash after it was posted, is stored now.
        """
        table, message = await self._live.slots.table(match), interaction.message
        if message is None or is_private(interaction):
            return
        if table.ref is None or table.shown == SHOWN_POSTING:
            table.bar.lift()
            await table.put(_ref(as_arrived(message), ""))
        if table.ref is not None and table.ref.message == message.id:
            table.token = Token.of(interaction)

    async def _post(
        self,
        table: TableSlot,
        snapshot: PublicSnapshot,
        interaction: discord.Interaction[Any],
        invited: Sequence[int],
    ) -> None:
        """Answer a command with a table, with its lock held.

        If it was sent in words, it's edited to what it should show. The match is compared again in
        any case: nothing else does that if it has changed or ended before the table was stored.
        """
        outdated = table.times_outdated
        content = await table.content(snapshot)
        arrived = await self._answer(table, content, interaction, invited)
        whole = not arrived.plain and (content.picture is None or arrived.media is not None)
        await table.put(_ref(arrived, snapshot.key if whole else outdated_key(snapshot.key)))
        if table.plain and table.ref is not None:
            await table.complete(table.ref, content, snapshot.key, outdated)
        self._live.compare_soon(snapshot.match)
        self._live.tell_owner(snapshot)

    async def _answer(
        self,
        table: TableSlot,
        content: MessageContent,
        interaction: discord.Interaction[Any],
        invited: Sequence[int] = (),
    ) -> Arrived:
        """Answer a command with the message of a table, with its lock held.

        That it's being posted is stored first, with the token that finds it: so a crash before the
        message is stored doesn't leave it beside another table.
        """
        channel = interaction.channel_id
        assert channel is not None
        table.token = Token.of(interaction)
        await table.put(MessageRef(channel=channel, message=interaction.id, shown=SHOWN_POSTING))
        arrived = await self._delivery.answer(interaction, content, pinged=invited)
        self._live.slots.note_posted(table.match)
        table.token, table.media = Token.of(interaction), arrived.media
        return arrived


def is_private(interaction: discord.Interaction[Any]) -> bool:
    """Whether the clicked message can be seen by one person only."""
    message = interaction.message
    return interaction.guild_id is None or (message is not None and message.flags.ephemeral)


def _ref(at: Arrived, shown: str) -> MessageRef:
    return MessageRef(
        channel=at.channel, message=at.message, shown=SHOWN_PLAIN if at.plain else shown
    )
