"""Keeps the table and the hands of every match up to date.

Nobody says what to change: a match is only marked, each of its slots is compared with what it
should show, and every slot that is behind is edited independently of the others. So a failed edit,
clicks in the wrong order and a crash halfway are all repaired in the same way.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Set
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from typing import Final

import structlog

from bot.errors import NoSuchMatchError, StorageUnavailableError, showing_saved
from bot.live.hand_slot import HandSlot
from bot.live.message_slots import MessageSlots
from bot.live.slot_services import SlotServices
from bot.live.slot_updater import NotOwnedError, SlotUpdater
from bot.live.snapshot_cache import SnapshotCache
from bot.live.work_queue import WorkQueue
from bot.matches import Matches, PublicSnapshot, SeatSnapshot, Snapshot
from bot.matches.notices import still_holds
from bot.matches.pauses import Pauses
from bot.messaging.content import MessageContent
from bot.messaging.direct_messages import NotOpenError
from bot.messaging.failures import PASSING_FAILURES, Failure, UndeliveredError
from bot.storage import MatchId
from bot.storage.notices import NoticeRecord
from games import Seat

log = structlog.get_logger()

DETAIL_SECONDS: Final = 2.0
"""Seconds that a detail waits: "has chosen", which a reveal makes unnecessary if it follows soon,
and the plays of an unfinished turn, which only the hand of the seat on turn shows at once."""

TABLE_PATIENCE_SECONDS: Final = 1.0
"""Seconds that hands wait for a table that has yet to be posted, because they link to it."""

ANSWER_PATIENCE_SECONDS: Final = 1.0
"""Seconds that other messages wait for the answer to a click, after which the clicked message can
be edited without counting toward the rate limit."""


@dataclass(slots=True)
class Change:
    """A change to a match whose click is being answered."""

    version: int
    """How often the match had changed when this began, to tell whether a snapshot is newer."""

    is_detail: bool = False
    """Whether everybody else can be shown the change a little later."""

    is_shown: bool = False
    """Whether the answer has shown it to everybody concerned: then no update follows."""


class Live:
    """Keeps the messages of all matches up to date; `slots` holds them."""

    def __init__(
        self,
        matches: Matches,
        pauses: Pauses,
        services: SlotServices,
        *,
        detail: float = DETAIL_SECONDS,
    ) -> None:
        self.slots = MessageSlots(services)
        self._matches = matches
        self._storage = services.storage
        self._share = services.share
        self._threads = services.threads
        self._direct_messages = services.direct_messages
        self._detail = detail
        self._comparing = WorkQueue(self._compare)
        self._snapshots = SnapshotCache(matches)
        self._updater = SlotUpdater(self.slots, self._snapshots, self._comparing, pauses)
        self._held: Counter[MatchId] = Counter()
        """How many answers to clicks, and hands being resent, are using the slots of each match."""

    @asynccontextmanager
    async def changing(self, match: MatchId) -> AsyncIterator[Change]:
        """Answer a click in this block; the other messages of the match are updated after it.

        What the click did is saved already: SavedError if the database can't be read for the
        answer. An answer that takes Discord long concerns one person: the others wait for a second
        at most.
        """
        self._snapshots.note_changed(match)
        change = Change(self._snapshots.version(match))
        loop = asyncio.get_running_loop()
        late = loop.call_later(ANSWER_PATIENCE_SECONDS, self._comparing.schedule, match)
        try:
            with showing_saved(), self._holding(match):
                yield change
        finally:
            late.cancel()
            if not change.is_shown or self._snapshots.version(match) != change.version:
                self._comparing.schedule(match, self._detail if change.is_detail else 0.0)

    @contextmanager
    def _holding(self, match: MatchId) -> Iterator[None]:
        """Keep a match's slots in memory, even if it ends meanwhile and shows that everywhere."""
        self._held[match] += 1
        try:
            yield
        finally:
            self._held[match] -= 1
            if not self._held[match]:
                del self._held[match]

    def note_changed(self, match: MatchId, *, is_detail: bool = False) -> None:
        """Note a change to a match outside of `changing`, without a click to answer."""
        self._snapshots.note_changed(match)
        self._comparing.schedule(match, self._detail if is_detail else 0.0)

    def compare_soon(self, match: MatchId) -> None:
        """Compare all messages of a match with what they should show, soon."""
        self._comparing.schedule(match, self._detail)

    def tell_owner(self, snapshot: PublicSnapshot) -> None:
        """If another process owns this match, tell it of the change, and forget the match soon."""
        if not self._share.owns(snapshot.guild):
            self._updater.tell_owner(snapshot)
            self.compare_soon(snapshot.match)

    async def note_answered(self, snapshot: SeatSnapshot) -> None:
        """Note that the answer to a click has changed a hand to this snapshot.

        If another process owns the match, it may have shown a newer snapshot before that answer
        arrived: then it's told to show it again.
        """
        if self._share.owns(snapshot.guild):
            return  # every change of the hand is made under its lock
        public, *_ = await self._snapshots.load(snapshot.match)
        if public.revision != snapshot.revision:
            await self._updater.hand_slot_over(
                public, await self.slots.hand(snapshot.match, snapshot.seat)
            )

    def retry_and_update(self, match: MatchId) -> None:
        """Update all messages of a match, also those that Discord has refused."""
        self.slots.unbar(match)
        self.note_changed(match)

    async def pause_lost(self, snapshot: Snapshot) -> None:
        """Pause a match whose channel in this snapshot is gone, or closed to the bot."""
        await self._updater.pause_lost(snapshot)

    def try_refused(self, guild: int, channel: int | None = None) -> None:
        """Retry at once what Discord refused in a server: the bot may have more permissions now.

        With `channel`, only matches with a message in this channel or thread.
        """
        for match in self.slots.known():
            is_there = channel is None or self.slots.is_shown_in(match, channel)
            is_refused = self.slots.is_refused(match) and self._snapshots.guild(match) == guild
            if is_there and is_refused:
                self.retry_and_update(match)

    async def current(self, snapshot: SeatSnapshot, change: Change) -> SeatSnapshot:
        """This snapshot, or a new one for its seat if the match has changed since `change`."""
        if self._snapshots.version(snapshot.match) == change.version:
            return snapshot
        return await self.fresh(snapshot)

    async def fresh(self, snapshot: SeatSnapshot) -> SeatSnapshot:
        """The newest snapshot for the seat of this one."""
        _, *seats = await self._snapshots.load(snapshot.match)
        return next(hand for hand in seats if hand.seat == snapshot.seat)

    async def hand_of(self, match: MatchId, user: int) -> SeatSnapshot | None:
        """The newest snapshot for this person's seat; None if they have no seat."""
        _, *seats = await self._snapshots.load(match)
        return next((hand for hand in seats if hand.own.user == user), None)

    @asynccontextmanager
    async def rewriting(self, match: MatchId, place: int) -> AsyncIterator[MessageContent]:
        """Yield what a table or signpost should show, to be put into a message by the caller.

        The lock is held: an edit under way, which shows an older state, arrives before. What the
        slot's message shows afterwards isn't known here.
        """
        slot = await self.slots.at(match, place)
        assert not isinstance(slot, HandSlot)
        async with slot.lock:
            content = await slot.content(await self._matches.public(match))
            slot.media = None
            self.slots.forget(match)
            yield content

    async def update_message(self, match: MatchId, message: int) -> None:
        """Update a message that may be behind: somebody clicked on it too late."""
        await self.slots.table(match)  # which reads all slots of the match
        self.slots.outdate(match, message)
        self.compare_soon(match)

    async def show_end(self, match: MatchId, message: int) -> None:
        """Update a message that doesn't show the end of its match: the bot can reach it again."""
        await self.update_message(match, message)
        self.retry_and_update(match)

    async def repost_table(self, match: MatchId, interaction: int) -> None:
        """Repost the table at the bottom of its channel, and delete the old one.

        `interaction` is the id of the request. MatchError if the table was just posted, if Discord
        doesn't allow that now, and for a solo match, which has no table.
        """
        table = await self.slots.table(match)
        try:
            async with table.lock:
                snapshot = await self._matches.public(match)
                with self._updater.updating_links(table, snapshot):
                    await table.repost_table(snapshot, interaction)
        finally:
            self._comparing.schedule(match)  # which retries what Discord had trouble with

    def table_moved(self, snapshot: PublicSnapshot) -> None:
        """Note that the table was posted elsewhere, as the answer to a command."""
        self._updater.table_moved(snapshot)

    async def resend_hand(self, notice: NoticeRecord, seat: Seat) -> bool:
        """Tell a seat of an event by resending its hand as a direct message, which notifies.

        The hand says what has happened as long as that holds, and it's the only message of the
        match there: the previous one is deleted afterwards. Nothing is sent if the event no longer
        holds, nor for a turn in which the hand was sent. Returns False if the player has to be told
        in another way: they take no direct messages, or the first one can't be sent soon.
        UndeliveredError if Discord has trouble: the same call can be repeated, even after a
        restart, and sends no second message.
        """
        try:
            with self._holding(notice.match):
                return await self._resend_hand(notice, seat)
        except NotOpenError:
            return False
        except UndeliveredError as error:
            if error.failure in PASSING_FAILURES:
                raise
            return False
        finally:
            # The next update of this hand has to know what it tells.
            self.note_changed(notice.match)

    async def _resend_hand(self, notice: NoticeRecord, seat: Seat) -> bool:
        hand = await self.slots.hand(notice.match, seat)
        snapshot = await self._snapshot_if_it_holds(notice, seat)
        if snapshot is None:
            return True
        replaces = hand.ref is not None and notice.event != "turn"
        if not replaces and not self._direct_messages.carry_hand(snapshot.desk):
            return False
        await self._direct_messages.reach(notice.user, notice)
        async with hand.lock:
            snapshot = await self._snapshot_if_it_holds(notice, seat)
            return snapshot is None or await hand.resend(snapshot, notice)

    async def _snapshot_if_it_holds(self, notice: NoticeRecord, seat: Seat) -> SeatSnapshot | None:
        """The newest snapshot of this seat; None if the event no longer holds or during a pause."""
        _, *hands = await self._snapshots.load(notice.match)
        for hand in hands:
            resting = hand.status == "running" and hand.paused
            if hand.seat == seat and not resting and still_holds(notice, hand):
                return hand
        return None

    async def keep_threads_open(self) -> None:
        """Repost tables whose threads would be archived soon."""
        for match, message in (await self._threads.archived_soon()).items():
            try:
                await self._keep_open(match, message)
            except UndeliveredError as error:
                log.warning("table not reposted", match=match, why=error.failure.name)
            except StorageUnavailableError:
                raise
            except Exception:  # one broken match must not let other threads be archived
                log.exception("table not reposted", match=match)

    async def _keep_open(self, match: MatchId, message: int) -> None:
        """Repost the table of a match if this message is still its table."""
        table = await self.slots.table(match)
        async with table.lock:
            snapshot = await self._matches.public(match)
            if table.message != message or not snapshot.is_unfinished:
                return
            try:
                with self._updater.updating_links(table, snapshot):
                    await table.keep_open(snapshot)
            except UndeliveredError as error:
                if error.failure is Failure.NOWHERE:
                    await self._updater.pause_lost(snapshot)
                raise

    async def update_all(self, match: MatchId) -> None:
        """Update all messages of a match, even those with an edit under way."""
        await self.slots.table(match)  # which reads all slots of the match
        self.slots.outdate_all(match)
        self.note_changed(match)

    def under_way(self) -> Set[MatchId]:
        """The matches with a message that is being updated, or waits here for that."""
        return self._updater.under_way()

    async def note_changed_elsewhere(self, match: MatchId, late: int | None = None) -> None:
        """Note that another process has changed a match of this one, and maybe its messages.

        `late` is a place whose message it may have set to an older state.
        """
        await self.slots.read_again(match)
        if late is not None:
            (await self.slots.at(match, late)).shown_elsewhere()
        self.note_changed(match)

    async def forget_servers(self, is_lost: Callable[[int], bool]) -> None:
        """Store what messages show, if possible, and forget the matches of these servers."""
        with suppress(StorageUnavailableError):
            await self.slots.flush()
        for match in self.slots.known():
            guild = self._snapshots.guild(match)
            if guild is None or is_lost(guild):  # None if it was only changed for another process
                self._updater.forget(match)
        self.slots.forget_unwritten()

    async def close(self) -> None:
        """Stop, and store what messages show."""
        await self._comparing.close()
        await self._updater.close()
        await self.slots.close()

    async def _compare(self, match: MatchId) -> bool:
        try:
            await self.bring_up_to_date(match)
        except StorageUnavailableError:
            return False
        return True  # what is broken would fail again; the next change or start retries it

    async def bring_up_to_date(self, match: MatchId) -> list[asyncio.Task[None]]:
        """Start updating every slot of a match that is behind, and return the tasks.

        A finished match that shows its end everywhere is settled.
        """
        version = self._snapshots.version(match)
        try:
            public, *seats = self._updater.ours(await self._snapshots.load(match))
            table = await self.slots.table(match)
            if table.is_behind(public) and (table.ref is None or table.begins(public)):
                task = self._updater.schedule(table, public)
                await asyncio.wait({task}, timeout=TABLE_PATIENCE_SECONDS)
            behind = await self._updater.behind(public, seats)
            tries = self._updater.try_again(public)
            if not behind and not tries and not public.is_unfinished:
                await self._updater.give_up(public, seats)
                await self._settle(public, version)
            return [self._updater.schedule(slot, snapshot) for slot, snapshot in behind]
        except StorageUnavailableError:
            raise
        except NotOwnedError:
            return []
        except NoSuchMatchError:  # it was deleted
            self._updater.forget(match)
            return []
        except Exception:  # one broken match must not stop the others from being shown
            log.exception("match not shown", match=match)
            return []

    async def _settle(self, public: PublicSnapshot, version: int) -> None:
        """Store that a finished match shows its end everywhere, as of this version.

        If it has changed since it was read, perhaps in another process, it's compared again.
        """
        match = public.match
        await self.slots.flush()
        async with self._storage.transaction() as writing:
            is_settled = await writing.matches.settle(match, public.revision)
        if not is_settled:
            self._comparing.schedule(match)
            return
        is_changed = self._snapshots.version(match) != version
        if is_changed or match in self._held or self.slots.is_at_work(match):
            return  # a click, a hand being resent or a table being posted is using its slots
        self._updater.forget(match)
