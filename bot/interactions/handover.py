"""Interactions that belong to another process: left for it, and taken back if it doesn't take them.

All clicks in direct messages reach the process that holds the first shard, and the endpoint may
bring any click to any process; but only the process that holds the shard of a match's server shows
the match.
"""

import asyncio
import math
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import structlog
from cachetools import LRUCache
from discord.utils import snowflake_time

from bot.cluster.leases import Leases
from bot.errors import ButtonError, MaybeSavedError, StorageUnavailableError
from bot.interactions.router import ANSWERABLE_SECONDS
from bot.matches.batch_queue import BatchQueue, Take
from bot.messaging.components import Press
from bot.messaging.events import loggable, logging_errors
from bot.messaging.installs import comes_as_guest
from bot.storage import MatchId, Storage
from bot.storage.cluster import HandedInteraction

log = structlog.get_logger()

T = TypeVar("T")

CREATED: Final = "INTERACTION_CREATE"
"""The name of the gateway event that brings an interaction."""

PATIENCE_SECONDS: Final = 0.4
"""Seconds that an interaction is left for another process; most are taken after some
milliseconds."""

FRESH_SECONDS: Final = 1.0
"""Seconds after which an interaction that was left isn't taken anymore, and that leaving it may
take. So no process starts on one after the person was told for sure that it didn't work."""

ANSWER_SECONDS: Final = 2.0
"""Seconds until the person is told so, if nobody else has answered: Discord accepts an answer for
one more second, and only one answer."""

CLOSING_SECONDS: Final = 2.0
"""Seconds to wait at the end for what is under way."""

FORGOTTEN_SECONDS: Final = 25.0
"""Seconds after which nobody takes what was left, so it's deleted, and between two such deletions.
Together, with the time between two looks, that's less than the minute that PRIVACY.md promises."""

WAITING_SECONDS: Final = 10.0
"""Seconds after this process stood still in which interactions that waited for it may still
arrive."""

MAX_REMEMBERED: Final = 4096
"""Matches whose server is remembered; it never changes."""

COMPONENT: Final = 3
NO_SERVER: Final = 0
"""The server number of solo matches."""


@dataclass(frozen=True, slots=True)
class _Left:
    """An interaction that is left for another process."""

    handed: HandedInteraction
    latest: float
    """Until when it has to be stored, in event loop time; after that, it isn't left."""


