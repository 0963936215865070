"""Updates each slot that is behind, independently of all others."""

import asyncio
from collections.abc import Iterator, Sequence, Set
from contextlib import contextmanager
from typing import Any, Final

import structlog

from bot.errors import NoSuchMatchError, StorageUnavailableError
from bot.live.edited import TokenEndedError
from bot.live.message_slot import MessageSlot
from bot.live.message_slots import MessageSlots
from bot.live.snapshot_cache import SnapshotCache, Snapshots
from bot.live.work_queue import WorkQueue
from bot.matches import PublicSnapshot, SeatSnapshot, Snapshot
from bot.matches.pauses import Pauses
from bot.messaging.direct_messages import NotOpenError
from bot.messaging.failures import PASSING_FAILURES, Failure, UndeliveredError
from bot.messaging.openings import Waiter
from bot.storage import TABLE, MatchId

log = structlog.get_logger()

CROWDED_SLOTS: Final = 12
"""If more slots than this are being updated, tables go before hands."""

HANDS_YIELD_SECONDS: Final = 0.5
"""Seconds that hands wait then."""

SlotKey = tuple[MatchId, int]
"""A match, and TABLE, SIGNPOST or the number of a seat."""


class NotOwnedError(Exception):
    """Another process owns the match, and so shows it."""


