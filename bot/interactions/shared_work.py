"""What one of several processes does for the shards that it holds, and when it loses some."""

import asyncio
from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping
from functools import partial
from typing import Any, Final, Protocol

import structlog

from bot.cluster.leases import Leases
from bot.cluster.share import shard_of
from bot.computers.coach import Coach
from bot.errors import StorageUnavailableError
from bot.interactions.handover import Handover
from bot.interactions.match_access import MatchAccess
from bot.live.live import Live
from bot.live.repairs import Repairs
from bot.privacy.erasure import Erasure
from bot.puzzles.answers import Puzzles
from bot.scheduling.computer_moves import ComputerMoves
from bot.scheduling.deadlines import Deadlines
from bot.settings.preferences import Preferences
from bot.storage import MatchId, Storage
from bot.storage.shards import Shards

log = structlog.get_logger()

LOOK_SECONDS: Final = 5.0
"""Seconds between two looks for changes that no hint has told of."""


class Gateway(Protocol):
    """Connects shards."""

    def hold(self, numbers: Iterable[int], /) -> None:
        """Connect these shards soon, unless they are connected."""

    async def let_go(self, numbers: Collection[int], /) -> None:
        """Close the connections of these shards."""


class SharedWork:
    """Starts and stops everything that depends on which shards this process holds."""

    def __init__(  # noqa: PLR0913 - all that depends on shards
        self,
        gateway: Gateway,
        storage: Storage,
        leases: Leases,
        handover: Handover,
        *,
        live: Live,
        repairs: Repairs,
        deadlines: Deadlines,
        computer_moves: ComputerMoves,
        preferences: Preferences,
        erasure: Erasure,
        access: MatchAccess,
        coach: Coach,
        puzzles: Puzzles,
    ) -> None:
        self._gateway = gateway
        self._storage = storage
        self._leases = leases
        self.handover = handover
        self._live = live
        self._repairs = repairs
        self._deadlines = deadlines
        self._computer_moves = computer_moves
        self._preferences = preferences
        self._erasure = erasure
        self._access = access
        self._coach = coach
        self._puzzles = puzzles
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    @property
    def connected(self) -> Collection[int]:
        """The shards whose clicks reach this process, and whose clocks run."""
        return self._deadlines.awake

    def start(self) -> None:
        """Start to look regularly for changes that no hint has told of."""
        self._begin(self._keep_looking)

    async def claimed(self, numbers: Mapping[int, float]) -> None:
        """Connect these shards, and take over the work for their servers.

        The values are the seconds for which no process was connected to them.
        """
        if self._closed:
            return  # they are given back soon
        await self._forget(numbers)  # other processes have shown their matches since
        await self._deadlines.take_over(numbers)
        self._connect(numbers)

    async def lapsed(self, numbers: Collection[int]) -> None:
        """Stop work for these shards, apart from telling people who click that it doesn't work."""
        for number in numbers:
            self._deadlines.hold(number)
        await self._forget(numbers)

    async def lost(self, numbers: Collection[int]) -> None:
        """Stop all work for these shards, and close their connections."""
        await self.lapsed(numbers)
        await self._gateway.let_go(numbers)

    def clock_moved(self) -> None:
        """Look at what is due now; a jump of the clock doesn't mean that we stood still."""
        self._deadlines.clock_moved()

    def heard(self, what: str, *about: str) -> None:
        """Act on a hint from another process, if it concerns this one.

        `match` with a match, its server and perhaps a message's place; `preferences` or `forget`
        with a user id; `interactions` with a process; nothing if some hints may have been missed.
        """
        if self._closed:
            return  # the process that left something takes it back
        if what == "match":
            match, guild, *late = map(int, about)
            if self._leases.owns(guild):
                self._begin(partial(self._changed, MatchId(match), *late))
        elif what == "preferences":
            self._preferences.forget(int(about[0]))
        elif what == "forget":
            self._erasure.forget_in_memory(int(about[0]))
        elif not what:
            self._preferences.forget_all()  # instead of trusting them until they expire
            self._access.forget_all()
            self._coach.forget_all()
            self._puzzles.forget_all()
            self._deadlines.look_again()  # notices that were sent may no longer hold
            self.handover.take()
        elif (what, *about) == ("interactions", self._leases.name):
            self.handover.take()

    async def close(self) -> None:
        """Take on nothing new, and wait until what has arrived is handled or handed over."""
        self._closed = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.handover.close()

    def _begin(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        task = asyncio.create_task(self._attempt(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _attempt(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        try:
            await work()  # created only now: a task may be cancelled before it starts
        except StorageUnavailableError:
            return  # logged by the storage; the next look finds it
        except Exception:  # whatever it is, the rest goes on
            log.exception("shared work")

    def _connect(self, numbers: Collection[int]) -> None:
        """Start to work for these shards, unless this was closed meanwhile."""
        if self._closed:
            return
        self._gateway.hold(numbers)
        shards = Shards(frozenset(numbers), self._leases.count)
        self._begin(partial(self._take_up, shards))

    async def _take_up(self, shards: Shards) -> None:
        async def owned(numbers: Collection[MatchId]) -> set[MatchId]:
            return await self._of_shards(numbers, shards)

        self._repairs.begin(owned)
        # Nothing else asks for a computer's move until somebody chooses in its match.
        while True:
            try:
                await self._computer_moves.take_up(shards)
            except StorageUnavailableError:
                await asyncio.sleep(LOOK_SECONDS)
            else:
                return

    async def _forget(self, numbers: Collection[int]) -> None:
        count = self._leases.count
        await self._live.forget_servers(lambda guild: shard_of(guild, count) in numbers)

    async def _changed(self, match: MatchId, late: int | None = None) -> None:
        await self._live.note_changed_elsewhere(match, late)
        self._computer_moves.schedule(match)
        self._deadlines.look_again(match)

    async def _keep_looking(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            self._deadlines.look()
            await self._attempt(partial(self._repairs.look, self._owned))
            await self._attempt(self.handover.forget)

    async def _owned(self, numbers: Collection[MatchId]) -> set[MatchId]:
        return await self._of_shards(numbers, self._leases.shards)

    async def _of_shards(self, numbers: Collection[MatchId], shards: Shards) -> set[MatchId]:
        async with self._storage.reading() as reading:
            return await reading.cluster.of_shards(numbers, shards)
