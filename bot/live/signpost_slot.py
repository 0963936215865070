"""The signpost: a challenge that stays in its channel while its match has a thread of its own."""

from typing import Final

import structlog

from bot.live.message_slot import MessageSlot
from bot.matches import PublicSnapshot
from bot.messaging.content import MessageContent
from bot.messaging.failures import PASSING_FAILURES, Failure, UndeliveredError
from bot.messaging.first_answer import Token
from bot.rendering.pauses import ended_content, moved_content
from bot.storage import MessageRef
from bot.text import discord_link

log = structlog.get_logger()

FOR_THE_MATCH: Final = 2**53
"""The revision of a signpost while its match is played, so that no move puts it behind."""


class SignpostSlot(MessageSlot[PublicSnapshot]):
    """Edited when its match begins and when it ends, and never between.

    If it's deleted, no new one is sent: nobody waits for it.
    """

    async def stand(self, snapshot: PublicSnapshot, at: MessageRef, token: Token | None) -> None:
        """Store that this message is the signpost, and links to the match of this snapshot."""
        self.token = token
        key = self.key(snapshot)
        await self.put(
            MessageRef(channel=at.channel, message=at.message, shown=key, revision=FOR_THE_MATCH)
        )

    def key(self, snapshot: PublicSnapshot) -> str:
        """The key: the channel of the match, or how it ended; and the seats of former players."""
        former = "".join(str(i) for i, info in enumerate(snapshot.seats) if info.user < 0)
        if snapshot.is_unfinished:
            return f"signpost.{snapshot.channel}.{former}"
        left = "".join(str(i) for i, info in enumerate(snapshot.seats) if info.left)
        result = f"{snapshot.status}.{snapshot.step}.{left}.{snapshot.ending or ''}"
        return f"signpost.{result}.{former}"

    def wants_message(self, snapshot: PublicSnapshot) -> bool:
        del snapshot
        return False

    def is_detail(self, snapshot: PublicSnapshot) -> bool:
        """Always True: the tables of its channel go first."""
        del snapshot
        return True

    async def content(self, snapshot: PublicSnapshot) -> MessageContent:
        presentation = self._services.presentations[snapshot.game]
        assert snapshot.channel is not None  # a solo match has no challenge
        if snapshot.is_unfinished:
            return moved_content(snapshot, presentation, snapshot.channel)
        table = (await self._slots.table(self.match)).ref
        url = discord_link(snapshot.guild, snapshot.channel)
        if table is not None:
            url = discord_link(snapshot.guild, table.channel, table.message)
        return ended_content(snapshot, presentation, url)

    def outdate(self) -> None:
        """Mark it for an update only after the match, when it links to the table.

        The edit that makes it link there may be under way, with a link that is outdated now.
        """
        if self.ref is not None and self.ref.revision == FOR_THE_MATCH:
            self.times_outdated += 1
        else:
            super().outdate()

    def link_moved(self) -> None:
        """Do nothing: it doesn't link to the rematch."""

    async def _channel(self, snapshot: PublicSnapshot) -> int:
        del snapshot
        assert self.ref is not None  # it's made from a challenge's message, and never sent
        return self.ref.channel

    async def _show_message(self, snapshot: PublicSnapshot) -> None:
        assert self.ref is not None
        outdated = self.times_outdated
        try:
            await self.edit(self.ref, await self.content(snapshot))
        except UndeliveredError as error:
            if error.failure is Failure.BLOCKED:
                self.bar.block(self.key(snapshot))
            elif error.failure is not Failure.GONE and error.failure not in PASSING_FAILURES:
                self.bar.refused(error.failure)
            if error.failure is not Failure.GONE:
                raise
            log.info("signpost is gone", match=self.match)
        is_played = snapshot.is_unfinished
        self.mark_shown(self.key(snapshot), FOR_THE_MATCH if is_played else snapshot.revision)
        if self.times_outdated != outdated:
            self.outdate()