class Handover:
    """Leaves interactions for other processes in bundles; those that come meanwhile form the next.

    A transaction for each would cost both processes more than handling it.
    """

    def __init__(
        self,
        storage: Storage,
        leases: Leases,
        handle: Callable[[dict[str, Any]], None],
        *,
        refuse: Callable[[dict[str, Any], StorageUnavailableError], Awaitable[None]],
        now: Callable[[], float],
    ) -> None:
        self._storage = storage
        self._leases = leases
        self._handle = handle
        self._handle_logged = logging_errors(CREATED, handle)
        """`handle`, but its errors are logged, because no caller is left to get them."""

        self._refuse = refuse
        """Tells the person that it didn't work, or may not have, unless they were answered."""

        self._now = now
        self._guilds: LRUCache[MatchId, int] = LRUCache(MAX_REMEMBERED)
        self._under_way: set[asyncio.Task[Any]] = set()
        self._leaving: BatchQueue[int, _Left, bool] = BatchQueue(self._leave)
        self._one_at_a_time = asyncio.Lock()  # so that what arrives meanwhile is left together
        self._perhaps_taken: set[int] = set()
        """Ids of interactions that were left here, until it's known whether another process has
        them."""

        self._is_taking = False
        self._has_more = False
        """Whether others may have left something since this process last took what there was."""

        self._forgotten_at = -math.inf
        """When old interactions were last deleted, in event loop time."""

    def from_gateway(self, payload: dict[str, Any]) -> None:
        """Handle an interaction that a shard has brought, as in `arrived`.

        If the shard's lease has lapsed, its next holder may have a connection of its own: Discord
        sends the click to both, and the other process answers. Doing it here as well, even a second
        later, could undo what the same person has chosen since. If no process can reach the
        database, no other one answers, so this one does.
        """
        if not self._leases.has_lapsed(place_of(payload)):
            self.arrived(payload)
        elif not self._is_too_late(payload):
            self._begin(self._leave_to_other(payload))

    def arrived(self, payload: dict[str, Any]) -> None:
        """Handle an interaction here, or hand it over to the process that it belongs to.

        What waited while this process stood still is dropped: it can't be answered anymore, and it
        must not undo a newer click of the same person at another process.
        """
        if self._is_too_late(payload):
            return
        if self._leases.is_current and _is_surely_ours(payload, self._leases):
            self._handle(payload)
        else:
            self._begin(self._hand_over(payload))

    def take(self) -> None:
        """Handle what other processes have left for this one."""
        self._has_more = True
        if not self._is_taking:
            self._is_taking = True
            self._begin(self._take())

    async def forget(self) -> None:
        """Every `FORGOTTEN_SECONDS`, delete what was left by or for processes that have ended.

        A process that runs alone or has nothing to leave does it too: these rows are clicks as
        Discord sent them.
        """
        now = asyncio.get_running_loop().time()
        if now - self._forgotten_at >= FORGOTTEN_SECONDS:
            async with self._storage.coordinating() as writing:
                await writing.cluster.forget_left(FORGOTTEN_SECONDS)
            self._forgotten_at = now

    async def close(self) -> None:
        """Wait until everything that has arrived is handled, or another process has taken it."""
        if self._under_way:
            await asyncio.wait(self._under_way, timeout=CLOSING_SECONDS)

    def _handle_here(self, payload: dict[str, Any]) -> None:
        if not self._is_too_late(payload):
            self._handle_logged(payload)

    def _is_too_late(self, payload: dict[str, Any]) -> bool:
        """Whether an interaction has waited here until Discord accepts no answer anymore."""
        return self._leases.current_for < WAITING_SECONDS and is_too_late(payload, self._now())

    def _begin(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.create_task(work)
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        return task

    async def _take(self) -> None:
        try:
            while self._has_more:
                self._has_more = False
                async with self._storage.coordinating() as writing:
                    taken = await writing.cluster.take(self._leases.name, FRESH_SECONDS)
                for payload in taken:
                    self._handle_here(payload)
        except StorageUnavailableError:
            return  # the process that left it takes it back
        finally:
            self._is_taking = False

    async def _leave_to_other(self, payload: dict[str, Any]) -> None:
        """Leave an interaction to another process; if none answers it, say that it didn't work."""
        await asyncio.sleep(ANSWER_SECONDS)
        await self._say_that_it_failed(payload, is_sure=self._leases.processes <= 1)

    async def _say_that_it_failed(self, payload: dict[str, Any], *, is_sure: bool) -> None:
        log.info("refused for the database", interaction=int(payload["id"]), sure=is_sure)
        why = StorageUnavailableError if is_sure else MaybeSavedError
        try:
            await self._refuse(payload, why("not reached in time"))
        except Exception as error:  # noqa: BLE001 - whatever is strange about it
            log.error("event not understood", event_name=CREATED, **loggable(error))  # noqa: TRY400

    async def _hand_over(self, payload: dict[str, Any]) -> None:
        """Let another process handle an interaction, or do it here; say in time if neither can."""
        asking = self._begin(self._leave_to_owner(payload))
        await asyncio.wait({asking}, timeout=ANSWER_SECONDS)
        if not asking.done():
            asking.add_done_callback(_retrieve_exception)
            await self._say_that_it_failed(
                payload, is_sure=int(payload["id"]) not in self._perhaps_taken
            )
            return
        try:
            if asking.result():
                return
        except StorageUnavailableError:
            pass  # handling it here tells the person so
        self._handle_here(payload)

    async def _leave_to_owner(self, payload: dict[str, Any]) -> bool:
        """Leave an interaction to the process that owns it; False if it must be handled here."""
        latest = asyncio.get_running_loop().time() + FRESH_SECONDS
        await self._leases.become_current()
        guild = await self._guild_of(payload)
        process = None if guild is None else self._leases.holder_of(guild)
        if process is None:
            return False
        identity = int(payload["id"])
        try:
            handed = HandedInteraction(identity, process, payload)
            if not await self._leaving.add(identity, _Left(handed, latest)):
                return True
        finally:
            self._perhaps_taken.discard(identity)
        log.warning("taken back", interaction=identity, process=process)
        return False

    async def _leave(self, take: Take[int, _Left]) -> Mapping[int, bool]:
        """Leave interactions for a while; returns for each id whether it was taken back.

        StorageUnavailableError if they could not be stored in time.
        """
        async with self._one_at_a_time, self._storage.coordinating() as writing:
            batch = take()
            await writing.cluster.hand_over([left.handed for left in batch.values()])
            latest = min((left.latest for left in batch.values()), default=math.inf)
            if asyncio.get_running_loop().time() > latest:
                raise StorageUnavailableError("too slow to leave anything")
            self._perhaps_taken.update(batch)
        await asyncio.sleep(PATIENCE_SECONDS)
        async with self._storage.coordinating() as writing:
            back = await writing.cluster.take_back(list(batch))
        return {identity: identity in back for identity in batch}

    async def _guild_of(self, payload: dict[str, Any]) -> int | None:
        """The id of the server of the match that an interaction is about, or may start.

        None if any process can handle it.
        """
        match = _match_of(payload)
        if match is None:
            return _home_of(payload)
        if match not in self._guilds:
            async with self._storage.reading() as reading:
                guild = await reading.cluster.guild_of(match)
            if guild is None:
                return None
            self._guilds[match] = guild
        return self._guilds[match]


def is_too_late(payload: dict[str, Any], now: float) -> bool:
    """Whether Discord accepts no answer to an interaction anymore, by this machine's clock.

    That clock may be wrong, so ask only if the interaction may have waited.
    """
    is_late = now - snowflake_time(int(payload["id"])).timestamp() > ANSWERABLE_SECONDS
    if is_late:
        log.warning("arrived too late", interaction=int(payload["id"]))
    return is_late


def place_of(payload: dict[str, Any]) -> int | None:
    """The id of the server that an interaction came from; None in direct messages."""
    guild = payload.get("guild_id")
    return None if guild is None else int(guild)


def _retrieve_exception(asking: asyncio.Task[bool]) -> None:
    """Retrieve an exception that nobody waits for anymore; the storage has logged it."""
    if not asking.cancelled():
        asking.exception()


def _match_of(payload: dict[str, Any]) -> MatchId | None:
    """The match that a click names; None for a command, or a button without a match."""
    if payload["type"] != COMPONENT:
        return None
    try:
        return Press.parse(payload["data"]["custom_id"]).match or None
    except ButtonError:
        return None


def _home_of(payload: dict[str, Any]) -> int | None:
    """The server of a match that an interaction may start; 0 where the bot is a guest.

    There, only the process that answers can edit the match's one message, so it has to be the one
    that shows the match. None in direct messages, where any process can.
    """
    return NO_SERVER if comes_as_guest(payload) else place_of(payload)


def _is_surely_ours(payload: dict[str, Any], leases: Leases) -> bool:
    """Whether an interaction is for this process without a query.

    That is so if it runs alone, or if no match is named and no other process would show a new one.
    """
    if leases.processes <= 1:
        return True
    if _match_of(payload) is None:
        home = _home_of(payload)
        return home is None or leases.holder_of(home) is None
    return False
