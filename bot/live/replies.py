"""Answers to clicks that show a match: the click's own message, at once, in the right order."""

from dataclasses import replace
from typing import Any, Final

import discord

from bot.errors import ButtonError, TooLateError
from bot.live.reconciler import BEGINNING, Reconciler
from bot.live.slots import Spot
from bot.matches import ROUND_OVER, SeatSnapshot, Snapshot, Turn
from bot.matches.agreements import WORDS, Offer
from bot.matches.rematches import Wanted
from bot.messaging.delivery import Arrived, Delivery, Token
from bot.messaging.direct_messages import DirectMessages
from bot.storage import TABLE, MatchId, MessageRef

CLOSED: Final = (
    "-# My direct messages do not reach you. Allow messages from members of this server in your "
    "privacy settings if you want your desk there; this one works as well."
)


class Replies:
    def __init__(
        self, reconciler: Reconciler, delivery: Delivery, direct_messages: DirectMessages
    ) -> None:
        self._reconciler = reconciler
        self._delivery = delivery
        self._direct_messages = direct_messages

    async def post(self, turn: Turn, interaction: discord.Interaction[Any]) -> None:
        """Answer a command with the table of the match it made; it pings whom it invites."""
        snapshot = turn.public()
        invited = [place.user for place in snapshot.places if not place.accepted]
        content = await self._reconciler.content(snapshot)
        arrived = await self._delivery.answer(interaction, content, pinged=invited)
        self._reconciler.spots.posted(snapshot.match)
        spot = await self._reconciler.spots.at(snapshot.match, TABLE)
        spot.token, spot.media = Token.of(interaction), arrived.media
        await self._reconciler.spots.moved(snapshot.match, TABLE, _record(arrived, snapshot.key))

    async def begin(self, turn: Turn, interaction: discord.Interaction[Any]) -> None:
        """Answer a command with the match that has begun by it, because nobody had to accept.

        Drawing its table could take longer than Discord waits, so that follows in a moment.
        """
        snapshot = turn.public()
        arrived = await self._delivery.answer(interaction, self._reconciler.beginning(snapshot))
        self._reconciler.spots.posted(snapshot.match)
        spot = await self._reconciler.spots.at(snapshot.match, TABLE)
        spot.token = Token.of(interaction)
        await self._reconciler.spots.moved(snapshot.match, TABLE, _record(arrived, BEGINNING))
        self._reconciler.now(snapshot.match)

    async def table_changed(self, turn: Turn, interaction: discord.Interaction[Any]) -> None:
        """Answer a click on the table that changed the match; the table follows in a moment."""
        match = turn.public().match
        self._reconciler.changed(match)
        try:
            await self._delivery.acknowledge(interaction)
            await self._clicked_table(turn.public(), interaction)
        finally:
            self._reconciler.now(match)

    async def chosen(self, turn: Turn, user: int, interaction: discord.Interaction[Any]) -> None:
        """Answer the choice of a move with the desk it was made at.

        The last one to choose sees a new picture: that click is acknowledged, and the desk follows
        with all the others. While the turn of one seat goes on, only its own desk follows at once;
        table and other desks wait a moment for the next play, or for the end of the turn.
        """
        snapshot = turn.snapshot_of(user)
        dated = self._reconciler.changed(snapshot.match)
        copied = (await self._reconciler.spots.at(snapshot.match, snapshot.place)).here is not None
        shown = False
        try:
            if turn.goes_on:
                shown = await self._play_on(snapshot, dated, interaction)
            else:
                shown = await self._answer_desk(
                    snapshot, dated, interaction, resolved=turn.resolved
                )
        finally:
            if not shown:
                self._reconciler.now(snapshot.match)
            elif copied or not turn.again:
                self._reconciler.soon(snapshot.match)

    async def tapped(self, turn: Turn, user: int, interaction: discord.Interaction[Any]) -> None:
        """Answer a choice made on the table itself; only its player is told what it was."""
        snapshot = turn.snapshot_of(user)
        self._reconciler.changed(snapshot.match)
        try:
            if turn.resolved:
                await self._delivery.acknowledge(interaction)
                await self._clicked_table(snapshot, interaction)
            else:
                await self._delivery.answer_with_words(
                    interaction,
                    f"You chose **{snapshot.choice}**. Tap another to change it, until the last "
                    "has chosen.",
                )
        finally:
            (self._reconciler.now if turn.resolved else self._reconciler.soon)(snapshot.match)

    async def drafted(
        self, snapshot: Snapshot, draft: str, interaction: discord.Interaction[Any]
    ) -> None:
        """Answer a click that puts a move together with the desk as it looks with this draft.

        Nothing is written: whatever shows the desk anew shows it without the draft.
        """
        spot = await self._reconciler.spots.at(snapshot.match, snapshot.place)
        async with spot.lock:
            place = _clicked_desk(spot, interaction)
            if place is None:
                raise ButtonError("This message has no such button; open your desk with My hand.")
            # While this click waited, the desk may have come to show the next step: a draft of the
            # old one must not cover it.
            now = await self._reconciler.fresh(snapshot)
            if now.step != snapshot.step or now.status != snapshot.status:
                raise TooLateError(ROUND_OVER)
            content = await self._reconciler.content(now, draft)
            place.media = await self._delivery.answer_in_place(interaction, content, place.media)
            place.token = Token.of(interaction)

    def outdated(self, match: MatchId, interaction: discord.Interaction[Any]) -> None:
        """Bring the message of a click that came too late up to date: it may be behind."""
        if interaction.message is not None:
            self._reconciler.spots.outdate(match, interaction.message.id)
            self._reconciler.soon(match)

    async def offered(self, turn: Turn, what: Offer, interaction: discord.Interaction[Any]) -> None:
        """Answer an offer made to the others; table and desks show it, and who answers."""
        match = turn.public().match
        self._reconciler.changed(match)
        told = (
            "All agree, so the match has ended."
            if turn.resolved
            else f"You offer {WORDS[what]}. The offer stands until somebody who has not agreed to "
            "it plays on or declines it."
        )
        try:
            await self._delivery.answer_with_words(interaction, told)
        finally:
            self._reconciler.now(match)

    async def answered(self, turn: Turn, interaction: discord.Interaction[Any]) -> None:
        """Answer a click that table and desks show in a moment."""
        match = turn.public().match
        self._reconciler.changed(match)
        try:
            await self._delivery.acknowledge(interaction)
        finally:
            self._reconciler.now(match)

    async def wanted(self, wanted: Wanted, interaction: discord.Interaction[Any]) -> None:
        """Answer the wish for a rematch; a rematch that has begun gets its table and desks."""
        try:
            await self.table_changed(wanted.old, interaction)
        finally:
            if wanted.new is not None:
                self._reconciler.now(wanted.new.public().match)

    async def left(self, turn: Turn, interaction: discord.Interaction[Any]) -> None:
        """Answer somebody's leaving; table and desks follow."""
        await self.told(turn, "You have left this match.", interaction)

    async def told(self, turn: Turn, sentence: str, interaction: discord.Interaction[Any]) -> None:
        """Answer with a sentence what has changed a match; table and desks follow."""
        match = turn.public().match
        self._reconciler.changed(match)
        try:
            await self._delivery.answer_with_words(interaction, sentence)
        finally:
            self._reconciler.now(match)

    async def resumed(self, turn: Turn, interaction: discord.Interaction[Any]) -> None:
        """Answer a command with the table of a match that goes on here; desks follow."""
        match = turn.public().match
        spot = await self._reconciler.spots.at(match, TABLE)
        self._reconciler.changed(match)
        try:
            async with spot.lock:
                old = spot.record
                await self.post(turn, interaction)
                if old is not None and spot.record is not old:
                    await self._reconciler.remove(match, old)
        finally:
            self._reconciler.redraw(match)

    async def show_here(
        self, snapshot: SeatSnapshot, interaction: discord.Interaction[Any]
    ) -> None:
        """Answer a click with the player's desk, for their eyes only."""
        spot = await self._reconciler.spots.at(snapshot.match, snapshot.place)
        desk = await self._reconciler.content(snapshot)
        if not snapshot.here and await self._direct_messages.is_closed(interaction.user.id):
            desk = replace(desk, foot=f"{desk.foot}\n{CLOSED}")
        await self._delivery.answer_privately(interaction, desk)
        spot.here = Spot(token=Token.of(interaction), shown=snapshot.key)
        self._reconciler.soon(snapshot.match)

    async def _answer_desk(
        self,
        snapshot: Snapshot,
        dated: int,
        interaction: discord.Interaction[Any],
        *,
        resolved: bool,
    ) -> bool:
        """Answer a click on a desk; whether the desk shows the choice already.

        A desk that is being changed would make the click wait for Discord, and it has 3 seconds.
        """
        spot = await self._reconciler.spots.at(snapshot.match, snapshot.place)
        place = _clicked_desk(spot, interaction)
        shown = False
        if place is not None and not resolved and not spot.lock.locked():
            async with spot.lock:
                now = await self._reconciler.current(snapshot, dated)
                shown = now.step == snapshot.step
                if shown:
                    await self._show_choice(now, place, interaction)
        if not shown:
            await self._delivery.acknowledge(interaction)
        if place is not None:
            _keep_token(place, interaction)
        return shown

    async def _play_on(
        self, snapshot: Snapshot, dated: int, interaction: discord.Interaction[Any]
    ) -> bool:
        """Bring the desk that was clicked up to date through the click; whether it is."""
        await self._delivery.acknowledge(interaction)
        spot = await self._reconciler.spots.at(snapshot.match, snapshot.place)
        async with spot.lock:  # the click is answered, so it may wait for an edit under way
            place = _clicked_desk(spot, interaction)
            if place is None:
                return False
            place.token = Token.of(interaction)
            now = await self._reconciler.current(snapshot, dated)
            if place.shown != now.key:
                content = await self._reconciler.content(now)
                arrived = await self._delivery.edit_by(place.token, content, place.media)
                place.media = arrived.media
                self._note(now, place)
        return True

    async def _show_choice(
        self, snapshot: Snapshot, place: Spot, interaction: discord.Interaction[Any]
    ) -> None:
        content = await self._reconciler.content(snapshot)
        place.media = await self._delivery.answer_in_place(interaction, content, place.media)
        self._note(snapshot, place)

    def _note(self, snapshot: Snapshot, place: Spot) -> None:
        """Note what the desk or its private copy shows now."""
        if place.record is None:
            place.shown = snapshot.key
        else:
            self._reconciler.spots.shows(snapshot.match, snapshot.place, place, snapshot.key)

    async def _clicked_table(
        self, snapshot: Snapshot, interaction: discord.Interaction[Any]
    ) -> None:
        """Let the table be edited through this click's interaction while it lasts.

        A table that we do not know, because we died between posting it and writing that down, is
        known from now on.
        """
        spot = await self._reconciler.spots.at(snapshot.match, TABLE)
        message = interaction.message
        if message is None:
            return
        if spot.record is None:
            at = Arrived(message.channel.id, message.id, None)
            await self._reconciler.spots.moved(snapshot.match, TABLE, _record(at, ""))
        if spot.record is not None and spot.record.message == message.id:
            spot.token = Token.of(interaction)


def _clicked_desk(spot: Spot, interaction: discord.Interaction[Any]) -> Spot | None:
    """The place of the message that was clicked: the desk itself, or its private copy.

    None for any other message: a forged button on the table must not turn it into a desk.
    """
    message = interaction.message
    if message is not None and message.flags.ephemeral:
        if spot.here is None:
            spot.here = Spot()
        return spot.here
    if message is None or spot.record is None or spot.record.message != message.id:
        return None
    return spot


def _keep_token(place: Spot, interaction: discord.Interaction[Any]) -> None:
    """Let the clicked desk be edited through this click, unless it has come anew meanwhile."""
    message = interaction.message
    if place.record is None or (message is not None and place.record.message == message.id):
        place.token = Token.of(interaction)


def _record(at: Arrived, shown: str) -> MessageRef:
    return MessageRef(channel=at.channel, message=at.message, shown=shown)
