"""The slots of the matches in play: read from the database when first needed, written together."""

import asyncio
from typing import Any, Final
from weakref import WeakValueDictionary

from bot.live.hand_slot import HandSlot
from bot.live.slots import MessageSlot, Tools
from bot.live.table_slot import TableSlot
from bot.storage import TABLE, MatchId, MessageRef, Shown

FLUSH_SECONDS: Final = 1.0
"""What the slots show is written together for all of them this often. A death before only means
that the next start edits a few messages into what they already are."""


class MessageSlots:
    def __init__(self, tools: Tools) -> None:
        self.tools = tools
        self._storage = tools.storage
        self._matches: dict[MatchId, dict[int, TableSlot | HandSlot]] = {}
        self._posted: set[MatchId] = set()
        self._reading: WeakValueDictionary[MatchId, asyncio.Lock] = WeakValueDictionary()
        self._unwritten: dict[tuple[MatchId, int], Shown] = {}
        self._flushing: asyncio.Task[None] | None = None
        self._writing = asyncio.Lock()

    async def at(self, match: MatchId, place: int) -> TableSlot | HandSlot:
        """The slot of the table or of a seat, with its message if it has one."""
        lock = self._reading.setdefault(match, asyncio.Lock())
        async with lock:
            if match not in self._matches:
                async with self._storage.reading() as reading:
                    rows = await reading.messages.of(match)
                self._matches[match] = {
                    place: self._slot(match, place, ref, sent_before=True)
                    for place, ref in rows.items()
                }
        slots = self._matches[match]
        if place not in slots:
            sent_before = match not in self._posted
            slots[place] = self._slot(match, place, None, sent_before=sent_before)
        return slots[place]

    async def table(self, match: MatchId) -> TableSlot:
        slot = await self.at(match, TABLE)
        assert isinstance(slot, TableSlot)
        return slot

    async def hand(self, match: MatchId, seat: int) -> HandSlot:
        slot = await self.at(match, seat)
        assert isinstance(slot, HandSlot)
        return slot

    def posted(self, match: MatchId) -> None:
        """This process has just posted the match, so nothing of it was ever sent before."""
        self._posted.add(match)

    async def put(self, slot: MessageSlot[Any], ref: MessageRef) -> None:
        """Write the new message of a slot at once."""
        self._unwritten.pop((slot.match, slot.place), None)
        async with self._storage.transaction() as writing:
            await writing.messages.put(slot.match, slot.place, ref)

    def note_shown(self, slot: MessageSlot[Any]) -> None:
        """Write soon what the message of a slot shows."""
        self._unwritten[slot.match, slot.place] = Shown(slot.shown or "", slot.revision)
        if self._flushing is None:
            self._flushing = asyncio.create_task(self._flush_soon())

    def outdate(self, match: MatchId, message: int) -> None:
        """Let this message of the match be brought up to date."""
        for slot in self._matches.get(match, {}).values():
            if slot.ref is not None and slot.ref.message == message:
                slot.shows("")

    def outdate_hands(self, match: MatchId) -> None:
        """Let all hands of the match be brought up to date."""
        for slot in self._matches.get(match, {}).values():
            if slot.ref is not None and slot.place != TABLE:
                slot.shows("")

    def unbar(self, match: MatchId) -> None:
        """Let sending be tried again where it was in vain."""
        for slot in self._matches.get(match, {}).values():
            slot.barred = False

    async def abandon(self, match: MatchId, place: int) -> None:
        """Keep nothing of this slot any more, and let nothing be sent there.

        A message that is on its way there arrives before.
        """
        slot = await self.at(match, place)
        async with slot.lock:
            slot.abandon()
            self._unwritten.pop((match, place), None)

    def forget(self, match: MatchId) -> None:
        """Nothing more will be shown of this match."""
        self._matches.pop(match, None)
        self._posted.discard(match)

    async def flush(self) -> None:
        """Write what stands where, now; also what another flush is just writing is written then."""
        async with self._writing:
            shown, self._unwritten = self._unwritten, {}
            if shown:
                async with self._storage.transaction() as writing:
                    await writing.messages.put_shown(shown)

    async def close(self) -> None:
        if self._flushing is not None:
            self._flushing.cancel()
        await self.flush()

    async def _flush_soon(self) -> None:
        await asyncio.sleep(FLUSH_SECONDS)
        self._flushing = None
        await self.flush()

    def _slot(
        self, match: MatchId, place: int, ref: MessageRef | None, *, sent_before: bool
    ) -> TableSlot | HandSlot:
        kind = TableSlot if place == TABLE else HandSlot
        return kind(self, match, place, ref, sent_before=sent_before)
