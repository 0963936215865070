"""Sends notices: by resending the hand, by a direct message, or by a mention."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

import structlog

from bot.live.live import Live
from bot.matches import SeatSnapshot, Snapshot
from bot.messaging.arrivals import Arrived
from bot.messaging.delivery import Delivery
from bot.messaging.direct_messages import DirectMessages
from bot.messaging.failures import PASSING_FAILURES, Failure, UndeliveredError
from bot.messaging.membership import MAX_IDS_ASKED, Membership
from bot.rendering.notices import Notice, notice_content
from bot.rendering.presentation import Presentations
from bot.settings.notices import way_of
from bot.storage import TABLE, MessageRef, Storage
from bot.storage.notices import NoticeRecord
from bot.storage.people import NoticePreference
from bot.text import discord_link

log = structlog.get_logger()

ASKED_WITH_THEM: Final = MAX_IDS_ASKED - 1
"""How many others Discord is asked about in the same request."""

GONE_FOR: Final = timedelta(minutes=1)
"""How long it's believed that somebody has left a server."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A notice that holds, with all that is needed to send it."""

    notice: NoticeRecord
    snapshot: Snapshot
    preference: NoticePreference
    places: dict[int, MessageRef]
    is_seen: bool
    """Whether it's a turn against computers alone that began just after the receiver had acted."""

    will_retry_soon: bool
    """Whether a try that fails now is repeated while the nonce is known."""

    @property
    def hand(self) -> MessageRef | None:
        """The receiver's hand in their direct messages; None if there is none."""
        snapshot = self.snapshot
        return self.places.get(snapshot.seat) if isinstance(snapshot, SeatSnapshot) else None

    @property
    def is_hand_new(self) -> bool:
        """Whether the hand was sent by direct message since this turn, which notifies as well."""
        return self.hand is not None and self.hand.turn >= self.notice.turn

    @property
    def table_url(self) -> str | None:
        table, guild = self.places.get(TABLE), self.snapshot.guild
        return None if table is None else discord_link(guild, table.channel, table.message)

    @property
    def away_until(self) -> int:
        """When the receiver's vacation ends (Unix time); 0 if they aren't on one."""
        own = self.snapshot.own
        return 0 if own is None else own.away_until or 0


