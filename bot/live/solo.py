"""Solo matches, which have no table: one message shows everything, to their player only.

In the bot's direct messages it's a message like any other, which the bot can edit as long as it
exists. Where the bot is a guest it's a private message, which Discord lets it edit for 15 minutes
after each click; after that, a click shows it again.
"""

from typing import Any

import discord

from bot.live.hand_slot import HandSlot
from bot.live.live import Live
from bot.live.private_hand import PrivateCopy
from bot.matches import SeatSnapshot
from bot.messaging.arrivals import Arrived
from bot.messaging.delivery import Delivery
from bot.messaging.first_answer import Token
from bot.messaging.installs import is_direct_message
from bot.storage import MessageRef


class SoloReplies:
    def __init__(self, live: Live, delivery: Delivery) -> None:
        self._live = live
        self._delivery = delivery

    async def show(
        self,
        snapshot: SeatSnapshot,
        interaction: discord.Interaction[Any],
        *,
        has_next: bool = False,
    ) -> None:
        """Answer with a new message that shows this solo match from now on.

        It replaces the previous one, which is deleted. In the bot's direct messages no new one is
        sent while an even older one can't be deleted. `has_next`: it has a button to the next match
        of a list.
        """
        hand = await self._live.slots.hand(snapshot.match, snapshot.seat)
        if is_direct_message(interaction):
            hand.private.has_next = has_next
            content = await hand.content(snapshot)
            await self._delivery.answer_later(interaction, privately=False)
            async with hand.lock:
                await hand.remove_leftover()  # the current message would replace it as the leftover
                await self._put(hand, snapshot, await self._delivery.answer(interaction, content))
                hand.token = Token.of(interaction)
        else:
            content = await hand.private_content(snapshot, has_next=has_next)
            message = await self._delivery.answer_privately(interaction, content)
            copy = PrivateCopy(token=Token.of(interaction), message=message, has_next=has_next)
            copy.mark_shown(snapshot.key)
            hand.private.follow(copy)
        self._live.changed(snapshot.match)

    async def _put(self, hand: HandSlot, snapshot: SeatSnapshot, arrived: Arrived) -> None:
        """Store the new message, and that the previous one has to be deleted."""
        before, hand.media = hand.ref, arrived.media
        hand.bar.arrived()
        ref = MessageRef(
            channel=arrived.channel,
            message=arrived.message,
            shown=snapshot.key,
            turn=snapshot.turn,
            leftover=None if before is None else before.message,
        )
        await hand.put(ref)
