"""The shards that this process holds: claimed, renewed, and let go before the lease ends."""

import asyncio
import contextlib
import math
import secrets
import time
from collections.abc import Callable, Collection, Mapping
from typing import Final, Protocol

import structlog
from pydantic import SecretStr

from bot.cluster.server_clock import ServerClock
from bot.cluster.share import shard_of
from bot.errors import StorageUnavailableError
from bot.storage import Storage
from bot.storage.cluster import Standing
from bot.storage.hints import listen
from bot.storage.shards import Shards
from bot.telemetry.metrics import SHARDS

log = structlog.get_logger()

LEASE_SECONDS: Final = 10.0
"""A process that is killed is replaced when these are over, counted from its last renewal: others
know when that is, and look at that moment."""

RENEW_SECONDS: Final = 2.0
"""Between two looks: to renew what is held, and to claim what nobody holds."""

FENCE_SECONDS: Final = 7.0
"""So long after a lease was last renewed this process does nothing by it any more. The rest of the
lease is for requests that are under way, and for clocks that run differently."""

RETRY_SECONDS: Final = 0.2
"""Until the next look where a free shard could not be claimed: whoever gave it back, and looks at
that moment itself, locks its row once more, and nobody says when that is over."""

RETURNING_SECONDS: Final = RENEW_SECONDS + 1.0
"""After the database was away a process claims for so long only what it held before: the others
are about to come back as well, and what they held is still connected there."""

IDENTIFY_SECONDS: Final = 5.0
"""In which Discord takes one identify of each bucket."""

_NOBODY: Final = Standing(
    mine=frozenset(),
    holders={},
    elsewhere=frozenset(),
    alive=(),
    count=0,
    free=0,
    clock=math.nan,
    ends_in=math.inf,
)


class Worker(Protocol):
    """What does the work of the shards that are held."""

    @property
    def connected(self) -> Collection[int]:
        """The shards whose clicks reach it, and whose servers have had grace if that was new."""

    async def claimed(self, numbers: Mapping[int, float], /) -> None:
        """These are held from now on.

        By each for how many seconds nobody has been connected to it.
        """

    async def lapsed(self, numbers: Collection[int], /) -> None:
        """These could not be renewed: nothing may be done for them, for another may do it.

        They are claimed again or lost as soon as the database says whose they are.
        """

    async def lost(self, numbers: Collection[int], /) -> None:
        """These are not held any more. Another process has them as soon as this returns."""

    def clock_moved(self) -> None:
        """The clock of the leases has been put right, and may have gone far."""

    def heard(self, what: str, /, *about: str) -> None:
        """A process tells something: a word and ids, as in `Share.tell`.

        An empty word where something may have been missed; "interactions" and the name of the
        process for which some are left.
        """


