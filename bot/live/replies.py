"""Answers to clicks in a match: the clicked hand is updated at once, in the right order."""

from dataclasses import replace
from typing import Any, Final

import discord

from bot.errors import ButtonError, MatchError, StorageUnavailableError, TooLateError
from bot.live.hand_slot import HandSlot
from bot.live.live import Change, Live
from bot.live.private_hand import PrivateCopy
from bot.live.table_replies import TableReplies, is_private
from bot.matches import ROUND_OVER, Effect, SeatSnapshot
from bot.matches.agreements import Offer
from bot.matches.rematches import RematchResult
from bot.messaging.components import Press, has_act_beside, is_offered
from bot.messaging.delivery import Delivery
from bot.messaging.direct_messages import DirectMessages
from bot.messaging.failures import UndeliveredError
from bot.messaging.first_answer import FirstAnswer, Token
from bot.messaging.installs import is_direct_message
from bot.rendering.agreements import AGREED, AGREED_ALONE, offer_confirmation
from bot.rendering.hand import CLOSED, NEXT, delay_note, receipt_key
from bot.storage import MatchId, MessageRef

UNSEEN: Final = "The rematch has started. If you don't see it here, `/games` shows it."

AT_HAND: Final = frozenset({"pick", "draft"})
"""Acts of buttons in a hand, which choose for one step."""