class NoticeSender:
    """Sends notices; UndeliveredError if one couldn't be sent now, but perhaps can be later."""

    def __init__(  # noqa: PLR0913 - what `bot/services.py` has
        self,
        *,
        storage: Storage,
        delivery: Delivery,
        direct_messages: DirectMessages,
        presentations: Presentations,
        live: Live,
        membership: Membership,
        now: Callable[[], float],
    ) -> None:
        self._storage = storage
        self._delivery = delivery
        self._direct_messages = direct_messages
        self._presentations = presentations
        self._live = live
        self._membership = membership
        self._now = now

    async def tell(self, message: Message) -> tuple[Arrived | None, bool]:
        """Notify the receiver in the way that they chose.

        Returns the message that was sent besides the hand, or None, and whether the hand was resent
        instead: None and False if they needn't be notified, or can't be.
        """
        notice = message.notice
        way = way_of(message.preference, notice.event)
        told_already = (
            (notice.event == "challenged" and way == "channel")  # by the challenge itself
            or (notice.event == "accepted" and message.is_hand_new)
            or message.is_seen
            or (notice.event == "lost" and message.hand is not None)  # which says it itself
        )
        if told_already or way == "none":
            return None, False
        if notice.event == "lost":  # there is no channel for a mention, and no hand is resent
            return await self._send(message, None, again=PASSING_FAILURES), False
        if way == "channel":
            # A mention would add them to a private thread that they were removed from.
            is_shut_out = notice.event == "watched" and not await self._can_watch(message)
            return None if is_shut_out else await self._mention(message), False
        if await self._resend_hand(message):
            return None, True
        return await self._send_or_mention(message), False

    async def _resend_hand(self, message: Message) -> bool:
        """Notify a player of a match that was dealt by resending their hand; whether it worked."""
        snapshot = message.snapshot
        if isinstance(snapshot, SeatSnapshot) and snapshot.view is not None:
            return await self._live.resend_hand(message.notice, snapshot.seat)
        return False

    async def _send_or_mention(self, message: Message) -> Arrived | None:
        """Send a direct message besides the hand, or else a mention; for a turn only a mention.

        A watcher without a seat who can't see the match anymore isn't notified.
        """
        notice = message.notice
        if notice.event == "turn":
            return await self._mention(message)
        if notice.event == "watched" and not await self._can_watch(message):
            return None
        # A single error must not cause a public mention, and the message may even have arrived.
        again = {Failure.TROUBLE} if message.will_retry_soon else frozenset[Failure]()
        arrived = await self._send(message, message.table_url, again=again)
        return arrived or await self._mention(message, or_send=False)

    async def _send(
        self, message: Message, table_url: str | None, *, again: Collection[Failure]
    ) -> Arrived | None:
        content = notice_content(self._as_notice(message), table_url)
        return await self._direct_messages.send(message.notice, content, again=again)

    async def _mention(self, message: Message, *, or_send: bool = True) -> Arrived | None:
        """Mention somebody in the table's channel, unless they have left it; only they are pinged.

        People who can't be mentioned get a direct message if `or_send`: players who can't read the
        channel, and everybody if Discord refuses for good, as in a locked channel.
        """
        notice, snapshot = message.notice, message.snapshot
        if snapshot.guild is None or snapshot.channel is None:
            return None  # a solo match has no table
        table = message.places.get(TABLE)
        channel = snapshot.channel if table is None else table.channel
        if await self._has_left(snapshot.guild, notice.user, channel):
            may_send = or_send and notice.event != "watched"
            is_out = not may_send or await self._has_left(snapshot.guild, notice.user)
            if is_out:
                return None
            return await self._send(message, None, again=PASSING_FAILURES)
        content = notice_content(self._as_notice(message), message.table_url, mentioned=notice.user)
        # A different nonce than that of the direct message, which may have arrived: Discord
        # compares nonces per author.
        nonce = f"mention.{notice.id}"
        try:
            return await self._delivery.send(channel, content, nonce, pinged=[notice.user])
        except UndeliveredError as error:
            if error.failure in PASSING_FAILURES:
                raise
            why = error.failure
        log.warning("not mentioned", match=notice.match, what=notice.event, why=why.name)
        if why is Failure.NOWHERE and channel == snapshot.channel and snapshot.status == "running":
            await self._live.pause_lost(snapshot)
            raise UndeliveredError(Failure.TROUBLE)  # it waits until the match is resumed
        if not or_send:
            return None
        return await self._send(message, message.table_url, again=PASSING_FAILURES)

    async def _can_watch(self, message: Message) -> bool:
        """Whether a watcher is still in the server, and can read where the match was played.

        Discord doesn't report who was removed from a private thread, so it's asked. False if the
        server has removed the bot; UndeliveredError if Discord doesn't say who can read a channel.
        """
        snapshot, user = message.snapshot, message.notice.user
        if snapshot.guild is None or snapshot.channel is None:
            return True
        if await self._has_left(snapshot.guild, user):
            return False
        table = message.places.get(TABLE)
        channels = {snapshot.channel} if table is None else {snapshot.channel, table.channel}
        around, shut = set(), set()
        for channel in channels:
            thread = await self._delivery.channels.find(channel)
            place = channel if thread is None else thread.parent
            around.add(place)
            if thread is None or not thread.is_private:
                continue
            if not await self._delivery.channels.has_thread_member(channel, user):
                shut.add(place)
        can_read = await self._membership.can_read(snapshot.guild, user, around, managing=shut)
        if can_read is not None:
            return can_read
        async with self._storage.reading() as reading:
            if snapshot.guild in await reading.guilds.left():
                return False
        raise UndeliveredError(Failure.TROUBLE)

    async def _has_left(self, guild: int, user: int, channel: int | None = None) -> bool:
        """Whether somebody is known to have left a server, or to be unable to read a channel of it.

        One request asks about everybody who is due there, because many turns may begin at once.
        """
        async with self._storage.reading() as reading:
            due = {user, *await reading.notices.users_with_due(guild, self._now(), ASKED_WITH_THEM)}
        # Believed for less long than elsewhere: a notice skipped for somebody who is back is never
        # sent.
        gone = await self._membership.gone(guild, due, channel=channel, gone_for=GONE_FOR)
        return gone is not None and user in gone

    def _as_notice(self, message: Message) -> Notice:
        notice, snapshot = message.notice, message.snapshot
        game = self._presentations[snapshot.game]
        return Notice(event=notice.event, snapshot=snapshot, presentation=game, actor=notice.actor)
