"""The shards that this process holds: claimed, renewed, and given up before a lease ends."""

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
"""How long a lease lasts after it was renewed. A killed process is replaced when its leases end:
the others know that moment, and look then."""

RENEW_SECONDS: Final = 2.0
"""Seconds between two looks, which renew held shards and claim free ones."""

FENCE_SECONDS: Final = 7.0
"""Seconds after a lease was last renewed at which this process stops acting on it. The rest of the
lease is for requests under way, and for clocks that run at different speeds."""

RETRY_SECONDS: Final = 0.2
"""Seconds until the next look if a free shard couldn't be claimed: the process that released it
looks at the same moment and locks its row again, and nothing tells when that is over."""

RETURNING_SECONDS: Final = RENEW_SECONDS + 1.0
"""Seconds after an outage of the database during which a process claims only what it held before:
the others are coming back as well, and are still connected to what they held."""

IDENTIFY_SECONDS: Final = 5.0
"""Seconds in which Discord accepts one Identify of each bucket."""

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
    """Does the work of the shards that are held."""

    @property
    def connected(self) -> Collection[int]:
        """The shards whose clicks arrive here, and whose servers have got grace if it was due."""

    async def claimed(self, numbers: Mapping[int, float], /) -> None:
        """Work for these shards from now on.

        Maps each shard to the seconds for which nobody has been connected to it.
        """

    async def lapsed(self, numbers: Collection[int], /) -> None:
        """Stop working for these shards: they couldn't be renewed, so another process may do it.

        They're claimed again or lost as soon as the database says who holds them.
        """

    async def lost(self, numbers: Collection[int], /) -> None:
        """Let go of these shards: another process can have them as soon as this returns."""

    def clock_moved(self) -> None:
        """Note that the clock of the leases was corrected, maybe by a lot."""

    def heard(self, what: str, /, *about: str) -> None:
        """Handle what a process tells: a word and ids, as in `Share.tell`.

        The word is empty if something may have been missed, and "interactions", with the name of a
        process, if some were left for that one.
        """