class Replies:
    def __init__(
        self,
        live: Live,
        tables: TableReplies,
        delivery: Delivery,
        direct_messages: DirectMessages,
    ) -> None:
        self._live = live
        self._tables = tables
        self._delivery = delivery
        self._direct_messages = direct_messages

    async def answer_choice(
        self, effect: Effect, user: int, interaction: discord.Interaction[Any], draft: str = ""
    ) -> None:
        """Answer the choice of a move with the clicked hand, which shows `draft` from now on.

        The last player to choose sees a new picture: their click is acknowledged, and their hand is
        updated with all the others. While one seat's turn goes on, only its own hand is updated at
        once; the table and other hands wait a moment for the next play, or for the end of the turn.
        """
        snapshot = effect.snapshot_of(user)
        FirstAnswer.of(interaction).is_seen = True  # soon, even if the answer fails
        async with self._live.changing(snapshot.match) as change:
            hand = await self._live.slots.hand(snapshot.match, snapshot.seat)
            message = hand.note_click(interaction)
            hand.note_draft(snapshot, draft)
            if effect.turn_continues:
                change.is_detail = await self._edit_by_click(snapshot, hand, change, interaction)
            elif message is None or effect.resolved or hand.is_being_shown:
                await self._delivery.acknowledge(interaction)
            else:
                change.is_detail = await self._show_choice(snapshot, hand, change, interaction)
                alone = hand.private.copy is None and not hand.receipt_is_behind(snapshot)
                change.is_shown = change.is_detail and effect.changes_choice and alone
            # The hand may have been resent meanwhile; then the click was on the old message.
            if message is not None and hand.note_click(interaction) is message:
                message.token = Token.of(interaction)

    async def answer_tap(
        self, effect: Effect, user: int, interaction: discord.Interaction[Any]
    ) -> None:
        """Answer a choice made on the table itself; only its player is told what it was.

        There is one private receipt per match, which the reveal edits while it can. Discord doesn't
        tell the bot that a receipt was dismissed, so each tap sends a new one instead.
        """
        snapshot = effect.snapshot_of(user)
        replaced = None
        FirstAnswer.of(interaction).is_seen = True  # soon, even if the answer fails
        async with self._live.changing(snapshot.match) as change:
            change.is_detail = not effect.resolved
            hand = await self._live.slots.hand(snapshot.match, snapshot.seat)
            # Another choice of the same step changes nothing at the table: the receipt answers it.
            if effect.resolved or hand.has_earlier_receipt(snapshot):
                await self._delivery.acknowledge(interaction)
                await self._tables.keep_token(snapshot.match, interaction)
            if not effect.resolved:
                replaced = await self._give_receipt(snapshot, hand, change, interaction)
        await hand.remove_receipt(replaced)  # the table doesn't wait for that

    async def _give_receipt(
        self,
        snapshot: SeatSnapshot,
        hand: HandSlot,
        change: Change,
        interaction: discord.Interaction[Any],
    ) -> PrivateCopy | None:
        """Send a player a receipt for their tap; returns the receipt that it replaces."""
        async with hand.lock:  # of two quick taps, the second receipt replaces the first
            now = await self._live.current(snapshot, change)
            await self._delivery.answer_privately(interaction, hand.receipt_content(now))
            replaced, hand.private.receipt = (
                hand.private.receipt,
                PrivateCopy(token=Token.of(interaction)),
            )
            hand.private.receipt.mark_shown(receipt_key(now))
            return replaced

    async def answer_draft(
        self, snapshot: SeatSnapshot, draft: str, interaction: discord.Interaction[Any]
    ) -> None:
        """Answer a click that builds up a move with the hand showing this draft.

        Nothing is stored, but this process shows the draft until something is chosen, even when
        somebody else's act updates the hand.
        """
        hand = await self._live.slots.hand(snapshot.match, snapshot.seat)
        async with hand.lock:
            message = hand.note_click(interaction)
            if message is None:
                raise ButtonError(
                    f"That button is out of date. Press **{hand.label(snapshot)}** at the table."
                )
            # While this click waited, the hand may have been updated to the next step: a draft of
            # the old one must not overwrite it.
            now = await self._live.fresh(snapshot)
            if now.step != snapshot.step or now.status != snapshot.status:
                raise TooLateError(ROUND_OVER)
            hand.note_draft(now, draft)
            await hand.show_in(message, now, interaction)
            message.token = Token.of(interaction)
        if hand.private.replaced:
            self._live.compare_soon(now.match)
        await self._live.note_answered(now)

    async def update_clicked(self, press: Press, interaction: discord.Interaction[Any]) -> None:
        """Update the message of a click that came too late: it may be behind.

        A private hand can only be edited by the click, which is acknowledged for that. The same
        goes for the table of a finished match that the bot can't edit and has given up.
        """
        message = interaction.message
        if message is None:
            return
        snapshot = await self._live.hand_of(press.match, interaction.user.id)
        if snapshot is not None and is_offered(interaction):
            if message.flags.ephemeral and press.act in AT_HAND:
                await self._delivery.acknowledge(interaction)
                hand = await self._live.slots.hand(press.match, snapshot.seat)
                if message.id not in hand.private.removed:
                    copy = PrivateCopy(
                        token=Token.of(interaction),
                        message=message.id,
                        has_next=has_act_beside(interaction, NEXT),
                    )
                    hand.private.follow(copy)
            elif not is_private(interaction) and await self._is_given_up(snapshot):
                await self._delivery.acknowledge(interaction)
                await self._tables.keep_token(snapshot.match, interaction)
        await self._live.update_message(press.match, message.id)

    async def _is_given_up(self, snapshot: SeatSnapshot) -> bool:
        """Whether the clicked table was given up: it's stored as showing the end, but doesn't."""
        table = await self._live.slots.table(snapshot.match)
        if table.ref is None or snapshot.is_unfinished or table.is_being_shown:
            return False
        return table.ref.revision >= snapshot.revision

    async def answer_offer(
        self, effect: Effect, what: Offer, interaction: discord.Interaction[Any]
    ) -> None:
        """Answer an offer to the other players; table and hands show it, and who agrees."""
        snapshot = effect.public()
        done = AGREED_ALONE if snapshot.is_alone_with_computers else AGREED
        sentence = (
            done[what] if effect.resolved else offer_confirmation(what, replaces=effect.replaces)
        )
        await self.say(snapshot.match, sentence, interaction)

    async def acknowledge(self, effect: Effect, interaction: discord.Interaction[Any]) -> None:
        """Acknowledge a click at the table or a hand, which shows in a moment what it did."""
        if not is_private(interaction):
            await self._tables.acknowledge(effect.match, interaction)
            return
        snapshot = effect.snapshot_of(interaction.user.id)
        async with self._live.changing(snapshot.match):
            await self._delivery.acknowledge(interaction)
            await self._keep_token(snapshot, interaction)

    async def answer_rematch(
        self, wanted: RematchResult, interaction: discord.Interaction[Any]
    ) -> None:
        """Answer a request for a rematch, made at the table or a hand of a finished match.

        If that starts the rematch, it gets its table and hands.
        """
        if wanted.new is None:
            await self.acknowledge(wanted.old, interaction)
            return
        async with self._live.changing(wanted.new.match):
            await self.acknowledge(wanted.old, interaction)
            if is_private(interaction):
                new = wanted.new.snapshot_of(interaction.user.id)
                if new.is_solo:
                    await self._show_alone(new, interaction)

    async def _show_alone(
        self, snapshot: SeatSnapshot, interaction: discord.Interaction[Any]
    ) -> None:
        """Show a solo rematch in a new message, or raise MatchError that says where to find it.

        The click is answered already, and its message only says that the rematch has started.
        """
        try:
            await self.show_here(snapshot, interaction)
        except (UndeliveredError, StorageUnavailableError) as error:
            raise MatchError(UNSEEN) from error

    async def say(
        self, match: MatchId, sentence: str, interaction: discord.Interaction[Any]
    ) -> None:
        """Answer an act that changed a match with a sentence; table and hands follow."""
        async with self._live.changing(match):
            await self._delivery.answer_with_words(interaction, sentence)

    async def show_here(
        self,
        snapshot: SeatSnapshot,
        interaction: discord.Interaction[Any],
        *,
        has_next: bool = False,
    ) -> None:
        """Answer with the player's hand in a new message, which replaces an earlier one.

        It's a private message, except in the bot's direct messages for a solo match: nobody else is
        there, and the bot can edit that message as long as it exists. `has_next`: it's opened from
        a list of matches, and has a button to the next one.
        """
        hand = await self._live.slots.hand(snapshot.match, snapshot.seat)
        if snapshot.is_solo and is_direct_message(interaction):
            await self._show_solo(snapshot, hand, interaction, has_next=has_next)
        else:
            await self._show_privately(snapshot, hand, interaction, has_next=has_next)
        # This message is all of a solo match, so what it doesn't show yet isn't a detail.
        self._live.note_changed(snapshot.match, is_detail=not snapshot.is_solo)

    async def _show_solo(
        self,
        snapshot: SeatSnapshot,
        hand: HandSlot,
        interaction: discord.Interaction[Any],
        *,
        has_next: bool,
    ) -> None:
        """Answer in the bot's direct messages with a new message of a solo match.

        The previous one is deleted afterwards. No new one is sent while an even older one can't be
        deleted.
        """
        hand.private.has_next = has_next
        outdated = hand.times_outdated
        content = await hand.content(snapshot)
        await self._delivery.answer_later(interaction, privately=False)
        async with hand.lock:
            await hand.remove_leftover()  # the current message would replace it as the leftover
            arrived = await self._delivery.answer(interaction, content)
            before, hand.media = hand.ref, arrived.media
            hand.bar.arrived()
            ref = MessageRef(
                channel=arrived.channel,
                message=arrived.message,
                shown=hand.key_now(snapshot.key, outdated),
                turn=snapshot.turn,
                leftover=None if before is None else before.message,
            )
            await hand.put(ref)
            hand.token = Token.of(interaction)

    async def _show_privately(
        self,
        snapshot: SeatSnapshot,
        hand: HandSlot,
        interaction: discord.Interaction[Any],
        *,
        has_next: bool,
    ) -> None:
        """Answer with a private message that shows the hand, while Discord lets it be edited."""
        here = interaction.guild_id is not None and not snapshot.is_solo
        if here:
            await hand.play_here(snapshot)
        outdated = hand.times_outdated
        content = await hand.private_content(snapshot, has_next=has_next)
        note = await self._why_unsent(snapshot, hand, plays_here=here)
        if note:
            content = replace(content, foot=f"{content.foot}\n{note}")
        message = await self._delivery.answer_privately(interaction, content)
        copy = PrivateCopy(token=Token.of(interaction), message=message, has_next=has_next)
        copy.mark_shown(hand.key_now(snapshot.key, outdated))
        hand.private.follow(copy)

    async def _why_unsent(self, snapshot: SeatSnapshot, hand: HandSlot, *, plays_here: bool) -> str:
        """Why the hand isn't sent by direct message though it should be; empty if it is.

        `plays_here`: whether opening it here keeps it from being sent.
        """
        user = snapshot.own.user
        if not hand.wants_message(replace(snapshot, plays_here=None)):
            return ""
        if await self._direct_messages.is_closed(user):
            return CLOSED
        if hand.ref is not None or not hand.wants_message(snapshot):
            return ""
        delay = await self._direct_messages.delay(user)
        return "" if delay is None else delay_note(delay, plays_here=plays_here)

    async def _edit_by_click(
        self,
        snapshot: SeatSnapshot,
        hand: HandSlot,
        change: Change,
        interaction: discord.Interaction[Any],
    ) -> bool:
        """Acknowledge the click, and edit the clicked hand by it; whether that was done."""
        await self._delivery.acknowledge(interaction)
        async with hand.lock:  # the click is answered, so it may wait for an edit under way
            message = hand.note_click(interaction)
            if message is None:
                return False
            message.token = Token.of(interaction)
            now = await self._live.current(snapshot, change)
            await hand.show_in(message, now)
        await self._live.note_answered(now)
        return True

    async def _show_choice(
        self,
        snapshot: SeatSnapshot,
        hand: HandSlot,
        change: Change,
        interaction: discord.Interaction[Any],
    ) -> bool:
        """Answer with the hand showing the choice; False if the click could only be acknowledged.

        Not for a hand that is being edited: the click would wait for Discord, and it has 3 seconds.
        """
        async with hand.lock:
            message = hand.note_click(interaction)
            now = await self._live.current(snapshot, change)
            if message is None or now.step != snapshot.step:
                await self._delivery.acknowledge(interaction)
                return False
            await hand.show_in(message, now, interaction)
        await self._live.note_answered(now)
        return True

    async def _keep_token(
        self, snapshot: SeatSnapshot, interaction: discord.Interaction[Any]
    ) -> None:
        """Edit the clicked hand by this click from now on, until it expires."""
        hand = await self._live.slots.hand(snapshot.match, snapshot.seat)
        message = hand.note_click(interaction)
        if message is not None:
            message.token = Token.of(interaction)
