"""A hand: the message where a player sees what they hold and chooses."""

from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from typing import Any

import discord
import structlog

from bot.errors import StorageUnavailableError
from bot.live.edited import EditedMessage, is_linked, key_of
from bot.live.message_slot import MessageSlot, is_passing
from bot.live.private_hand import KeptDraft, Private, PrivateCopy
from bot.live.turn_telling import has_told
from bot.matches import SeatSnapshot
from bot.messaging.components import has_act_beside, is_offered
from bot.messaging.content import MessageContent
from bot.messaging.direct_messages import NotOpenError
from bot.messaging.failures import PASSING_FAILURES, UndeliveredError
from bot.rendering.hand import NEXT, receipt_content, receipt_key, stale_note, with_next
from bot.storage import MessageRef, Telling
from bot.storage.notices import NoticeRecord
from games import Seat

log = structlog.get_logger()


class HandSlot(MessageSlot[SeatSnapshot]):
    @cached_property
    def private(self) -> Private:
        """State that isn't stored; handed to the slot that replaces this one."""
        return Private()

    def take_over_from(self, before: EditedMessage[Any]) -> None:
        super().take_over_from(before)
        assert isinstance(before, HandSlot)
        self.private = before.private
        self._outdate_copy()  # the table that it links to may have moved

    def shown_elsewhere(self) -> None:
        super().shown_elsewhere()
        self.private.draft = None  # that process may know a newer one

    def note_draft(self, snapshot: SeatSnapshot, text: str) -> None:
        """Show this draft until the player chooses something; an empty text means none.

        Only this process knows it: after a restart the hand is shown without it.
        """
        self.private.draft = KeptDraft(snapshot.step, snapshot.choice, text)

    def draft(self, snapshot: SeatSnapshot) -> str:
        """The player's draft; empty if they have chosen since, or the step has changed."""
        kept = self.private.draft
        if kept is None or (kept.step, kept.choice) != (snapshot.step, snapshot.choice):
            return ""
        return kept.text

    def outdate(self) -> None:
        super().outdate()
        self._outdate_copy()

    def link_moved(self) -> None:
        super().link_moved()
        self._outdate_copy()

    def _outdate_copy(self) -> None:
        if self.private.copy is not None:
            self.private.copy.mark_shown("")

    def is_behind(self, snapshot: SeatSnapshot) -> bool:
        private = self._copy_is_behind(snapshot) or self.receipt_is_behind(snapshot)
        return super().is_behind(snapshot) or private or bool(self.private.replaced)

    async def show_private(self, snapshot: SeatSnapshot) -> None:
        if self._copy_is_behind(snapshot):
            await self._show_copy(snapshot)
        if self.receipt_is_behind(snapshot):
            await self.show_receipt(snapshot)

    async def _remove_replaced(self) -> None:
        """Delete private copies that were replaced, while their interactions allow that.

        UndeliveredError if Discord has trouble: then it's tried again. A copy that can't be deleted
        is kept up to date again once it's clicked.
        """
        private = self.private
        while private.replaced:
            copy = private.replaced.pop()
            if copy.message is None:
                continue
            private.removed.add(copy.message)
            try:
                is_removed = await self._delete(copy)
            except UndeliveredError:  # it may be deleted all the same
                private.replaced.insert(0, copy)  # deleted after all others
                raise
            if not is_removed:
                private.removed.remove(copy.message)

    async def show(self, snapshot: SeatSnapshot) -> bool:
        await self.show_private(snapshot)
        shown = await super().show(snapshot)
        await self._remove_replaced()  # last, because it may fail
        return shown and (self.private.copy is None or is_linked(self.private.copy.shown))

    async def resend(self, snapshot: SeatSnapshot, notice: NoticeRecord) -> bool:
        """Resend the hand, with the lock held, to tell of an event, unless that was done.

        Returns whether it has arrived. A new message notifies its player; an edit doesn't. What it
        will tell is stored first: so a start takes care of a message that may have been sent
        without being stored, and one notice sends one message. A turn, or the beginning of a match,
        is told by any hand sent in that turn, perhaps while this notice waited for the lock; a turn
        that waited for the end of a vacation, only by one sent since.
        """
        ref, telling = self.ref, snapshot.told
        is_noted = telling is not None and telling.notice == notice.id
        has_come = ref is not None and not self.is_coming
        storage = self._services.storage
        if has_come and (is_noted or await has_told(storage, ref, snapshot, notice)):
            return True
        if not is_noted:
            snapshot = await self._note_coming(snapshot, notice)
        old = self.ref
        if old is not None:
            await self._send_replacement(snapshot, old)
        else:
            await self._send_first(snapshot)
        return self.ref is not None and (old is None or self.ref.message != old.message)

    async def _send_first(self, snapshot: SeatSnapshot) -> None:
        """Send a hand that has no message yet; if it can't be sent, note that it told nothing."""
        try:
            await self.send(snapshot, None)
        except UndeliveredError as error:
            if not is_passing(error):
                await self._clear_telling(snapshot)
            raise
        if self.ref is None:
            await self._clear_telling(snapshot)

    async def _note_coming(self, snapshot: SeatSnapshot, notice: NoticeRecord) -> SeatSnapshot:
        """Store what the hand will tell, and that it replaces its message; returns the snapshot."""
        users = [info.user for info in snapshot.seats]
        telling = Telling(
            notice=notice.id,
            event=notice.event,
            turn=notice.turn,
            by=Seat(users.index(notice.actor)) if notice.actor in users else None,
        )
        ref, was_coming = self.ref, self.is_coming
        coming = None
        if ref is not None:
            coming = replace(ref, shown=self._noted(""), revision=0, coming=True)
        async with self._services.storage.transaction() as writing:
            await writing.seats.note_telling(self.match, snapshot.seat, telling)
            await writing.matches.show_again(self.match)  # even if it has ended
            if coming is not None:
                await writing.messages.put(self.match, self.place, coming)
        if coming is not None:
            self.ref = coming
            # No replacement was sent yet, unless one was coming already, or had been.
            unsure = self.unsure_of == coming.message
            self.sent_before = unsure or (self.sent_before and was_coming)
        return replace(snapshot, told=telling, plays_here=False)

    async def _clear_telling(self, snapshot: SeatSnapshot) -> None:
        """Store that the hand couldn't be sent; its player is told in another way."""
        async with self._services.storage.transaction() as writing:
            await writing.seats.clear_telling(self.match, snapshot.seat)

    async def show_receipt(self, snapshot: SeatSnapshot) -> None:
        """Update the receipt while its interaction allows that; otherwise forget it."""
        receipt = self.private.receipt
        if receipt is None or receipt.token is None:
            return
        try:
            await self._services.delivery.edit_by(
                receipt.token, self.receipt_content(snapshot), None
            )
        except UndeliveredError as error:
            if error.failure in PASSING_FAILURES:
                raise
            self.private.receipt = None  # too old; the next tap sends another
            return
        receipt.mark_shown(receipt_key(snapshot))

    def receipt_is_behind(self, snapshot: SeatSnapshot) -> bool:
        """Whether there is a receipt that is outdated and can be edited."""
        receipt = self.private.receipt
        if receipt is None or not receipt.is_fresh or _is_deleted(snapshot):
            return False
        return receipt.shown != receipt_key(snapshot)

    def has_earlier_receipt(self, snapshot: SeatSnapshot) -> bool:
        """Whether there is a receipt that can be edited, and names no choice of this step."""
        if self.private.receipt is None or not self.private.receipt.is_fresh:
            return False
        unchosen = receipt_key(replace(snapshot, choice=None))
        shown = self.private.receipt.shown or ""
        return shown == unchosen or not shown.startswith(unchosen)

    async def remove_receipt(self, receipt: PrivateCopy | None) -> None:
        """Delete a receipt that another one has replaced.

        If that fails, it stays, and says what was chosen then.
        """
        if receipt is not None:
            with suppress(UndeliveredError):
                await self._delete(receipt)

    async def _delete(self, private: PrivateCopy) -> bool:
        """Delete a private message; False if its interaction doesn't allow that anymore.

        UndeliveredError if the same may succeed soon.
        """
        if private.token is None or not private.is_fresh:
            return False
        try:
            await self._services.delivery.delete_by(private.token)
        except UndeliveredError as error:
            log.info("old private message stays", match=self.match, why=error.failure.name)
            if is_passing(error):
                raise
            return False
        return True

    def receipt_content(self, snapshot: SeatSnapshot) -> MessageContent:
        return receipt_content(snapshot, self._services.presentations[snapshot.game])

    def label(self, snapshot: SeatSnapshot) -> str:
        """The label of the button at the table that opens this hand."""
        return self._services.presentations[snapshot.game].hand_label

    async def content(self, snapshot: SeatSnapshot) -> MessageContent:
        content = await super().content(snapshot)
        return with_next(content, snapshot) if self.private.has_next else content

    async def private_content(
        self, snapshot: SeatSnapshot, *, has_next: bool = False
    ) -> MessageContent:
        """The content of the hand as a private message; says so if this process can't update it."""
        content = await super().content(snapshot)
        if snapshot.is_unfinished and not self._services.share.owns(snapshot.guild):
            note = stale_note(snapshot, self.label(snapshot))
            content = replace(content, foot=f"{content.foot}\n{note}")
        return with_next(content, snapshot) if has_next else content

    async def play_here(self, snapshot: SeatSnapshot) -> None:
        """Store that the player chooses in the channel, so that no hand is sent to them.

        If the database can't be written, they can choose all the same.
        """
        if snapshot.plays_here:
            return
        with suppress(StorageUnavailableError):
            async with self._services.storage.transaction() as writing:
                await writing.seats.play_here(self.match, snapshot.seat)

    def wants_message(self, snapshot: SeatSnapshot) -> bool:
        """Whether to send a hand: not if its player chooses in the channel, or wants none sent.

        With one tap, players choose in the channel too, unless they asked for direct messages.
        Nothing is sent for a solo match: its player asks to see it.
        """
        has_left = snapshot.own.left
        here = snapshot.plays_here
        if here is None:
            here = snapshot.tap and snapshot.desk != "dm"
        wanted = not here and not self._wants_no_message(snapshot) and not snapshot.is_solo
        return snapshot.status == "running" and not has_left and wanted

    def note_click(self, interaction: discord.Interaction[Any]) -> "HandSlot | PrivateCopy | None":
        """Note a click, and return the clicked message: the hand or a private copy; else None.

        A clicked copy is kept up to date from now on. A forged button must turn neither the table
        nor a private sentence into a hand. None also for a copy that was deleted meanwhile.
        """
        message = interaction.message
        if message is not None and message.flags.ephemeral:
            if not is_offered(interaction):
                return None
            copy = self.private.at(message.id)
            if copy is not None:
                copy.has_next = has_act_beside(interaction, NEXT)
            return copy
        if message is None or self.ref is None or self.ref.message != message.id:
            return None
        self.private.has_next = has_act_beside(interaction, NEXT)
        return self

    def abandon(self) -> None:
        super().abandon()
        self.private.copy = self.private.receipt = self.private.draft = None
        self.private.replaced.clear()

    async def show_in(
        self,
        message: "HandSlot | PrivateCopy",
        snapshot: SeatSnapshot,
        click: discord.Interaction[Any] | None = None,
    ) -> None:
        """Update a message of this hand, with the lock held, by the answer to a click on it.

        Without a click, it's edited by its interaction, unless it shows this already.
        """
        outdated = self.times_outdated
        if isinstance(message, PrivateCopy):
            content = await self.private_content(snapshot, has_next=message.has_next)
        else:
            content = await self.content(snapshot)
        key = key_of(snapshot, content)
        delivery = self._services.delivery
        if click is not None:
            message.media = await delivery.answer_in_place(click, content, message.media)
        elif message.shown == key:
            return  # even if the table that it should link to still doesn't exist
        else:
            assert message.token is not None
            message.media = (await delivery.edit_by(message.token, content, message.media)).media
        self.note_picture(content, message.media)
        message.mark_shown(self.key_now(key, outdated))

    async def _channel(self, snapshot: SeatSnapshot) -> int:
        if snapshot.is_solo and self.ref is not None:
            return self.ref.channel  # it was shown there before: nothing has to be opened
        return await self._services.direct_messages.channel(snapshot.own.user)

    async def _show_message(self, snapshot: SeatSnapshot) -> None:
        if self.ref is None:
            await self.send(snapshot, None)
            return
        try:
            await self.edit_words_first(self.ref, snapshot)
        except UndeliveredError as error:
            await self.replace(snapshot, self.ref, error)

    async def send(
        self, snapshot: SeatSnapshot, after: MessageRef | None, *, leftover: int | None = None
    ) -> None:
        if snapshot.is_solo:
            await super().send(snapshot, after, leftover=leftover)
            return
        is_replacement = after is not None and after.coming
        if self._wants_no_message(snapshot) and not is_replacement:
            self.bar.close()  # its message is gone, and its player wants no new one
            return
        async with self._services.direct_messages.one_first_at_a_time(snapshot.own.user):
            await self._send(snapshot, after, leftover)

    async def _send(
        self, snapshot: SeatSnapshot, after: MessageRef | None, leftover: int | None
    ) -> None:
        direct_messages, sent_before = self._services.direct_messages, self.sent_before
        try:
            await super().send(snapshot, after, leftover=leftover)
        except NotOpenError:
            self.sent_before = sent_before  # nothing was sent
            raise
        except UndeliveredError as error:
            try:
                await direct_messages.failed(snapshot.own.user, error)
            except NotOpenError:
                self.bar.lift()
                self.sent_before = sent_before
                raise
            return
        direct_messages.arrived(snapshot.own.user)

    async def _keep_old(self, snapshot: SeatSnapshot) -> None:
        await self._clear_telling(snapshot)
        await super()._keep_old(snapshot)

    def _wants_no_message(self, snapshot: SeatSnapshot) -> bool:
        """Whether the player wants the hand in the channel, and no direct messages."""
        return not self._services.direct_messages.carry_hand(snapshot.desk)

    def _copy_is_behind(self, snapshot: SeatSnapshot) -> bool:
        copy = self.private.copy
        if copy is None or not copy.is_fresh or _is_deleted(snapshot):
            return False
        return copy.shown != snapshot.key

    async def _show_copy(self, snapshot: SeatSnapshot) -> None:
        """Update the private copy while its interaction allows that."""
        copy = self.private.copy
        assert copy is not None
        try:
            await self.show_in(copy, snapshot)
        except UndeliveredError as error:
            if error.failure in PASSING_FAILURES:
                raise
            copy.token = None  # too old; the next click shows it again


def _is_deleted(snapshot: SeatSnapshot) -> bool:
    """Whether the player was deleted, maybe by another process, and is shown nothing more."""
    return snapshot.own.user < 0
