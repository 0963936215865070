"""Keeps the table and the hands of every match at the truth.

Nobody says what to change: a match is only marked, what stands in its slots is compared with what
should, and each slot that is behind is edited on its own way. So an edit that failed, clicks that
came in the wrong order and a death in the middle are all mended in the same way.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from typing import Final

import structlog

from bot.errors import NoSuchMatchError, StorageUnavailableError, showing_saved
from bot.live.hand_slot import HandSlot
from bot.live.newest import Newest
from bot.live.registry import MessageSlots
from bot.live.repairs import Repairs
from bot.live.showing import AnothersError, Showing
from bot.live.tools import Tools
from bot.live.work_queue import WorkQueue
from bot.matches import Matches, PublicSnapshot, SeatSnapshot, Snapshot
from bot.matches.notices import holds
from bot.matches.pauses import Pauses
from bot.messaging.content import MessageContent
from bot.messaging.direct_messages import NotOpenError
from bot.messaging.failures import PASSING_FAILURES, Failure, UndeliveredError
from bot.storage import MatchId
from bot.storage.notices import NoticeRecord
from games import Seat

log = structlog.get_logger()

DETAIL_SECONDS: Final = 2.0
"""A detail waits for so long: "has chosen", which the reveal says too when it comes meanwhile, and
the plays of a turn that goes on, of which only the hand of the seat on turn hears at once."""

TABLE_PATIENCE_SECONDS: Final = 1.0
"""Hands lead to their table, so a table that has still to be posted goes first for so long."""

ANSWER_PATIENCE_SECONDS: Final = 1.0
"""The answer to a click lets its message be edited uncounted, so the others wait for so long."""


@dataclass(slots=True)
class Change:
    """A change of a match that its click is being answered for."""

    version: int
    """How often the match had changed by then, which dates the snapshot that the click led to."""

    is_detail: bool = False
    """Whether everybody else can be shown it a little later."""

    is_shown: bool = False
    """Whether the answer has shown it to all whom it concerns: then nothing follows."""


class Live:
    """The messages of all matches; `slots` are where they stand."""

    def __init__(
        self,
        matches: Matches,
        pauses: Pauses,
        tools: Tools,
        *,
        detail: float = DETAIL_SECONDS,
    ) -> None:
        self.slots = MessageSlots(tools)
        self._matches = matches
        self._storage = tools.storage
        self._threads = tools.threads
        self._direct_messages = tools.direct_messages
        self._detail = detail
        self._comparing = WorkQueue(self._compare)
        self._newest = Newest(matches, tools.share)
        self._showing = Showing(self.slots, self._newest, self._comparing, pauses)
        self.repairs = Repairs(
            tools.storage,
            self._bring_up_to_date,
            self._comparing,
            self.changed_elsewhere,
            self._showing.under_way,
        )
        self._held: Counter[MatchId] = Counter()
        """The matches whose slots are in use, by answers to clicks or hands that come anew."""

    @asynccontextmanager
    async def changing(self, match: MatchId) -> AsyncIterator[Change]:
        """Answer a click while the other messages of the match wait a moment; then they follow.

        What it did is saved by then: a SavedError where nothing can be read for the answer. One
        that takes Discord long concerns one person: nobody else waits for its end.
        """
        self._newest.changed(match)
        change = Change(self._newest.version(match))
        loop = asyncio.get_running_loop()
        late = loop.call_later(ANSWER_PATIENCE_SECONDS, self._comparing.mark, match)
        try:
            with showing_saved(), self._holding(match):
                yield change
        finally:
            late.cancel()
            if not change.is_shown or self._newest.version(match) != change.version:
                self._comparing.mark(match, self._detail if change.is_detail else 0.0)

    @contextmanager
    def _holding(self, match: MatchId) -> Iterator[None]:
        """Keep the slots of a match in memory, also if it is over meanwhile and shows that."""
        self._held[match] += 1
        try:
            yield
        finally:
            self._held[match] -= 1
            if not self._held[match]:
                del self._held[match]

    def changed(self, match: MatchId, *, is_detail: bool = False) -> None:
        """A match has changed without anybody waiting for an answer."""
        self._newest.changed(match)
        self._comparing.mark(match, self._detail if is_detail else 0.0)

    def compare_soon(self, match: MatchId) -> None:
        """Look before long whether all messages of a match show the truth."""
        self._comparing.mark(match, self._detail)

    def leave_to_holder(self, snapshot: PublicSnapshot) -> None:
        """Forget a match soon that another process shows, and tell that one of it."""
        if not self._newest.owns(snapshot):
            self._newest.tell(snapshot)
            self.compare_soon(snapshot.match)

    async def answered(self, snapshot: SeatSnapshot) -> None:
        """A hand was changed to this snapshot by the answer to a click.

        If another process shows the match, it may have shown a newer one before that answer came:
        then it is told, and shows it again.
        """
        if self._newest.owns(snapshot):
            return  # the lock of the hand is held by whoever changes it
        public, *_ = await self._newest.load(snapshot.match)
        if public.revision != snapshot.revision:
            await self._showing.left(public, await self.slots.hand(snapshot.match, snapshot.seat))

    def redraw(self, match: MatchId) -> None:
        """Somebody wants it shown otherwise or elsewhere: also where nothing could be sent."""
        self.slots.unbar(match)
        self.changed(match)

    async def lost(self, snapshot: Snapshot) -> None:
        """Pause a match whose channel, as of this snapshot, is gone, or closed to the bot."""
        await self._showing.pause(snapshot)

    def try_refused(self, guild: int) -> None:
        """Try at once what Discord refuses in a server for a while: the bot may do more there."""
        for match in self.slots.known():
            if self.slots.is_refused(match) and self._newest.guild(match) == guild:
                self.redraw(match)

    async def current(self, snapshot: SeatSnapshot, change: Change) -> SeatSnapshot:
        """This snapshot of a change, or a new one for its seat if the match has changed since."""
        if self._newest.version(snapshot.match) == change.version:
            return snapshot
        return await self.fresh(snapshot)

    async def fresh(self, snapshot: SeatSnapshot) -> SeatSnapshot:
        """What the seat of this snapshot may know now."""
        _, *seats = await self._newest.load(snapshot.match)
        return next(hand for hand in seats if hand.seat == snapshot.seat)

    async def hand_of(self, match: MatchId, user: int) -> SeatSnapshot | None:
        """What this person's seat may know now; None for somebody who has none."""
        _, *seats = await self._newest.load(match)
        return next((hand for hand in seats if hand.own.user == user), None)

    @asynccontextmanager
    async def rewriting(self, match: MatchId, place: int) -> AsyncIterator[MessageContent]:
        """What a place of a match shows everybody now, to be put where it does no longer.

        An edit that is on its way shows what was true before, and arrives before. What stands
        there afterwards is not known here.
        """
        slot = await self.slots.at(match, place)
        assert not isinstance(slot, HandSlot)
        async with slot.lock:
            content = await slot.content(await self._matches.public(match))
            slot.media = None
            self.slots.forget(match)
            yield content

    async def outdated(self, match: MatchId, message: int) -> None:
        """Bring a message up to date that may be behind: somebody clicked on it too late."""
        await self.slots.table(match)  # with which all of the match are read
        self.slots.outdate(match, message)
        self.compare_soon(match)

    async def show_end(self, match: MatchId, message: int) -> None:
        """Let a message show that its match is over: the bot can reach it again."""
        await self.outdated(match, message)
        self.redraw(match)

    async def bring_down(self, match: MatchId, interaction: int) -> None:
        """Post the table anew at the end of its channel, and remove the old one.

        A MatchError where it was just posted, and for a solo match, which has none.
        """
        table = await self.slots.table(match)
        try:
            async with table.lock:
                snapshot = await self._matches.public(match)
                with self._showing.moves(table, snapshot):
                    await table.bring_down(snapshot, interaction)
        finally:
            self._comparing.mark(match)  # which goes on with what Discord had trouble with

    def table_moved(self, snapshot: PublicSnapshot) -> None:
        """The table of this match was posted somewhere else, as the answer to a command."""
        self._showing.table_moved(snapshot)

    async def bring_hand(self, notice: NoticeRecord, seat: Seat) -> bool:
        """Tell a seat of an event by posting its hand anew in its inbox, with a notification.

        The hand says what has happened as long as that holds, and it is the only message of the
        match there: the one before is deleted afterwards. Nothing is posted of what holds no more,
        nor of a turn in which the hand has come. False where it has to be told otherwise: this
        player takes no direct messages, or can't get the first one soon. An UndeliveredError where
        Discord has trouble: then the same call can be made again, also after a restart, and
        brings no second message.
        """
        try:
            with self._holding(notice.match):
                return await self._bring(notice, seat)
        except NotOpenError:
            return False
        except UndeliveredError as error:
            if error.failure in PASSING_FAILURES:
                raise
            return False
        finally:
            self.changed(notice.match)

    async def _bring(self, notice: NoticeRecord, seat: Seat) -> bool:
        hand = await self.slots.hand(notice.match, seat)
        snapshot = await self._still(notice, seat)
        if snapshot is None:
            return True
        replaces = hand.ref is not None and notice.event != "turn"
        if not replaces and not self._direct_messages.carry_hand(snapshot.desk):
            return False
        await self._direct_messages.reach(notice.user, notice)
        async with hand.lock:
            snapshot = await self._still(notice, seat)
            try:
                return snapshot is None or await hand.bring(snapshot, notice)
            finally:
                self.changed(notice.match)  # who shows this hand next must know what it tells

    async def _still(self, notice: NoticeRecord, seat: Seat) -> SeatSnapshot | None:
        """What this seat may know now, if what it is to be told of still holds."""
        _, *hands = await self._newest.load(notice.match)
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
            except StorageUnavailableError:
                raise
            except Exception:  # one broken match must not put away the threads of others
                log.exception("table not reposted", match=match)

    async def _keep_open(self, match: MatchId, message: int) -> None:
        """Post the table of a match anew if this message still is its table."""
        table = await self.slots.table(match)
        async with table.lock:
            snapshot = await self._matches.public(match)
            if table.message != message or not snapshot.is_unfinished:
                return
            try:
                with self._showing.moves(table, snapshot):
                    await table.keep_open(snapshot)
            except UndeliveredError as error:
                if error.failure is Failure.NOWHERE:
                    await self._showing.pause(snapshot)
                raise

    async def make_anew(self, match: MatchId) -> None:
        """Let all messages of a match be made anew, also those of which an edit is on its way."""
        await self.slots.table(match)  # with which all of the match are read
        self.slots.outdate_all(match)
        self.changed(match)

    async def changed_elsewhere(self, match: MatchId, late: int | None = None) -> None:
        """Another process has changed a match of ours, and perhaps where it is shown.

        `late`: a place that it may have shown as it was before.
        """
        await self.slots.read_anew(match)
        if late is not None:
            (await self.slots.at(match, late)).shown_elsewhere()
        self.changed(match)

    async def forget_servers(self, those: Callable[[int], bool]) -> None:
        """Write down what stands where, now or not at all; keep nothing of those servers."""
        with suppress(StorageUnavailableError):
            await self.slots.flush()
        for match in self.slots.known():
            guild = self._newest.guild(match)
            if guild is None or those(guild):  # what was done for another process has none
                self._showing.forget(match)
        self.slots.forget_unwritten()

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
        version = self._newest.version(match)
        try:
            public, *seats = self._showing.ours(await self._newest.load(match))
            table = await self.slots.table(match)
            if table.is_behind(public) and (table.ref is None or table.begins(public)):
                task = self._showing.mark(table, public)
                await asyncio.wait({task}, timeout=TABLE_PATIENCE_SECONDS)
            behind = await self._showing.behind(public, seats)
            tries = self._showing.try_again(public)
            if not behind and not tries and not public.is_unfinished:
                await self._showing.give_up(public, seats)
                await self._settle(public, version)
            return [self._showing.mark(slot, snapshot) for slot, snapshot in behind]
        except StorageUnavailableError:
            raise
        except AnothersError:
            return []
        except NoSuchMatchError:  # it was deleted
            self._showing.forget(match)
            return []
        except Exception:  # one broken match must not stop the others from being shown
            log.exception("match not shown", match=match)
            return []

    async def _settle(self, public: PublicSnapshot, version: int) -> None:
        """Note that a finished match shows its end everywhere, as of this version.

        One that has changed since it was read, perhaps in another process, is looked at again.
        """
        match = public.match
        await self.slots.flush()
        async with self._storage.transaction() as writing:
            is_settled = await writing.matches.settle(match, public.revision)
        if not is_settled:
            self._comparing.mark(match)
            return
        is_changed = self._newest.version(match) != version
        if is_changed or match in self._held or self.slots.is_at_work(match):
            return  # a click, a hand that comes, or a table being posted goes on with its slots
        self._showing.forget(match)
