"""Keeps the table and the hands of every match at the truth.

Nobody says what to change: a match is only marked, what stands in its slots is compared with what
should, and each slot that is behind is edited on its own way. So an edit that failed, clicks that
came in the wrong order and a death in the middle are all mended in the same way.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

import structlog
from cachetools import LRUCache

from bot.cluster.share import Everything, Share
from bot.errors import StorageUnavailableError
from bot.live.changes import AnothersError, Change
from bot.live.registry import MessageSlots
from bot.live.repairs import Repairs
from bot.live.slots import MessageSlot, Tools
from bot.live.work_queue import WorkQueue
from bot.matches import Matches, PublicSnapshot, SeatSnapshot
from bot.matches.notices import holds
from bot.matches.pauses import Pauses
from bot.messaging.content import MessageContent
from bot.messaging.direct_messages import NotOpenError
from bot.messaging.failures import PASSING_FAILURES, Failure, UndeliveredError
from bot.storage import TABLE, MatchId
from bot.storage.notices import NoticeRecord
from games import Seat

log = structlog.get_logger()

DETAIL_SECONDS: Final = 2.0
"""A detail waits for so long: "has chosen", which the reveal says too when it comes meanwhile, and
the plays of a turn that goes on, of which only the hand of the seat on turn hears at once."""

TABLE_PATIENCE_SECONDS: Final = 1.0
"""Hands lead to their table, so a table that has still to be posted goes first for so long."""

MAX_LOADED: Final = 512
"""Matches whose newest snapshots are kept in memory for their slots."""

Snapshots = tuple[PublicSnapshot, *tuple[SeatSnapshot, ...]]
"""What the table should show, then what each hand should."""

SlotKey = tuple[MatchId, int]
"""A match, and TABLE or the number of a seat."""


class Live:
    """The messages of all matches; `slots` are where they stand."""

    def __init__(
        self,
        matches: Matches,
        pauses: Pauses,
        tools: Tools,
        *,
        detail: float = DETAIL_SECONDS,
        share: Share | None = None,
    ) -> None:
        self._share = share or Everything()
        self._guilds: dict[MatchId, int] = {}
        """The servers of the matches that are in memory."""

        self.slots = MessageSlots(tools)
        self._matches = matches
        self._pauses = pauses
        self._storage = tools.storage
        self._threads = tools.threads
        self._direct_messages = tools.direct_messages
        self._detail = detail
        self._comparing = WorkQueue(self._compare)
        self.repairs = Repairs(
            tools.storage, self._bring_up_to_date, self._comparing, self.changed_elsewhere
        )
        self._showing = WorkQueue(self._show)
        self._versions: dict[MatchId, int] = {}
        self._loaded: LRUCache[MatchId, tuple[int, Snapshots]] = LRUCache(MAX_LOADED)
        self._bringing: Counter[MatchId] = Counter()
        """The matches of which hands come anew, and how many do."""

    @asynccontextmanager
    async def changing(self, match: MatchId) -> AsyncIterator[Change]:
        """Answer a click while the other messages of the match wait; then they follow."""
        change = Change()
        self._versions[match] = self._versions.get(match, 0) + 1
        try:
            yield change
        finally:
            if not change.is_shown:
                self._comparing.mark(match, self._detail if change.is_detail else 0.0)

    def changed(self, match: MatchId, *, is_detail: bool = False) -> None:
        """A match has changed without anybody waiting for an answer."""
        self._versions[match] = self._versions.get(match, 0) + 1
        self._comparing.mark(match, self._detail if is_detail else 0.0)

    def compare_soon(self, match: MatchId) -> None:
        """Look before long whether all messages of a match show the truth."""
        self._comparing.mark(match, self._detail)

    def redraw(self, match: MatchId) -> None:
        """Somebody wants it shown otherwise or elsewhere: also where nothing could be sent."""
        self.slots.unbar(match)
        self.changed(match)

    def version(self, match: MatchId) -> int:
        """How often a match has changed, by which a snapshot can be dated."""
        return self._versions.get(match, 0)

    async def current(self, snapshot: SeatSnapshot, version: int) -> SeatSnapshot:
        """This snapshot, or a new one for the same seat if the match has changed since."""
        if self.version(snapshot.match) == version:
            return snapshot
        return await self.fresh(snapshot)

    async def fresh(self, snapshot: SeatSnapshot) -> SeatSnapshot:
        """What the seat of this snapshot may know now."""
        _, *seats = await self._load(snapshot.match)
        return next(hand for hand in seats if hand.seat == snapshot.seat)

    async def hand_of(self, match: MatchId, user: int) -> SeatSnapshot | None:
        """What this person's seat may know now; None for somebody who has none."""
        _, *seats = await self._load(match)
        return next((hand for hand in seats if hand.places[hand.seat].user == user), None)

    async def table_content(self, snapshot: PublicSnapshot) -> MessageContent:
        """The table that this snapshot is shown by, or the challenge."""
        return await (await self.slots.table(snapshot.match)).content(snapshot)

    def outdated(self, match: MatchId, message: int) -> None:
        """Bring a message up to date that may be behind: somebody clicked on it too late."""
        self.slots.outdate(match, message)
        self.compare_soon(match)

    async def bring_down(self, match: MatchId, interaction: int) -> None:
        """Post the table anew at the end of its channel, and remove the old one.

        A MatchError where it was just posted, and for a solo match, which has none.
        """
        table = await self.slots.table(match)
        async with table.lock:
            snapshot = await self._matches.public(match)
            await table.bring_down(snapshot, interaction)
        self._table_moved(snapshot)

    async def bring_hand(self, notice: NoticeRecord, seat: Seat) -> bool:
        """Tell a seat of an event by posting its hand anew in its inbox, with a notification.

        The hand says what has happened as long as that holds, and it is the only message of the
        match there: the one before is deleted afterwards. Nothing is posted of what holds no more,
        nor of a turn in which the hand has come. False where it has to be told otherwise: this
        player takes no direct messages, or can't get the first one soon. An UndeliveredError where
        Discord has trouble: then the same call can be made again, also after a restart, and
        brings no second message.
        """
        self._bringing[notice.match] += 1
        try:
            return await self._bring(notice, seat)
        except NotOpenError:
            return False
        except UndeliveredError as error:
            if error.failure in PASSING_FAILURES:
                raise
            return False
        finally:
            self._bringing[notice.match] -= 1
            self._bringing += Counter()  # keeps those above 0
            self.changed(notice.match)

    async def _bring(self, notice: NoticeRecord, seat: Seat) -> bool:
        hand = await self.slots.hand(notice.match, seat)
        snapshot = await self._still(notice, seat)
        if snapshot is None:
            return True
        replaces = hand.ref is not None and notice.event != "turn"
        if not replaces and not self._direct_messages.carry_hand(snapshot.desk):
            return False
        await self._direct_messages.reach(snapshot.places[seat].user)
        async with hand.lock:
            snapshot = await self._still(notice, seat)
            try:
                return snapshot is None or await hand.bring(snapshot, notice)
            finally:
                self.changed(notice.match)  # who shows this hand next must know what it tells

    async def _still(self, notice: NoticeRecord, seat: Seat) -> SeatSnapshot | None:
        """What this seat may know now, if what it is to be told of still holds."""
        _, *hands = await self._load(notice.match)
        for hand in hands:
            resting = hand.status == "running" and hand.paused
            if hand.seat == seat and not resting and holds(notice, hand):
                return hand
        return None

    async def keep_threads_open(self) -> None:
        """Post tables anew whose threads would be put away before long."""
        for match, message in (await self._threads.ending()).items():
            try:
                await self._keep_open(match, message)
            except UndeliveredError as error:
                log.warning("table not reposted", match=match, why=error.failure.name)
                if error.failure is Failure.NOWHERE:
                    await self._pause(match)
            except StorageUnavailableError:
                raise
            except Exception:  # one broken match must not put away the threads of others
                log.exception("table not reposted", match=match)

    async def _keep_open(self, match: MatchId, message: int) -> None:
        """Post the table of a match anew if this message still is its table."""
        table = await self.slots.table(match)
        async with table.lock:
            ref, snapshot = table.ref, await self._matches.public(match)
            if ref is not None and ref.message == message and snapshot.status == "running":
                await table.keep_open(snapshot)
        if table.ref is not ref:
            self._table_moved(snapshot)

    async def changed_elsewhere(self, match: MatchId) -> None:
        """Another process has changed a match of ours, and perhaps where it is shown."""
        await self.slots.flush()
        self.slots.forget(match)
        self.changed(match)

    async def forget_servers(self, those: Callable[[int], bool]) -> None:
        """Write down what stands where; keep nothing in memory of those servers."""
        with suppress(StorageUnavailableError):
            await self.slots.flush()
        for match in self.slots.known():
            guild = self._guilds.get(match)
            if guild is None or those(guild):  # what was done for another process has none
                self._forget(match)

    async def close(self) -> None:
        """Stop, and write down what stands where."""
        await self.repairs.close()
        await self._comparing.close()
        await self._showing.close()
        await self.slots.close()

    async def _compare(self, match: MatchId) -> bool:
        try:
            await self._bring_up_to_date(match)
        except StorageUnavailableError:
            return False
        return True  # what is broken would fail again; the next change or start tries it

    async def _bring_up_to_date(self, match: MatchId) -> list[asyncio.Task[None]]:
        """Begin to show every slot of a match that is behind; a finished match is settled."""
        version = self.version(match)
        try:
            public, *seats = self._ours(await self._load(match))
            table = await self.slots.table(match)
            if table.is_behind(public) and (table.ref is None or table.begins(public)):
                await asyncio.wait({self._mark(table)}, timeout=TABLE_PATIENCE_SECONDS)
            behind = await self._behind(public, seats)
            if not behind and public.status not in {"open", "running"}:
                await self._settle(match, version)
            return [self._mark(slot) for slot in behind]
        except StorageUnavailableError:
            raise
        except AnothersError:
            return []
        except Exception:  # one broken match must not stop the others from being shown
            log.exception("match not shown", match=match)
            return []

    async def _behind(
        self, public: PublicSnapshot, seats: Sequence[SeatSnapshot]
    ) -> list[MessageSlot[Any]]:
        """The slots that should show something else.

        Where there are none, it is noted which revision they all show. Not before: a start looks
        for messages of older revisions, and a hand that was never sent has none to be found by.
        """
        slots: list[tuple[MessageSlot[Any], PublicSnapshot | SeatSnapshot]]
        slots = [(await self.slots.table(public.match), public)]
        slots += [(await self.slots.hand(public.match, hand.seat), hand) for hand in seats]
        behind = [slot for slot, snapshot in slots if slot.is_behind(snapshot)]
        if not behind:
            for slot, snapshot in slots:
                slot.is_right(snapshot)
        return behind

    def _mark(self, slot: MessageSlot[Any]) -> asyncio.Task[None]:
        if slot.behind_since is None:
            slot.behind_since = asyncio.get_running_loop().time()
        return self._showing.mark((slot.match, slot.place))

    async def _show(self, key: SlotKey) -> bool:
        """Bring one slot up to date; False if it is to be tried again."""
        try:
            return await self._show_slot(key)
        except StorageUnavailableError:
            return False
        except AnothersError:
            return True

    async def _show_slot(self, key: SlotKey) -> bool:
        match, place = key
        try:
            slot: MessageSlot[Any] = await self.slots.at(match, place)
            async with slot.lock:
                public, *seats = self._ours(await self._newest(match))
                to_show = next((hand for hand in seats if hand.seat == place), public)
                ref, shown = slot.ref, await slot.show(to_show)
            await self._behind(public, seats)
        except NotOpenError as error:
            self._wish(error.user, slot)
            return True
        except UndeliveredError as error:
            why = error.failure
            if why is not Failure.STOPPED:  # said once, and not for each slot
                log.warning("not delivered", match=match, place=place, why=why.name)
            if why is Failure.NOWHERE and place == TABLE:
                await self._pause(match)
            return why not in PASSING_FAILURES
        except (StorageUnavailableError, AnothersError):
            raise
        except Exception:  # as above
            log.exception("match not shown", match=match)
            return True
        if shown:
            slot.behind_since = None
        if place == TABLE and slot.ref is not ref:
            self._table_moved(public)
        if shown and public.status not in {"open", "running"}:
            self._comparing.mark(match)  # it may show its end everywhere now
        return shown

    def _wish(self, user: int, slot: MessageSlot[Any]) -> None:
        """Wait in line for a channel of direct messages; nothing else of the match does."""

        async def holds() -> bool:
            public, *_ = seats = await self._newest(slot.match)
            to_show = next((hand for hand in seats[1:] if hand.place == slot.place), public)
            return slot.is_behind(to_show)

        self._direct_messages.wish(
            user, (slot.match, slot.place), holds=holds, tell=lambda: self._mark(slot)
        )

    async def _newest(self, match: MatchId) -> Snapshots:
        """What the slots of a match should show now."""
        found = self._loaded.get(match)
        if found is None or found[0] != self.version(match):
            return await self._load(match)
        return found[1]

    async def _load(self, match: MatchId) -> Snapshots:
        """The newest snapshots of a match, kept for all its slots."""
        version = self.version(match)
        snapshots = await self._matches.snapshots(match)
        self._loaded[match] = version, snapshots
        self._guilds[match] = snapshots[0].guild or 0
        return snapshots

    def _ours(self, snapshots: Snapshots) -> Snapshots:
        """The same; AnothersError if another process shows this match, which is told of it."""
        public = snapshots[0]
        if not self._share.owns(public.guild):
            self._share.tell("match", public.match, public.guild or 0)
            self._forget(public.match)
            raise AnothersError
        return snapshots

    def _forget(self, match: MatchId) -> None:
        self.slots.forget(match)
        self._versions.pop(match, None)
        self._loaded.pop(match, None)
        self._guilds.pop(match, None)

    def _table_moved(self, snapshot: PublicSnapshot) -> None:
        """A table stands somewhere else: hands lead there, and so does the match before it."""
        self.slots.outdate_hands(snapshot.match)
        self._comparing.mark(snapshot.match)
        if snapshot.predecessor is not None:
            self._comparing.mark(snapshot.predecessor)

    async def _pause(self, match: MatchId) -> None:
        """Pause a match whose table can't be reached; its players are told in their hands."""
        for paused in await self._pauses.pause(match):
            log.info("match paused", match=paused)
            self.redraw(paused)

    async def _settle(self, match: MatchId, version: int) -> None:
        """Note that a finished match shows its end everywhere, as of this version."""
        await self.slots.flush()
        async with self._storage.transaction() as writing:
            await writing.matches.settle(match)
        if self.version(match) != version or match in self._bringing:
            return  # a click, or a hand that comes, goes on with its slots
        self._forget(match)
