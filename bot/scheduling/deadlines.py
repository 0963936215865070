"""Keeps the time of all matches: one task that sleeps until the earliest moment to act.

Deadlines are columns, so a restart loses nothing. The event loop's time measures only how long to
sleep; whether a match is due is decided in its transaction, by the wall clock.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final, TypeVar

import structlog

from bot.cluster.share import Share
from bot.errors import StorageUnavailableError
from bot.live.live import Live
from bot.matches.grace import give_grace
from bot.scheduling.due_matches import DueMatches
from bot.scheduling.notices import Notices
from bot.scheduling.outages import AWAY_SECONDS, Outages
from bot.storage import Committed, MatchId, Storage
from bot.storage.shards import Servers, Shards
from bot.time_units import HOUR_SECONDS

log = structlog.get_logger()
T = TypeVar("T")

MAX_SLEEP: Final = 60.0
"""Most seconds to sleep: the machine may have been suspended, or its clock set."""

DIRECT_MESSAGES: Final = 0
"""The shard that delivers all clicks in direct messages, for matches of any server."""


class Deadlines:
    """The clock of all matches. It stops for servers whose shard isn't connected: nobody can play.

    It also stops for servers in an outage of Discord, and for all servers while the shard that
    delivers direct messages isn't connected, because hands are there.
    """

    def __init__(  # noqa: PLR0913 - what `bot/services.py` has
        self,
        *,
        storage: Storage,
        due: DueMatches,
        notices: Notices,
        live: Live,
        upkeep: Sequence[Callable[[], Awaitable[float | None]]],
        forget_old: Callable[[], Awaitable[None]],
        now: Callable[[], float],
        share: Share,
    ) -> None:
        self._share = share
        self._storage = storage
        self._due = due
        self._notices = notices
        self._live = live
        self._now = now
        self._upkeep = upkeep
        """Awaited at each look. Each may return when it has to be done again (Unix time), if that
        is soon."""

        self._forget_old = forget_old
        """Deletes what is kept for a limited time, even while all clocks are stopped."""

        self._woken = asyncio.Event()
        self._must_look = False
        """Whether to query what is due now, and not only to change when to wake up."""

        self._asleep_until = float("inf")
        self._wakes_by = float("inf")
        """When the current sleep will end by itself; if that is missed by long, the machine stood
        still."""

        self._clock_was_set = False
        self._away_since: float | None = now()
        """Since when shards that were never connected deliver no clicks; None until that is known.
        """

        self._shard_count = 1
        self._awake: set[int] = set()
        """The shards whose servers' clocks are running."""

        self._held_since: dict[int, float] = {}
        self._reconnected: set[int] = set()
        """Shards that are connected again; their servers get grace before their clocks run."""

        self._outages = Outages(now)
        self._keeping: asyncio.Task[None] | None = None
        self._upkeeping: asyncio.Task[None] | None = None
        self._keeps_up_again = False

    async def start(self) -> None:
        """Give grace for the time in which the bot was offline, and start the clock."""
        self._away_since = self._now()
        try:
            # With other processes the bot wasn't offline: grace is for shards that nobody held.
            given = (
                await self._give_grace(await self._offline_for(), None) if self._share.alone else ()
            )
            log.info("clock started", grace=len(given))
        except StorageUnavailableError:
            self._away_since = None  # it's given once the shards are connected
        await self._attempt(self._notices.sent.start(self._share.owns))
        self._storage.subscribe(self._note)
        self._keeping = asyncio.create_task(self._keep())

    @property
    def awake(self) -> frozenset[int]:
        """The shards whose servers' clocks are running; they got grace if it was due."""
        return frozenset(self._awake)

    async def take_over(self, shards: Mapping[int, float]) -> None:
        """Take over these shards, with the seconds for which nobody was connected to each."""
        now = self._now()
        self._held_since.update({shard: now - seconds for shard, seconds in shards.items()})
        await self._attempt(self._notices.sent.start(self._share.owns))

    def hold(self, shard: int) -> None:
        """Stop the clocks of this shard's servers until `resume`: their clicks don't arrive.

        If the machine stood still, broken connections are noticed before the sleep is over. Then no
        click has arrived since the sleep should have ended.
        """
        self._reconnected.discard(shard)
        if shard in self._awake:
            self._awake.remove(shard)
            now = self._now()
            stood_still = now - self._wakes_by >= AWAY_SECONDS and not self._clock_was_set
            self._held_since[shard] = self._wakes_by if stood_still else now

    def resume(self, shard: int, count: int) -> None:
        """Note that clicks of this shard, one of `count`, arrive for the first time or again."""
        self._shard_count = count
        if shard not in self._awake:
            self._reconnected.add(shard)
            self.look()

    def hold_server(self, guild: int) -> None:
        """Stop the clock of a server that is in an outage, until `server_back`."""
        self._outages.begin(guild)

    def server_back(self, guild: int) -> None:
        """Note that a server isn't in an outage, or no longer."""
        if self._outages.end(guild):
            self.look()

    def look(self) -> None:
        """Look at once for what is due."""
        self._must_look = True
        self._woken.set()

    def clock_moved(self) -> None:
        """Look at once because the clock was set, which is no sign that the process stood still."""
        self._clock_was_set = True
        self.look()

    def look_again(self, match: MatchId | None = None) -> None:
        """Look at once because another process has changed a match; None if it's unknown which."""
        self._notices.sent.changed_elsewhere(match)
        self.look()

    async def close(self) -> None:
        self._storage.unsubscribe(self._note)
        begun = (self._keeping, self._upkeeping)
        tasks = [task for task in begun if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._notices.close()

    def _note(self, committed: Committed) -> None:
        if self._notices.sent.mark_changed(committed):
            self.look()
        self._wake_by(committed.due_at)

    def _wake_by(self, moment: float | None) -> None:
        """Look at this moment (Unix time) at the latest; None changes nothing."""
        if moment is not None and moment < self._asleep_until:
            self._asleep_until = moment  # nothing has to be queried until then
            self._woken.set()

    async def _start_clocks(self) -> None:
        """Start the clocks of shards and servers that are back, with grace after a long absence."""
        while self._reconnected:
            shard = min(self._reconnected)
            if self._away_since is None:
                self._away_since = self._now() - max(AWAY_SECONDS, await self._offline_for())
            away = self._now() - self._held_since.get(shard, self._away_since)
            if away >= AWAY_SECONDS:
                everybody = shard == DIRECT_MESSAGES
                given = await self._give_grace(away, None if everybody else self._shards({shard}))
                log.info("clock held", shard=shard, grace=len(given))
                for match in given:
                    self._live.note_changed(match)
            if shard in self._reconnected:  # unless it's gone again
                self._reconnected.remove(shard)
                self._awake.add(shard)
        while over := self._outages.over:
            await self._start_clocks_in(over)

    async def _start_clocks_in(self, back: frozenset[int]) -> None:
        """Start the clocks of servers whose outage is over, with grace if it was long."""
        for away, servers in self._outages.lasted(back).items():
            given = await self._give_grace(away, Servers(servers))
            log.info("clock held", servers=len(servers), grace=len(given))
            for match in given:
                self._live.note_changed(match)
        self._outages.resume(back)

    def _shards(self, numbers: set[int]) -> Shards:
        return Shards(frozenset(numbers), self._shard_count, self._outages.servers)

    def _are_current(self, shards: Shards) -> bool:
        """Whether the clocks of exactly these shards and servers are running."""
        return shards.numbers == self._awake and shards.away == self._outages.servers

    async def _offline_for(self) -> float:
        """Seconds the bot was offline before this start, from the end of its last hour online."""
        async with self._storage.reading() as reading:
            last = await reading.puzzles.last_presence(int(self._now() // HOUR_SECONDS))
        return 0.0 if last is None else max(0.0, self._now() - (last + 1) * HOUR_SECONDS)

    async def _give_grace(self, away: float, scope: Shards | Servers | None) -> Sequence[MatchId]:
        async with self._storage.transaction() as writing:
            return await give_grace(writing, int(self._now()), away, scope)

    async def _keep(self) -> None:
        while True:
            self._must_look = self._clock_was_set = False
            self._woken.clear()
            self._asleep_until = float("inf")  # commits from here on may lower it
            await self._attempt(self._start_clocks())
            elsewhere = self._share.is_connected_elsewhere(DIRECT_MESSAGES)
            if DIRECT_MESSAGES in self._awake or elsewhere:
                await self._attempt(self._round(self._shards(self._awake)))
            else:
                await self._attempt(self._forget_old())
            late = await self._sleep()
            if late >= AWAY_SECONDS and not self._clock_was_set:
                self._stood_still(late)

    def _stood_still(self, seconds: float) -> None:
        """Treat all shards as if they had been held: this machine or process stood still.

        If leases have ended meanwhile, the process that claims their shards takes care of it. By
        this process's own time they may not have: the event loop's time stops while the machine
        sleeps, and ignores its clock being set.
        """
        if self._share.is_current:
            log.warning("stood still", seconds=int(seconds))
            self._held_since.update(dict.fromkeys(self._awake, self._now() - seconds))
            self._reconnected |= self._awake
            self._awake.clear()

    async def _sleep(self) -> float:
        """Sleep until something is due or this is woken, at most for MAX_SLEEP seconds.

        Returns how many seconds later than intended that was.
        """
        self._asleep_until = min(self._asleep_until, self._now() + MAX_SLEEP)
        while not self._must_look:
            self._woken.clear()
            latest = self._asleep_until
            wait = latest - self._now()
            if wait <= 0:
                break
            self._wakes_by = latest
            try:
                # Not wait_for: Python 3.11's loses a cancellation that comes with the wake.
                async with asyncio.timeout(wait):
                    await self._woken.wait()
            except TimeoutError:
                return self._now() - latest
            finally:
                self._wakes_by = float("inf")
            if self._now() >= latest:  # woken by what happened after the machine stood still
                return self._now() - latest
        return 0.0

    async def _round(self, shards: Shards) -> None:
        """Act on every match of these shards that is due, and find out when the next one is."""
        self._keeps_up_again = True  # also after a run under way, which may have looked too early
        if self._upkeeping is None or self._upkeeping.done():
            self._upkeeping = asyncio.create_task(self._keep_up())
        upcoming = [await self._notices.look(shards)]
        # One moment for both queries: what fell due between two would be found by neither.
        now = self._now()
        async with self._storage.reading() as reading:
            matches = await reading.deadlines.due(now, shards)
        await self._due.act_on(matches, lambda: self._are_current(shards))
        if not self._are_current(shards):
            self.look()  # a shard was disconnected or connected: others may be due
            return
        async with self._storage.reading() as reading:
            upcoming.append(await reading.deadlines.next_due(now, shards))
        moments = [moment for moment in upcoming if moment is not None]
        self._asleep_until = min([self._asleep_until, *moments])

    async def _keep_up(self) -> None:
        while self._keeps_up_again:
            self._keeps_up_again = False
            await self._attempt(self._forget_old())
            for work in self._upkeep:
                self._wake_by(await self._attempt(work()))

    async def _attempt(self, work: Awaitable[T]) -> T | None:
        """Await this work; log an error and return None, as it must not stop the clock."""
        try:
            return await work
        except StorageUnavailableError:
            return None
        except Exception:  # no error may stop the clock
            log.exception("clock")
            return None