class Leases:
    """The share of one of several processes, according to its leases in the database."""

    alone = False

    def __init__(
        self, storage: Storage, address: SecretStr, *, here: Callable[[], float] = time.time
    ) -> None:
        self.name = secrets.token_hex(4)
        self.clock = ServerClock(here)
        """The clock for all work of this process: the database's time, from `start` on."""

        self._storage = storage
        self._address = address
        self._worker: Worker | None = None
        self._telling: set[asyncio.Task[None]] = set()
        self.count = 0
        """How many shards there are; 0 before `start`."""

        self._claims = True
        self._held: frozenset[int] = frozenset()
        self._standing = _NOBODY
        self._until = 0.0
        """Until when this process may act on its leases, in event loop time."""

        self._current_since = -math.inf
        self._lapsed: frozenset[int] = frozenset()
        """Shards that another process could take without being given them, until they're held
        again."""

        self._unsure: frozenset[int] = frozenset()
        """Shards that couldn't be renewed, until the database says who holds them."""

        self._returns_until = 0.0
        """Until when only shards held before are claimed, in event loop time."""

        self._renewed = asyncio.Event()
        """Set when shards were renewed or claimed."""

        self._next_in = math.inf
        """Seconds from the last look until there may be something to claim."""

        self._woken = asyncio.Event()
        self._applying = asyncio.Lock()
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def held(self) -> frozenset[int]:
        """The shards that this process holds now."""
        return self._held if asyncio.get_running_loop().time() < self._until else frozenset()

    @property
    def is_current(self) -> bool:
        """Whether the leases, as they were last renewed, still hold."""
        return asyncio.get_running_loop().time() < self._until

    @property
    def is_short(self) -> bool:
        """Whether this process holds fewer shards than it's to hold; a standby is to hold none."""
        return len(self.held) < self._fair(self._standing)

    @property
    def current_for(self) -> float:
        """Seconds for which the leases have held without a break; 0 while they don't.

        Infinite if they haven't lapsed since the start.
        """
        now = asyncio.get_running_loop().time()
        return now - self._current_since if now < self._until else 0.0

    async def become_current(self) -> None:
        """Wait until the leases hold."""
        while not self.is_current:
            self._renewed.clear()
            await self._renewed.wait()

    def has_lapsed(self, guild: int | None) -> bool:
        """Whether another process may be connected to a server's shard besides this one."""
        return not self.is_current or shard_of(guild, self.count) in self._lapsed

    @property
    def processes(self) -> int:
        return max(1, len(self._standing.alive))

    def owns(self, guild: int | None) -> bool:
        return self.count > 0 and shard_of(guild, self.count) in self.held

    @property
    def shards(self) -> Shards:
        """The held shards, with the number of all."""
        return Shards(self.held, max(1, self.count))

    def is_connected_elsewhere(self, shard: int) -> bool:
        return shard in self._standing.elsewhere

    def holder_of(self, guild: int) -> str | None:
        """The name of the other process that holds a server's shard; None if none does."""
        if self.count == 0 or self.owns(guild):
            return None
        holder = self._standing.holders.get(shard_of(guild, self.count))
        return None if holder == self.name else holder

    async def start(self, recommended: int, worker: Worker) -> None:
        """Join the other processes, and hold a fair part of the shards from now on."""
        self._worker = worker
        async with self._storage.coordinating() as writing:
            self.count = await writing.cluster.set_up_shards(recommended)
        if self.count < recommended:
            # It changes only while no shard is held, which restarting processes one by one never
            # causes.
            log.warning("more shards advised", have=self.count, advised=recommended)
        await self._look()
        lasting = (self._keep(), self._fence(), listen(self._address, self._hear))
        self._tasks = [asyncio.create_task(work) for work in lasting]
        log.info("process joined", process=self.name, shards=self.count, others=self.processes - 1)

    async def identify_in(self, bucket: int) -> float:
        """Seconds until a shard of this bucket may identify; that moment is reserved for it."""
        async with self._storage.coordinating() as writing:
            return await writing.cluster.identify_in(bucket, IDENTIFY_SECONDS)

    def tell(self, what: str, *about: int) -> None:
        task = asyncio.create_task(self._hint(" ".join([what, *map(str, about)])))
        self._telling.add(task)
        task.add_done_callback(self._telling.discard)

    def claim_no_more(self) -> None:
        """Claim no more shards; those held are kept until `close` releases them."""
        self._claims = False

    async def close(self) -> None:
        """Release all shards, for others to claim at once."""
        if self._telling:
            await asyncio.wait(self._telling)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        held, self._until = self._held, 0.0
        self._hold(frozenset())
        if self.count:
            with contextlib.suppress(StorageUnavailableError):  # then the leases expire
                async with self._storage.coordinating() as writing:
                    await writing.cluster.release(self.name, held)
                    await writing.cluster.leave(self.name)
                    await writing.cluster.hint("shards")

    async def _hint(self, what: str) -> None:
        with contextlib.suppress(StorageUnavailableError):  # others learn it later
            async with self._storage.coordinating() as writing:
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
            self._woken.clear()  # hints from here on may be too late for this look
            self._next_in = math.inf  # not known after a look that failed
            try:
                await self._look()
            except StorageUnavailableError:
                continue  # logged by the storage; the fence does the rest
            except Exception:  # leases that expire because of a bug are taken over by others
                log.exception("leases")

    async def _look(self) -> None:
        """Renew held shards, claim missing ones, and release those that are too many."""
        assert self._worker is not None
        connected = frozenset(self._worker.connected)
        async with self._storage.coordinating() as writing:
            # Connecting may have taken seconds, and nothing is renewed before that.
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
        # A living process renews long before its leases end. The margin is for their rows to
        # expire.
        is_locked = self._claims and len(claimed) < room
        again_in = max(RETRY_SECONDS, returning_for)
        self._next_in = again_in if is_locked else standing.ends_in + 0.05
        async with self._applying:
            if standing.count != self.count:
                await self._renumber(standing.count)
            await self._apply(standing, claimed, began)

    def _returning_for(self, standing: Standing, now: float) -> float:
        """Seconds for which only shards held before are claimed.

        0 unless leases have just lapsed and nobody has taken the shards over since: then the
        database was unreachable for all processes, and not only for this one.
        """
        if self._until and not self.is_current:
            is_missed = all(standing.holders.get(n) in {None, self.name} for n in self._unsure)
            self._returns_until = now + RETURNING_SECONDS if is_missed else now
        return max(0.0, self._returns_until - now)

    async def _renumber(self, count: int) -> None:
        """Switch to another number of shards, which divides the servers among them again.

        A process that starts when all leases have ended may change it: all processes were cut off
        from the database for long, and Discord recommends more by now.
        """
        log.warning("number of shards changed", process=self.name, before=self.count, now=count)
        if lost := self._held | self._unsure:
            self._hold(frozenset())
            self._unsure = frozenset()
            await self._lose(lost, "renumbered")
        self.count, self._lapsed = count, frozenset(range(count))

    async def _apply(self, standing: Standing, claimed: Mapping[int, float], began: float) -> None:
        # Their leases haven't ended in the database: nobody else can have held them.
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
            async with self._storage.coordinating() as writing:
                await writing.cluster.release(self.name, stray)
                await writing.cluster.hint("shards")

    def _fair(self, standing: Standing) -> int:
        """How many shards this process is to hold; the remainder goes to the first ones by name."""
        if self.name not in standing.alive:
            return 0  # it has yet to join
        each, over = divmod(standing.count, len(standing.alive))
        return each + (standing.alive.index(self.name) < over)

    async def _fence(self) -> None:
        clock = asyncio.get_running_loop().time
        while True:
            await asyncio.sleep(max(0.05, self._until - clock()))
            await self._lapse()

    async def _lapse(self) -> None:
        """Stop working for what couldn't be renewed in time."""
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
        """Set which shards are held, also in the metrics."""
        self._held = numbers
        SHARDS.labels(self.name).set(len(numbers))

    async def _lose(self, numbers: Collection[int], why: str) -> None:
        log.warning("shards let go", process=self.name, shards=sorted(numbers), why=why)
        assert self._worker is not None
        await self._worker.lost(numbers)