class SlotUpdater:
    """Updates marked slots as soon as possible; `comparing` compares a whole match again."""

    def __init__(
        self,
        slots: MessageSlots,
        snapshots: SnapshotCache,
        comparing: WorkQueue[MatchId],
        pauses: Pauses,
    ) -> None:
        self._slots = slots
        self._snapshots = snapshots
        self._comparing = comparing
        self._pauses = pauses
        self._direct_messages = slots.services.direct_messages
        self._share = slots.services.share
        self.queue: WorkQueue[SlotKey] = WorkQueue(self._show)
        self._tries: dict[MatchId, asyncio.TimerHandle] = {}
        """Timers for the next look at matches of which Discord refuses something for a while."""

        self._awaiting_channel: set[SlotKey] = set()
        """The hands that wait for a direct message channel to be opened."""

    def schedule(
        self, slot: MessageSlot[Any], snapshot: Snapshot | None = None
    ) -> asyncio.Task[None]:
        """Queue an update of a slot, to this snapshot or a newer one; returns its task.

        In a crowd, hands wait, so that tables tell everybody first what happened.
        """
        slot.waiting.fall_behind(is_detail=snapshot is not None and slot.is_detail(snapshot))
        yields = slot.place != TABLE and self.queue.busy > CROWDED_SLOTS
        return self.queue.schedule((slot.match, slot.place), HANDS_YIELD_SECONDS if yields else 0.0)

    def under_way(self) -> Set[MatchId]:
        """The matches with a slot that is being updated, or waits here for that."""
        return {match for match, _ in self.queue.keys | self._awaiting_channel}

    async def behind(
        self, public: PublicSnapshot, seats: Sequence[SeatSnapshot]
    ) -> list[tuple[MessageSlot[Any], Snapshot]]:
        """The slots that are behind, and the snapshot that each should show.

        If there are none, all are noted to show the revision of their snapshots. Not before: a
        start searches for messages of older revisions, and would not find a hand that was never
        sent.
        """
        slots = await self._all_of(public, seats)
        behind = [(slot, snapshot) for slot, snapshot in slots if slot.is_behind(snapshot)]
        if not behind:
            for slot, snapshot in slots:
                slot.note_up_to_date(snapshot)
        return behind

    async def give_up(self, public: PublicSnapshot, seats: Sequence[SeatSnapshot]) -> None:
        """Stop updating a match that is over and shows all that it could."""
        for slot, snapshot in await self._all_of(public, seats):
            slot.give_up(snapshot)

    async def _all_of(
        self, public: PublicSnapshot, seats: Sequence[SeatSnapshot]
    ) -> list[tuple[MessageSlot[Any], Snapshot]]:
        """The slots of a match, and the snapshot that each should show."""
        slots: list[tuple[MessageSlot[Any], Snapshot]]
        slots = [(await self._slots.table(public.match), public)]
        slots += [(await self._slots.hand(public.match, s.seat), s) for s in seats]
        signpost = await self._slots.signpost(public.match)
        return slots if signpost is None else [*slots, (signpost, public)]

    def ours(self, snapshots: Snapshots) -> Snapshots:
        """Return the snapshots of a match that this process owns.

        NotOwnedError if another process does: then that one is told, and the match forgotten here.
        """
        public = snapshots[0]
        if not self._share.owns(public.guild):
            self.tell_owner(public)
            self.forget(public.match)
            raise NotOwnedError
        return snapshots

    async def _check_still_ours(self, public: PublicSnapshot, slot: MessageSlot[Any]) -> None:
        """Raise NotOwnedError if another process has taken over a match that was just shown here.

        That message may have arrived after the other process's, which therefore sends its own
        again.
        """
        if self._share.owns(public.guild):
            return
        await self.hand_slot_over(public, slot)
        raise NotOwnedError

    async def hand_slot_over(self, public: PublicSnapshot, slot: MessageSlot[Any]) -> None:
        """Tell the process that owns the match to update this slot again; forget the match."""
        slot.mark_outdated()
        await self._slots.flush()
        self.tell_owner(public, slot.place)
        self.forget(public.match)

    def tell_owner(self, snapshot: PublicSnapshot, *late: int) -> None:
        """Tell the process that owns the match that it was changed here, or one of its messages.

        `late` is the place of a message that was sent here after the match moved to that process.
        """
        self._share.tell("match", snapshot.match, snapshot.guild or 0, *late)

    def forget(self, match: MatchId) -> None:
        """Drop a match from memory."""
        self._end_try(match)
        self._slots.forget(match)
        self._snapshots.forget(match)

    def try_again(self, public: PublicSnapshot) -> bool:
        """Schedule the next look at a match if Discord refuses something; whether it does."""
        match = public.match
        self._end_try(match)
        pause = self._slots.next_try(match, is_over=not public.is_unfinished)
        if pause is None:
            return False
        loop = asyncio.get_running_loop()
        self._tries[match] = loop.call_later(pause, self._comparing.schedule, match)
        return True

    def _end_try(self, match: MatchId) -> None:
        if match in self._tries:
            self._tries.pop(match).cancel()

    async def close(self) -> None:
        """Stop updating."""
        await self.queue.close()
        for timer in self._tries.values():
            timer.cancel()

    @contextmanager
    def updating_links(self, slot: MessageSlot[Any], snapshot: PublicSnapshot) -> Iterator[None]:
        """After this block, even if it raises, update what links to a table that moved in it."""
        before = slot.message
        try:
            yield
        finally:
            if slot.place == TABLE and slot.message != before:
                self.table_moved(snapshot)

    def table_moved(self, snapshot: PublicSnapshot) -> None:
        """Update what links to a table that has moved: its hands, and the match before it."""
        self._snapshots.note_changed(snapshot.match)  # its channel may have become a thread
        self._slots.outdate_hands(snapshot.match)
        self._comparing.schedule(snapshot.match)
        if snapshot.predecessor is not None:
            self._slots.note_inherited_signpost(snapshot.predecessor, snapshot.match)
            self._slots.link_moved(snapshot.predecessor)
            self._comparing.schedule(snapshot.predecessor)

    async def pause_lost(self, snapshot: Snapshot) -> None:
        """Pause a match whose table can't be reached; its players are told in their hands.

        Not in an outage of its server: until that is over, nothing that Discord refuses is gone.
        Nor if the match has been moved to another channel since that was tried.
        """
        if self._is_in_outage(snapshot) or snapshot.channel is None:
            return
        for paused in await self._pauses.pause(snapshot.match, snapshot.channel):
            log.info("match paused", match=paused)
            self._slots.unbar(paused)
            self._snapshots.note_changed(paused)
            self._comparing.schedule(paused)

    def _is_in_outage(self, snapshot: Snapshot) -> bool:
        guild = snapshot.guild
        return guild is not None and self._slots.services.delivery.channels.is_in_outage(guild)

    async def _show(self, key: SlotKey) -> bool:
        """Update one slot; False if it has to be tried again."""
        match, place = key
        try:
            return await self._show_slot(await self._slots.at(match, place))
        except StorageUnavailableError:
            return False
        except NotOwnedError:
            return True
        except NoSuchMatchError:  # it was deleted
            self.forget(match)
            return True
        except Exception:  # one broken match must not stop the others from being shown
            log.exception("match not shown", match=match)
            return True

    async def _show_slot(self, slot: MessageSlot[Any]) -> bool:
        """Update one slot, and again once the picture that follows its words is drawn.

        A picture that still wasn't shown, though there was nothing to wait for, is given up.
        """
        waiting = slot.waiting
        while True:
            drawing, in_time = waiting.drawing, waiting.is_drawn_in_time
            try:
                shown = await self._show_newest(slot)
            except TokenEndedError:
                continue
            if not shown or waiting.drawing is None:
                return shown
            if waiting.drawing is drawing and not in_time:
                waiting.draw(None)
                return shown
            await waiting.picture_or_change()

    async def _show_newest(self, slot: MessageSlot[Any]) -> bool:
        shown, public = False, None
        try:
            await self._wait_for_turn(slot)
            async with slot.lock:
                public, to_show, seats = await self._wanted(slot)
                slot.waiting.begin()
                with self.updating_links(slot, public):
                    shown = await slot.show(to_show)
            await self._check_still_ours(public, slot)
            await self.behind(public, seats)
        except NotOpenError as error:
            self._wish(error.user, slot)
            return True
        except UndeliveredError as error:
            return await self._failed(slot, error.failure, public)
        finally:
            slot.waiting.end_turn()
            slot.waiting.end(is_shown=shown)
        if shown and not public.is_unfinished:
            self._comparing.schedule(slot.match)  # it may show its end everywhere now
        return shown

    async def _wait_for_turn(self, slot: MessageSlot[Any]) -> None:
        """Wait until the slot may be edited, if that counts toward a rate limit.

        Nothing else waits for it. A click on the message meanwhile allows an edit that doesn't
        count, and a more urgent change moves the slot ahead in the line.
        """
        while True:
            _, to_show, _ = await self._wanted(slot)
            if not slot.is_counted(to_show):
                slot.waiting.end_turn()
                return
            if slot.waiting.has_turn:
                return
            async with slot.lock:
                await slot.show_private(to_show)
            await slot.take_turn(to_show)

    async def _wanted(
        self, slot: MessageSlot[Any]
    ) -> tuple[PublicSnapshot, Snapshot, Sequence[SeatSnapshot]]:
        """The public snapshot, the one that this slot should show, and those of all seats."""
        public, *seats = self.ours(await self._snapshots.of(slot.match))
        return public, next((hand for hand in seats if hand.seat == slot.place), public), seats

    async def _failed(
        self, slot: MessageSlot[Any], why: Failure, tried: PublicSnapshot | None
    ) -> bool:
        """Handle a slot that couldn't be updated; False if it has to be tried again soon."""
        lost = tried if why is Failure.NOWHERE and slot.place == TABLE else None
        if lost is not None and self._is_in_outage(lost):
            slot.bar.lift()
            why, lost = Failure.TROUBLE, None
        if why is not Failure.STOPPED:  # logged once, and not for each slot
            log.warning("not delivered", match=slot.match, place=slot.place, why=why.name)
        if lost is not None:
            await self.pause_lost(lost)
        if slot.bar.holds:
            self._comparing.schedule(slot.match)  # which schedules the next try
        return why not in PASSING_FAILURES

    def _wish(self, user: int, slot: MessageSlot[Any]) -> None:
        """Wait in line for a direct message channel; nothing else of the match waits for it."""
        key = slot.match, slot.place

        async def holds() -> bool:
            try:
                _, to_show, _ = await self._wanted(slot)
            except NotOwnedError:
                return False
            return slot.is_behind(to_show)

        def tell() -> None:
            self._awaiting_channel.discard(key)
            self.schedule(slot)

        self._awaiting_channel.add(key)
        waiter = Waiter(holds, tell, given_up=lambda: self._awaiting_channel.discard(key))
        self._direct_messages.join_line(user, key, waiter)
