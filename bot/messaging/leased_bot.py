"""discord.py's client with shards that come and go, as this process holds them."""

import asyncio
import threading
from collections.abc import Collection, Container, Iterable
from contextlib import suppress
from typing import Any, Final

import aiohttp
import discord
import yarl
from discord.gateway import KeepAliveHandler
from discord.shard import EventItem, EventType, Shard

from bot.cluster.leases import Leases, Worker
from bot.cluster.share import shard_of
from bot.errors import StorageUnavailableError
from bot.messaging.patient_bot import PatientBot

CLOSING_SECONDS: Final = 2.0
"""How long the end of a connection is waited for; what comes from it then is ignored."""

UNSURE_SECONDS: Final = 5.0
"""Until a shard identifies whose turn could not be asked for."""


class LeasedBot(PatientBot):
    """It holds all shards, or those that its leases say; of these each is launched on its own.

    The library launches its shards once and keeps them. What is leaned on of its inside: the
    shards by number (`_AutoShardedClient__shards`), the queue of what has become of them
    (`_AutoShardedClient__queue`), and that a shard which is let go only acts by `reidentify` and
    `reconnect`. `tests/e2e/test_processes.py` holds it to that. And that what Discord tells goes
    through the `parsers` of the connection; `tests/e2e/test_gateway.py` holds it to that.
    """

    leases: Leases | None
    shared_work: Worker | None
    _gateway: yarl.URL
    _max_concurrency: int

    def __init__(self, *args: Any, **options: Any) -> None:  # noqa: ANN401 - passed on
        super().__init__(*args, **options)
        self._holding: dict[int, asyncio.Task[None]] = {}
        self._in_turn = asyncio.Lock()
        """One of its shards at a time asks when it may identify: what is let go while it waits
        leaves no turns behind that nobody uses and all others wait for."""

        self._told: set[int] = set()
        """The shards that were told which servers there are."""

        self._connection.parsers["READY"] = self._begin_session

    def _begin_session(self, data: Any) -> None:  # noqa: ANN401 - as Discord sends it
        """Let the library begin a session, without the servers that are not in it any more.

        That a server removed the bot while there was no session is told to nobody: a new one only
        says which servers there are, and the library would keep the others.
        """
        present = {int(guild["id"]) for guild in data["guilds"]}
        for guild in self.guilds:
            if guild.shard_id == data["shard"][0] and guild.id not in present:
                self._connection.parse_guild_delete({"id": guild.id})
        self._connection.parse_ready(data)
        self._told.add(data["shard"][0])

    def would_know(self, guild: int) -> bool:
        """Whether this process is told now of a server that the bot is in, also in an outage."""
        number = shard_of(guild, self.shard_count or 1)
        shard = self.shards.get(number)
        is_told = number in self._told and self.holds(number)
        return is_told and shard is not None and not shard.is_closed()

    async def launch_shards(self) -> None:
        """Launch all shards, or begin to hold those that this process is to have."""
        if self.leases is None:
            await super().launch_shards()
        elif not self.leases.count:  # else an attempt before has come so far
            count, url, limits = await self.http.get_bot_gateway()
            self._gateway, self._max_concurrency = yarl.URL(url), limits["max_concurrency"]
            self._connection.shard_ids = []  # so that the library waits for no certain ones
            assert self.shared_work is not None
            await self.leases.start(count, self.shared_work)
            self._ready.set()  # also without a shard it can answer what comes by the endpoint

    def holds(self, number: int) -> bool:
        """Whether a shard is this process's now."""
        return self.leases is None or number in self.leases.held

    def hold(self, numbers: Iterable[int]) -> None:
        """Connect these shards, each as soon as Discord lets it; those that are need not wait."""
        assert self.leases is not None
        self.shard_count = self._connection.shard_count = self.leases.count
        for number in numbers:
            before = self._holding.get(number)
            self._holding[number] = asyncio.create_task(self._launch(number, before))

    async def let_go(self, numbers: Collection[int]) -> None:
        """End the connections of these shards, and forget their servers."""
        tasks = [task for n in numbers if (task := self._holding.pop(n, None)) is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._end_all(numbers)
        self._told.difference_update(numbers)
        for guild in [guild for guild in self.guilds if guild.shard_id in numbers]:
            self._connection._remove_guild(guild)  # noqa: SLF001 - it has no public way

    async def _end_all(self, numbers: Collection[int]) -> None:
        """End the connections of these shards, also those that are just being made."""
        shards: dict[int, Shard] = self._AutoShardedClient__shards  # type: ignore[attr-defined]  # private
        ending = [self._end(shard) for n in numbers if (shard := shards.pop(n, None)) is not None]
        await asyncio.gather(*ending)
        await self._abandon(numbers)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait for the turn of this shard among those of all processes."""
        if self.leases is None:
            await super().before_identify_hook(shard_id, initial=initial)
            return
        assert shard_id is not None
        if shard_id not in self.leases.held:
            await self._abandon({shard_id})
            raise asyncio.CancelledError  # by which the library ends an attempt and says nothing
        if not initial:
            await self._turn_of(shard_id)

    async def close(self) -> None:
        for task in self._holding.values():
            task.cancel()
        await asyncio.gather(*self._holding.values(), return_exceptions=True)
        await super().close()
        await self._abandon(self._holding)

    async def _abandon(self, numbers: Container[int]) -> None:
        """Close connections to these shards that are cut off before a shard has them.

        The library has begun to send heartbeats by then, and would go on with them for ever.
        """
        for thread in threading.enumerate():
            if isinstance(thread, KeepAliveHandler) and thread.shard_id in numbers:
                socket = thread.ws
                if socket._dispatch == self.dispatch:  # noqa: SLF001 - tests run several bots
                    thread.stop()
                    with suppress(TimeoutError, OSError, aiohttp.ClientError):
                        async with asyncio.timeout(CLOSING_SECONDS):
                            await socket.close()

    async def _launch(self, number: int, before: asyncio.Task[None] | None) -> None:
        """Connect a shard, unless it has stayed connected while its lease could not be renewed.

        An attempt from before that is still under way ends: two would both connect.
        """
        if before is not None:
            before.cancel()
            await asyncio.gather(before, return_exceptions=True)
        shard = self.shards.get(number)
        if shard is not None and not shard.is_closed():
            self.dispatch("shard_connect", number)
            self.dispatch("shard_ready", number)  # what it told meanwhile could not be written down
            return
        try:
            await self._end_all({number})  # it has broken meanwhile, and did not connect again
            await self._turn_of(number)
            await self.launch_shard(self._gateway, number, initial=True)
        except Exception as error:  # noqa: BLE001 - `connect` raises it
            queue: asyncio.PriorityQueue[EventItem] = self._AutoShardedClient__queue  # type: ignore[attr-defined]  # private
            queue.put_nowait(EventItem(EventType.terminate, None, error))

    async def _turn_of(self, number: int) -> None:
        assert self.leases is not None
        async with self._in_turn:
            try:
                wait = await self.leases.identify_in(number % self._max_concurrency)
            except StorageUnavailableError:
                wait = UNSURE_SECONDS
            await asyncio.sleep(wait)

    async def _end(self, shard: Shard) -> None:
        async def nothing(*_: object) -> None:
            """Do not connect a shard that is another process's now."""

        shard.reidentify = shard.reconnect = nothing  # type: ignore[method-assign, assignment]  # for this one only
        with suppress(TimeoutError, OSError, discord.DiscordException):
            async with asyncio.timeout(CLOSING_SECONDS):
                await shard.close()
        self.dispatch("shard_disconnect", shard.id)