class Leases:
    """The share of one of several processes, as far as the database says so."""

    alone = False

    def __init__(
        self, storage: Storage, address: SecretStr, *, here: Callable[[], float] = time.time
    ) -> None:
        self.name = secrets.token_hex(4)
        self.clock = ServerClock(here)
        """The time by which this process does its work: the database's, from `start` on."""

        self._storage = storage
        self._address = address
        self._worker: Worker | None = None
        self._telling: set[asyncio.Task[None]] = set()
        self.count = 0
        """How many shards there are; 0 until that is known."""

        self._claims = True
        self._held: frozenset[int] = frozenset()
        self._standing = _NOBODY
        self._until = 0.0
        """Until when this process may act by its leases, in the time of the event loop."""

        self._current_since = -math.inf
        self._lapsed: frozenset[int] = frozenset()
        """Shards that others could take without being given them, until they are held again."""

        self._unsure: frozenset[int] = frozenset()
        """Shards that could not be renewed, until the database says whose they are."""

        self._returns_until = 0.0
        """Until when only what was held before is claimed, in the time of the event loop."""

        self._renewed = asyncio.Event()
        """Set as soon as what is held has been renewed, or claimed."""

        self._next_in = math.inf
        """The seconds from a look until there may be something to claim."""

        self._woken = asyncio.Event()
        self._applying = asyncio.Lock()
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def held(self) -> frozenset[int]:
        """The shards that are this process's now."""
        return self._held if asyncio.get_running_loop().time() < self._until else frozenset()

    @property
    def is_current(self) -> bool:
        """Whether what is known of the leases holds now."""
        return asyncio.get_running_loop().time() < self._until

    @property
    def current_for(self) -> float:
        """The seconds since when the leases have held again; 0 while they don't.

        Without end if they have not lapsed since the start.
        """
        now = asyncio.get_running_loop().time()
        return now - self._current_since if now < self._until else 0.0

    async def become_current(self) -> None:
        """Return once what is known of the leases holds."""
        while not self.is_current:
            self._renewed.clear()
            await self._renewed.wait()

    def has_lapsed(self, guild: int | None) -> bool:
        """Whether another process may be connected to the shard of a server besides this one."""
        return not self.is_current or shard_of(guild, self.count) in self._lapsed

    @property
    def processes(self) -> int:
        return max(1, len(self._standing.alive))

    def owns(self, guild: int | None) -> bool:
        return self.count > 0 and shard_of(guild, self.count) in self.held

    @property
    def shards(self) -> Shards:
        """Those that are held, with the number of all."""
        return Shards(self.held, max(1, self.count))

    def is_connected_elsewhere(self, shard: int) -> bool:
        return shard in self._standing.elsewhere

    def holder_of(self, guild: int) -> str | None:
        """The other process that holds the shard of a server; None if none does, or this one."""
        if self.count == 0 or self.owns(guild):
            return None
        holder = self._standing.holders.get(shard_of(guild, self.count))
        return None if holder == self.name else holder

    async def start(self, recommended: int, worker: Worker) -> None:
        """Join the others, and hold a fair part of the shards from now on."""
        self._worker = worker
        async with self._storage.sharing() as writing:
            self.count = await writing.cluster.divide(recommended)
        if self.count < recommended:
            # It changes only where nobody holds any, which a restart one by one never brings about.
            log.warning("more shards advised", have=self.count, advised=recommended)
        await self._look()
        lasting = (self._keep(), self._fence(), listen(self._address, self._hear))
        self._tasks = [asyncio.create_task(work) for work in lasting]
        log.info("process joined", process=self.name, shards=self.count, others=self.processes - 1)

    async def identify_in(self, bucket: int) -> float:
        """The seconds until a shard of this bucket may identify, which counts as done then."""
        async with self._storage.sharing() as writing:
            return await writing.cluster.identify_in(bucket, IDENTIFY_SECONDS)

    def tell(self, what: str, *about: int) -> None:
        task = asyncio.create_task(self._hint(" ".join([what, *map(str, about)])))
        self._telling.add(task)
        task.add_done_callback(self._telling.discard)

    def claim_no_more(self) -> None:
        """Only keep what is held, until `close` gives it back."""
        self._claims = False

    async def close(self) -> None:
        """Give everything back, for others to claim at once."""
        if self._telling:
            await asyncio.wait(self._telling)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        held, self._until = self._held, 0.0
        self._hold(frozenset())
        if self.count:
            with contextlib.suppress(StorageUnavailableError):  # then they end by themselves
                async with self._storage.sharing() as writing:
                    await writing.cluster.release(self.name, held)
                    await writing.cluster.leave(self.name)
                    await writing.cluster.hint("shards")

    async def _hint(self, what: str) -> None:
        with contextlib.suppress(StorageUnavailableError):  # what is untold is believed for a while
            async with self._storage.sharing() as writing:
                await writing.cluster.hint(what)

    def _hear(self, hint: str) -> None:
        what, _, about = hint.partition(" ")
        if what in {"", "shards"}:
            self._woken.set()
        if self._worker is not None:
            self._worker.heard(what, *about.split())

    async def _keep(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(min(RENEW_SECONDS, self._next_in)):
                    await self._woken.wait()
            self._woken.clear()  # what is told from here on, this look may not see
            self._next_in = math.inf  # nothing is known of it after a look in vain
            try:
                await self._look()
            except StorageUnavailableError:
                continue  # said by the storage; the fence sees to the rest
            except Exception:  # leases that end because of a bug are taken over by others
                log.exception("leases")

    async def _look(self) -> None:
        """Renew what is held, claim what is missing, and let go what is too much."""
        assert self._worker is not None
        connected = frozenset(self._worker.connected)
        async with self._storage.sharing() as writing:
            # To connect may have taken seconds, and nothing is renewed before that.
            began = asyncio.get_running_loop().time()
            asked = self.clock.here()
            standing = await writing.cluster.renew(self.name, LEASE_SECONDS, connected)
            if self.clock.compare(standing.clock, asked, self.clock.here()):
                self._worker.clock_moved()
            room = min(standing.free, self._fair(standing) - len(standing.mine))
            claimed: Mapping[int, float] = {}
            returning_for = self._returning_for(standing, began)
            if room > 0 and self._claims:
                only = self._unsure if returning_for else None
                claimed = await writing.cluster.claim(self.name, room, LEASE_SECONDS, only)
        # A living process renews long before its leases end; what is added is for their rows.
        is_locked = self._claims and len(claimed) < room
        again_in = max(RETRY_SECONDS, returning_for)
        self._next_in = again_in if is_locked else standing.ends_in + 0.05
        async with self._applying:
            if standing.count != self.count:
                await self._renumber(standing.count)
            await self._apply(standing, claimed, began)

    def _returning_for(self, standing: Standing, now: float) -> float:
        """The seconds for which only what was held before is claimed.

        0 unless leases have lapsed a moment ago and nobody has taken the shards over since: then
        the database was away for all, and not only for this process.
        """
        if self._until and not self.is_current:
            is_missed = all(standing.holders.get(n) in {None, self.name} for n in self._unsure)
            self._returns_until = now + RETURNING_SECONDS if is_missed else now
        return max(0.0, self._returns_until - now)

    async def _renumber(self, count: int) -> None:
        """Go by another number of shards, by which servers are divided among them anew.

        Whoever starts when all leases have ended may change it: all processes were cut off from
        the database for long, and by now Discord recommends more.
        """
        log.warning("number of shards changed", process=self.name, before=self.count, now=count)
        if lost := self._held | self._unsure:
            self._hold(frozenset())
            self._unsure = frozenset()
            await self._lose(lost, "renumbered")
        self.count, self._lapsed = count, frozenset(range(count))

    async def _apply(self, standing: Standing, claimed: Mapping[int, float], began: float) -> None:
        # Of these the lease has not ended in the database: nobody else can have had them.
        claimed = {**dict.fromkeys(self._unsure & standing.mine, 0.0), **claimed}
        stray = standing.mine - self._held - claimed.keys()
        lost = (self._held - standing.mine) | (self._unsure - claimed.keys())
        if self._until and not self.is_current:
            self._current_since = asyncio.get_running_loop().time()
        self._standing, self._until = standing, began + FENCE_SECONDS
        self._hold((self._held & standing.mine) | claimed.keys())
        self._lapsed, self._unsure = (self._lapsed | lost) - claimed.keys(), frozenset()
        self._renewed.set()
        if lost:
            await self._lose(lost, "taken over")
        if claimed:
            assert self._worker is not None
            log.info("shards claimed", process=self.name, shards=sorted(claimed))
            await self._worker.claimed(claimed)
        surplus = len(self._held) - self._fair(standing)
        if surplus > 0:
            too_many = frozenset(sorted(self._held)[-surplus:])
            self._hold(self._held - too_many)
            await self._lose(too_many, "shared out")
            stray |= too_many
        if stray:
            async with self._storage.sharing() as writing:
                await writing.cluster.release(self.name, stray)
                await writing.cluster.hint("shards")

    def _fair(self, standing: Standing) -> int:
        """How many shards this process is to hold: those that don't come out even go by name."""
        each, over = divmod(standing.count, len(standing.alive))
        return each + (standing.alive.index(self.name) < over)

    async def _fence(self) -> None:
        clock = asyncio.get_running_loop().time
        while True:
            await asyncio.sleep(max(0.05, self._until - clock()))
            await self._lapse()

    async def _lapse(self) -> None:
        """Do nothing any more for what could not be renewed in time."""
        async with self._applying:
            if self._held and not self.is_current:
                lapsed = self._held
                self._hold(frozenset())
                self._lapsed |= lapsed
                self._unsure |= lapsed
                log.warning("shards not renewed", process=self.name, shards=sorted(lapsed))
                assert self._worker is not None
                await self._worker.lapsed(lapsed)

    def _hold(self, numbers: frozenset[int]) -> None:
        """Note what is held from now on, also for whoever looks from outside."""
        self._held = numbers
        SHARDS.labels(self.name).set(len(numbers))

    async def _lose(self, numbers: Collection[int], why: str) -> None:
        log.warning("shards let go", process=self.name, shards=sorted(numbers), why=why)
        assert self._worker is not None
        await self._worker.lost(numbers)
