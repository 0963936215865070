"""Where a match is shown: a slot for the table, for each hand and for a signpost."""

from abc import ABC, abstractmethod
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

import structlog

from bot.live.edited import EditedMessage, SnapshotT, is_linked
from bot.messaging.arrivals import Arrived
from bot.messaging.delivery import MAX_NONCE_LENGTH
from bot.messaging.direct_messages import NotOpenError
from bot.messaging.failures import PASSING_FAILURES, Failure, UndeliveredError
from bot.storage import SHOWN_PLAIN, TABLE, MessageRef, Spot
from bot.storage.messages import SIGNPOST
from bot.storage.traces import TraceRecord

log = structlog.get_logger()

FINAL_FAILURES: Final = frozenset({Failure.NOWHERE, Failure.FORBIDDEN, Failure.CLOSED})
"""Failures after which a message is no longer edited at each change."""


NONCE_SECONDS: Final = 60.0
"""Seconds during which a message's nonce certainly keeps it from being sent twice: Discord compares
those of "the past few minutes"."""


class MessageSlot(EditedMessage[SnapshotT], ABC):
    """A message that is sent, edited when it's behind, and replaced if it can't be edited."""

    unsure_of: int | None = None
    """The id of the message that may have been replaced, though Discord's response was lost."""

    @property
    def is_coming(self) -> bool:
        """Whether a new message is being sent to replace the current one."""
        return self.ref is not None and self.ref.coming

    @property
    def is_out_of_reach(self) -> bool:
        """Whether it's a table or signpost where the bot can't edit messages, at least for now."""
        if self.ref is None or self.place not in {TABLE, SIGNPOST}:
            return False
        return not self._services.delivery.channels.may_edit_in(self.ref.channel)

    def is_behind(self, snapshot: SnapshotT) -> bool:
        """Whether the message is outdated, is being replaced, or has an old one to be deleted."""
        has_leftover = self.ref is not None and self.ref.leftover is not None
        return self.is_coming or has_leftover or self.is_outdated(snapshot)

    def key(self, snapshot: SnapshotT) -> str:
        """What the message shows of this snapshot, as short text."""
        return snapshot.key

    def is_outdated(self, snapshot: SnapshotT) -> bool:
        """Whether the message should show something else, and Discord doesn't refuse that."""
        key = self.key(snapshot)
        if self.bar.holds or self.bar.blocks(key) or self.shown == key:
            return False
        return self.ref is not None or self.wants_message(snapshot)

    @abstractmethod
    def wants_message(self, snapshot: SnapshotT) -> bool:
        """Whether to send a message if this slot has none."""

    async def show(self, snapshot: SnapshotT) -> bool:
        """Update the message, with the lock held; False if that has to be tried again.

        A replacement that was begun is completed.
        """
        before = self.message
        if self.is_outdated(snapshot):
            await self._show_message(snapshot)
        if self.ref is not None and self.ref.coming:
            await self._send_replacement(snapshot, self.ref)
        await self.remove_leftover()
        is_incomplete = self.message != before and self.is_outdated(snapshot)
        has_leftover = self.ref is not None and self.ref.leftover is not None
        return is_linked(self.shown) and not has_leftover and not is_incomplete

    @abstractmethod
    async def _show_message(self, snapshot: SnapshotT) -> None:
        """Send, edit or replace the message of this slot."""

    @abstractmethod
    async def _channel(self, snapshot: SnapshotT) -> int:
        """The channel for a new message of this slot."""

    @property
    def is_being_shown(self) -> bool:
        """Whether it's being edited or its picture drawn, so that an answer would have to wait."""
        return self.lock.locked() or self.waiting.drawing is not None

    async def invited(self, snapshot: SnapshotT) -> tuple[int, ...]:
        """The ids of the people that a new message mentions, because a challenge asks them."""
        del snapshot
        return ()

    def is_detail(self, snapshot: SnapshotT) -> bool:
        """Whether only a detail is missing from what the message shows."""
        return (self.shown or "").startswith(f"{snapshot.stage}.")

    def is_counted(self, snapshot: SnapshotT) -> bool:
        """Whether it has to be edited in a way that counts toward a rate limit."""
        by_token = self.token is not None and self.token.fresh
        return self.ref is not None and not by_token and self.is_outdated(snapshot)

    async def show_private(self, snapshot: SnapshotT) -> None:
        """Update private messages, with the lock held: their edits don't count."""

    async def take_turn(self, snapshot: SnapshotT) -> None:
        """Wait until it may be edited, or has to be looked at again."""
        assert self.ref is not None
        await self.waiting.take_turn(
            self.ref.channel,
            lambda: self._prepare(snapshot),
            is_detail=self.is_detail(snapshot),
            can_be_reposted=self.can_be_reposted(snapshot),
        )

    def can_be_reposted(self, snapshot: SnapshotT) -> bool:
        """Whether the message can be reposted if its edit would be late."""
        del snapshot
        return False

    async def _prepare(self, snapshot: SnapshotT) -> None:
        """Start drawing the picture that will be shown."""
        picture = self._to_draw(await self.content(snapshot))
        if picture is not None:
            self._services.delivery.pictures.begin(picture)

    def note_up_to_date(self, snapshot: SnapshotT) -> None:
        """Note that the message needs no change for this snapshot.

        Not if a filter blocks it: a start tries it once more.
        """
        if self.bar.blocks(self.key(snapshot)):
            return
        ref = self.ref
        if ref is not None and ref.revision < snapshot.revision:
            self.mark_shown(self.shown or "", snapshot.revision, unshown=ref.unshown)

    def give_up(self, snapshot: SnapshotT) -> None:
        """Note what Discord refuses as if it were shown, so that no later look tries it again.

        The next change of the match tries it, and for a table or signpost also regained access to
        its channel.
        """
        key = self.key(snapshot)
        if self.ref is not None and self.bar.holds and self.shown != key:
            self.mark_shown(key, snapshot.revision, unshown=self.is_out_of_reach)

    async def send(
        self, snapshot: SnapshotT, after: MessageRef | None, *, leftover: int | None = None
    ) -> None:
        """Send a new message for this slot; `after` is the one that it replaces.

        It's stored as soon as it's sent, and then edited if it was sent in words. If one may have
        been sent before, Discord answers with that one, which shows what was true then: it's edited
        too. `leftover` is the id of the message to delete once this one is stored.
        """
        outdated = self.times_outdated
        content = replace(await self.content(snapshot), asked=await self.invited(snapshot))
        try:
            channel = await self._channel(snapshot)
            arrived = await self._sent(snapshot, channel, after)
            if arrived is None:
                arrived = await self._services.delivery.send_once(
                    channel,
                    content,
                    self._nonce(after),
                    direct=self.place != TABLE,
                    since=self.waiting.since,
                )
        except UndeliveredError as error:
            self.bar.refused(error.failure)
            self.sent_before = True
            if after is not None and is_passing(error):
                self.unsure_of = after.message
            raise
        self.bar.arrived()
        if not arrived.plain:
            self.note_picture(content, arrived.media)
        self.media, self.token = arrived.media, None  # the token is the old message's
        is_behind, key = self.sent_before or arrived.plain, self.key_now(snapshot.key, outdated)
        ref = MessageRef(
            channel=arrived.channel,
            message=arrived.message,
            shown=SHOWN_PLAIN if arrived.plain else "" if is_behind else key,
            turn=snapshot.turn,
            leftover=leftover,
        )
        await self.put(ref)
        if is_behind and self.ref is not None:
            self.sent_before = False
            await self.complete(ref, content, snapshot.key, outdated)

    def _nonce(self, after: MessageRef | None) -> str:
        replaced = "" if after is None else base36(after.message)
        return f"{base36(self.match)}.{self.place}.{replaced}"[:MAX_NONCE_LENGTH]

    async def _sent(
        self, snapshot: SnapshotT, channel: int, after: MessageRef | None
    ) -> Arrived | None:
        """Find a message that may have been sent too long ago for its nonce to return it."""
        begun = snapshot.begun_at
        is_new = begun is not None and self._services.now() - begun < NONCE_SECONDS
        if is_new or not self.sent_before:
            return None
        replaced = 0 if after is None else after.message
        return await self._services.sent.newest_of(self.match, channel, after=replaced, begun=begun)

    async def repost(self, snapshot: SnapshotT, old: MessageRef) -> None:
        """Replace a message by a new one, and delete it afterwards.

        That a new one is coming is stored first: whatever fails or crashes in between, the next
        look at the match completes it, and the nonce brings the same message. What has to be
        deleted is stored with the new one.
        """
        if not old.coming:
            old = await self._renote(coming=True)
            self.sent_before = self.unsure_of == old.message  # else none was sent yet
        await self._send_replacement(snapshot, old)

    async def _send_replacement(self, snapshot: SnapshotT, old: MessageRef) -> None:
        """Send the replacement that is stored as coming; if it can't be sent, the old one stays."""
        try:
            await self._remove_older()
            await self.send(snapshot, old, leftover=old.message)
        except UndeliveredError as error:
            if is_passing(error):
                self.bar.lift()
                raise  # each look at the match tries it again
            await self._keep_old(snapshot)
            raise
        if self.is_coming:
            await self._keep_old(snapshot)
            return
        with suppress(UndeliveredError):  # each look at the match tries it again while it's stored
            await self.remove_leftover()

    async def _remove_older(self) -> None:
        """Delete an earlier leftover, or raise UndeliveredError: the next one would replace it."""
        await self.remove_leftover()
        if self.ref is not None and self.ref.leftover is not None:  # the database can't be written
            raise UndeliveredError(Failure.TROUBLE)

    async def _keep_old(self, snapshot: SnapshotT) -> None:
        """Keep the old message, which can be edited as before.

        If a new one may have been sent all the same, the row still says that it's coming: that is
        how the next start knows to search for it.
        """
        del snapshot
        self.bar.lift()
        assert self.ref is not None
        if self.unsure_of == self.ref.message:
            self.ref = replace(self.ref, coming=False)
        else:
            await self._renote(coming=False)

    async def _renote(self, **changed: Any) -> MessageRef:  # noqa: ANN401 - fields
        """Store changed fields of the current message, at once; a start compares it again."""
        assert self.ref is not None
        ref = replace(self.ref, revision=0, **changed)
        await self.put(ref)
        return ref

    async def remove_leftover(self) -> None:
        """Delete the message that this one has replaced, if it still exists.

        If Discord refuses that for good, it stays, and clicks on it are answered. Nothing is
        deleted until the new message is stored: until then, a start knows only the old one.
        """
        ref = self.ref
        if ref is None or ref.leftover is None or not self._slots.is_noted(self):
            return
        try:
            await self._services.delivery.delete(
                ref.channel, ref.leftover, since=self.waiting.since
            )
        except UndeliveredError as error:
            if error.failure in PASSING_FAILURES:
                raise
            log.info("old message stays", match=self.match, why=error.failure.name)
        await self._renote(leftover=None)

    async def remove(self, ref: MessageRef) -> None:
        """Delete a message that will be replaced, and its leftover.

        If Discord has trouble, that is stored: the message is deleted later, wherever the new one
        is.
        """
        for message in (ref.leftover, ref.message):
            if message is None:
                continue
            try:
                await self._services.delivery.delete(ref.channel, message)
            except UndeliveredError as error:
                # Clicks on it are answered as usual; it's just never updated.
                log.info("old message stays", match=self.match, why=error.failure.name)
                if error.failure in PASSING_FAILURES:
                    await self._delete_later(Spot(ref.channel, message))

    async def _delete_later(self, at: Spot) -> None:
        trace = TraceRecord.due("leftover", self.match, at, int(self._services.now()))
        async with self._services.storage.transaction() as writing:
            await writing.traces.put([trace])

    async def replace(self, snapshot: SnapshotT, ref: MessageRef, error: UndeliveredError) -> None:
        """Send a new message for one that can't be edited; otherwise raise the error again.

        A refusal that lasts bars the slot.
        """
        match error.failure:
            case Failure.GONE:
                await self.send(snapshot, ref, leftover=ref.leftover)
            case Failure.OLD | Failure.ARCHIVED:
                try:
                    await self.repost(snapshot, ref)
                finally:  # if neither works, it isn't tried at every change
                    stays = self.ref is not None and self.ref.message == ref.message
                    if stays and not self.is_coming:
                        self.bar.refused(error.failure)
            case failure:
                is_final = not snapshot.is_unfinished and failure not in PASSING_FAILURES
                if is_final or failure in FINAL_FAILURES:
                    self.bar.refused(failure)
                elif failure is Failure.BLOCKED:
                    self.bar.block(snapshot.key)
                raise error


def is_passing(error: UndeliveredError) -> bool:
    """Whether the same may succeed soon; not if a channel has to be waited for in line."""
    return error.failure in PASSING_FAILURES and not isinstance(error, NotOpenError)


def base36(number: int) -> str:
    """A number in base 36, where there is little room."""
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    text = ""
    while number:
        number, digit = divmod(number, 36)
        text = digits[digit] + text
    return text or "0"
