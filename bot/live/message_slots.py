"""The message slots in memory: read from the database when first needed, stored together."""

import asyncio
import contextlib
from collections.abc import Iterable
from math import inf
from typing import Any, Final
from weakref import WeakValueDictionary

import structlog

from bot.errors import StorageUnavailableError
from bot.live.edited import EditedMessage
from bot.live.hand_slot import HandSlot
from bot.live.signpost_slot import SignpostSlot
from bot.live.slot_services import SlotServices
from bot.live.table_slot import TableSlot
from bot.matches import PublicSnapshot
from bot.messaging.failures import UndeliveredError
from bot.messaging.first_answer import Token
from bot.storage import TABLE, MatchId, MessageRef, Shown, TokenRecord
from bot.storage.messages import SIGNPOST

log = structlog.get_logger()

FLUSH_SECONDS: Final = 1.0
"""Seconds after which all that slots show is stored together. A crash before that only means that
the next start edits a few messages to what they already show."""

UNWRITTEN_SECONDS: Final = 20.0
"""Seconds until a failed write is tried again."""


Slot = TableSlot | HandSlot | SignpostSlot


class MessageSlots:
    def __init__(self, services: SlotServices) -> None:
        self.services = services
        self._storage = services.storage
        self._matches: dict[MatchId, dict[int, Slot]] = {}
        self._posted: set[MatchId] = set()
        self._inheriting: dict[MatchId, MatchId] = {}
        """The rematches that may have taken over their predecessor's signpost, with that
        predecessor."""

        self._reading: WeakValueDictionary[MatchId, asyncio.Lock] = WeakValueDictionary()
        self._unwritten: dict[tuple[MatchId, int], Shown] = {}
        self._unplaced: set[tuple[MatchId, int]] = set()
        """The slots whose message couldn't be stored, as match and place."""

        self._placing: set[tuple[MatchId, int]] = set()
        """Those of them that are being stored right now."""

        self._flushing: asyncio.Task[None] | None = None
        self._writing = asyncio.Lock()

    async def at(self, match: MatchId, place: int) -> Slot:
        """The slot at this place of a match, with its message if it has one."""
        lock = self._reading.setdefault(match, asyncio.Lock())
        async with lock:
            if match not in self._matches:
                self._matches[match] = await self._read(match)
        slots = self._matches[match]
        if place not in slots:
            sent_before = match not in self._posted
            slots[place] = self._slot(match, place, None, sent_before=sent_before)
        return slots[place]

    async def _read(self, match: MatchId) -> dict[int, Slot]:
        """Read the slots of a match that have a message, by place."""
        async with self._storage.reading() as reading:
            rows = await reading.messages.of(match)
            tokens = await reading.messages.tokens_of(match)
        return {
            place: self._slot(match, place, ref, sent_before=True, token=tokens.get(place))
            for place, ref in rows.items()
        }

    async def read_again(self, match: MatchId) -> None:
        """Read the rows of a match again: another process may have written them.

        State that isn't stored is kept: that process can't know it.
        """
        await self.flush()
        lock = self._reading.setdefault(match, asyncio.Lock())
        async with lock:
            slots = await self._read(match)
            if match not in self._matches:
                return
            self._posted.discard(match)
            for place, before in self._matches[match].items():
                if place not in slots:
                    slots[place] = self._slot(match, place, None, sent_before=True)
                slots[place].take_over_from(before)
            self._matches[match] = slots

    async def table(self, match: MatchId) -> TableSlot:
        slot = await self.at(match, TABLE)
        assert isinstance(slot, TableSlot)
        return slot

    async def hand(self, match: MatchId, seat: int) -> HandSlot:
        slot = await self.at(match, seat)
        assert isinstance(slot, HandSlot)
        return slot

    async def signpost(self, match: MatchId) -> SignpostSlot | None:
        """The signpost of a match; None for most."""
        await self.table(match)  # which reads all slots of the match
        if match in self._inheriting:
            await self._inherit_signpost(match)
        slot = self._matches.get(match, {}).get(SIGNPOST)
        return slot if isinstance(slot, SignpostSlot) else None

    async def _inherit_signpost(self, match: MatchId) -> None:
        """Give a rematch the signpost of its predecessor, if the rows say so.

        Both slots share a lock, so an edit under way arrives before those of the rematch.
        """
        async with self._reading.setdefault(match, asyncio.Lock()):
            inherited = (await self._read(match)).get(SIGNPOST)
            before = self._inheriting.pop(match, None)
            if before is None or inherited is None:
                return
            slot = self._matches.get(match, {}).setdefault(SIGNPOST, inherited)
            old = self._matches.get(before, {}).get(SIGNPOST)
            if old is not None and old.message == slot.message:
                del self._matches[before][SIGNPOST]
                slot.take_over_from(old)
                old.abandon()

    async def set_signpost(
        self, snapshot: PublicSnapshot, at: MessageRef, token: Token | None
    ) -> None:
        """Make this message, which links to the match already, its signpost."""
        slot = await self.at(snapshot.match, SIGNPOST)
        assert isinstance(slot, SignpostSlot)
        await slot.stand(snapshot, at, token)

    def note_inherited_signpost(self, before: MatchId, match: MatchId) -> None:
        """Note that the rematch `match` may have taken over the signpost of `before`."""
        self._inheriting[match] = before

    def note_posted(self, match: MatchId) -> None:
        """Note that this process has just posted the match, so nothing was sent for it before."""
        self._posted.add(match)

    async def put(self, slot: EditedMessage[Any], ref: MessageRef) -> None:
        """Store where a slot's message is, at once or as soon as the database can be written."""
        key = slot.match, slot.place
        self._unwritten.pop(key, None)
        self._unplaced.discard(key)
        try:
            await self._place(slot, ref)
        except StorageUnavailableError:
            # It was sent, and must not be sent again.
            self._unplaced.add(key)
            self._flush_later(UNWRITTEN_SECONDS)

    async def _place(self, slot: EditedMessage[Any], ref: MessageRef) -> None:
        """Store where a slot's message is; delete a new one whose match or player was deleted.

        A message that was there before stays, as do the others of a deleted match; those of a
        deleted person are edited with the deletion.
        """
        async with self._storage.transaction() as writing:
            is_there = await writing.messages.put(slot.match, slot.place, ref, slot.token_record)
        was_placed, slot.is_placed = slot.is_placed, is_there
        if is_there:
            return
        slot.abandon()
        if was_placed:
            return
        try:
            await self.services.delivery.delete(ref.channel, ref.message)
        except UndeliveredError as error:
            log.info("message stays", match=slot.match, why=error.failure.name)

    def is_noted(self, slot: EditedMessage[Any]) -> bool:
        """Whether it's stored where the slot's message is."""
        return (slot.match, slot.place) not in self._unplaced | self._placing

    def note_shown(self, slot: EditedMessage[Any]) -> None:
        """Store soon what the slot's message shows, and the token that can edit it."""
        assert slot.ref is not None
        shown = Shown(slot.ref.shown, slot.ref.revision, slot.token_record, slot.ref.unshown)
        self._unwritten[slot.match, slot.place] = shown
        self._flush_later(FLUSH_SECONDS)

    def outdate(self, match: MatchId, message: int) -> None:
        """Mark this message of the match for an update."""
        for slot in self._of(match):
            if slot.ref is not None and slot.ref.message == message:
                slot.mark_outdated(unshown=slot.ref.unshown)

    def outdate_all(self, match: MatchId) -> None:
        """Mark all messages of the match for an update, even those with an edit under way."""
        for slot in self._of(match):
            slot.outdate()

    def outdate_hands(self, match: MatchId) -> None:
        """Mark all messages but the table for an update: the table has moved."""
        for slot in self._of(match):
            if slot.place != TABLE:
                slot.outdate()

    def link_moved(self, match: MatchId) -> None:
        """Mark all messages of a finished match for an update: its rematch's table has moved."""
        for slot in self._of(match):
            slot.link_moved()

    def unbar(self, match: MatchId) -> None:
        """Allow sending again where Discord refused it."""
        for slot in self._of(match):
            slot.unbar()

    def next_try(self, match: MatchId, *, is_over: bool) -> float | None:
        """Seconds until something that Discord refused is tried again; None if nothing is.

        In a match that is over, a slot is given up after some tries.
        """
        bars = (slot.bar for slot in self._of(match))
        pauses = (bar.remaining for bar in bars if not (is_over and bar.is_hopeless))
        return min((pause for pause in pauses if 0 < pause < inf), default=None)

    def is_refused(self, match: MatchId) -> bool:
        """Whether Discord refuses a message of the match for a while."""
        table = self._matches.get(match, {}).get(TABLE)
        stays = isinstance(table, TableSlot) and table.stays
        return stays or self.next_try(match, is_over=False) is not None

    def is_shown_in(self, match: MatchId, channel: int) -> bool:
        """Whether a message of the match is in this channel or thread, as far as is in memory."""
        return any(slot.ref is not None and slot.ref.channel == channel for slot in self._of(match))

    def is_at_work(self, match: MatchId) -> bool:
        """Whether a message of the match is being edited or posted right now."""
        return any(slot.lock.locked() for slot in self._of(match))

    async def abandon(self, match: MatchId, place: int) -> None:
        """Forget the message of this slot, and send no other.

        Waits until a message that is being sent has arrived.
        """
        slot = await self.at(match, place)
        async with slot.lock:
            slot.abandon()
            self._unwritten.pop((match, place), None)
            self._unplaced.discard((match, place))

    def known(self) -> tuple[MatchId, ...]:
        """The matches whose slots are in memory."""
        return tuple(self._matches)

    def forget(self, match: MatchId) -> None:
        """Drop the slots of this match from memory."""
        self._matches.pop(match, None)
        self._inheriting.pop(match, None)
        self._posted.discard(match)

    def forget_unwritten(self) -> None:
        """Drop unstored changes of matches that aren't in memory.

        They're older than what another process may have written since.
        """
        known = self._matches
        self._unwritten = {key: now for key, now in self._unwritten.items() if key[0] in known}
        self._unplaced = {key for key in self._unplaced if key[0] in known}

    async def flush(self) -> None:
        """Store all changes now; if another flush is under way, wait for that one too."""
        async with self._writing:
            shown, self._unwritten = self._unwritten, {}
            self._placing, self._unplaced = self._unplaced, set()
            if not shown and not self._placing:
                return
            try:
                # One transaction each: it locks its match, and transactions must not deadlock over
                # that.
                for match, place in sorted(self._placing):
                    slot = self._matches.get(match, {}).get(place)
                    if slot is not None and slot.ref is not None:
                        await self._place(slot, slot.ref)
                if shown:
                    async with self._storage.transaction() as writing:
                        await writing.messages.put_shown(shown)
            except StorageUnavailableError:
                self._unwritten = {**shown, **self._unwritten}
                self._unplaced |= self._placing
                raise
            finally:
                self._placing = set()

    async def close(self) -> None:
        if self._flushing is not None:
            self._flushing.cancel()
        with contextlib.suppress(StorageUnavailableError):
            await self.flush()

    def _flush_later(self, pause: float) -> None:
        if self._flushing is None:
            self._flushing = asyncio.create_task(self._flush_after(pause))

    async def _flush_after(self, pause: float) -> None:
        await asyncio.sleep(pause)
        self._flushing = None
        try:
            await self.flush()
        except StorageUnavailableError:
            self._flush_later(UNWRITTEN_SECONDS)

    def _of(self, match: MatchId) -> Iterable[Slot]:
        """The slots of a match that are in memory."""
        return self._matches.get(match, {}).values()

    def _slot(
        self,
        match: MatchId,
        place: int,
        ref: MessageRef | None,
        *,
        sent_before: bool,
        token: TokenRecord | None = None,
    ) -> Slot:
        kinds: dict[int, type[Slot]] = {TABLE: TableSlot, SIGNPOST: SignpostSlot}
        kind = kinds.get(place, HandSlot)
        kept = None if token is None else Token.kept(token.value, token.until, token.message)
        return kind(self, match, place, ref, sent_before=sent_before, token=kept)
