"""discord.py's client with shards that come and go, as this process leases them."""

import asyncio
import threading
from collections.abc import Callable, Collection, Container, Iterable
from contextlib import suppress
from functools import partial
from typing import Any, Final

import aiohttp
import discord
import yarl
from discord.gateway import KeepAliveHandler
from discord.shard import EventItem, EventType, Shard

from bot.cluster.leases import Leases, Worker
from bot.cluster.share import shard_of
from bot.errors import StorageUnavailableError
from bot.messaging.events import logging_errors
from bot.messaging.patient_bot import PatientBot

CREATED: Final = "GUILD_CREATE"

CLOSING_SECONDS: Final = 2.0
"""Seconds to wait for a connection to end; what comes from it after that is ignored."""

UNSURE_SECONDS: Final = 5.0
"""Seconds until a shard identifies if its turn could not be asked for."""


class LeasedBot(PatientBot):
    """Holds all shards, or those that this process has leased, each launched on its own.

    discord.py launches its shards once and keeps them. This relies on its internals: the shards by
    number (`_AutoShardedClient__shards`), the queue of their events (`_AutoShardedClient__queue`),
    and that a shard which was let go only acts by `reidentify` and `reconnect`;
    `tests/e2e/test_processes.py` checks that. It also relies on all events passing through the
    `parsers` of the connection; `tests/e2e/test_gateway.py` checks that.
    """

    leases: Leases | None
    shared_work: Worker | None
    _gateway: yarl.URL
    _max_concurrency: int

    def __init__(self, *args: Any, **options: Any) -> None:  # noqa: ANN401 - passed on
        super().__init__(*args, **options)
        self._holding: dict[int, asyncio.Task[None]] = {}
        self._in_turn = asyncio.Lock()
        """Only one shard of this process at a time asks for its turn to identify: more of them, if
        they were let go while waiting, would leave turns that nobody uses and all other shards wait
        for."""

        self._with_known_servers: set[int] = set()
        """Numbers of the shards to which Discord has said which servers there are."""

        parsers = self._connection.parsers
        parsers["READY"] = self._begin_session
        parsers[CREATED] = logging_errors(CREATED, partial(self._show_server, parsers[CREATED]))

    def _begin_session(self, data: Any) -> None:  # noqa: ANN401 - as Discord sends it
        """Handle READY, dropping servers that the new session doesn't have anymore.

        No event says that a server removed the bot while there was no session: READY only lists the
        present ones, and discord.py would keep the others.
        """
        present = {int(guild["id"]) for guild in data["guilds"]}
        for guild in self.guilds:
            if guild.shard_id == data["shard"][0] and guild.id not in present:
                self._connection.parse_guild_delete({"id": guild.id})
        self._connection.parse_ready(data)
        self._with_known_servers.add(data["shard"][0])

    def _show_server(self, parse: Callable[[Any], None], data: Any) -> None:  # noqa: ANN401 - as above
        """Handle GUILD_CREATE, dropping the channels and threads that an outage has outlived.

        No event says what was deleted meanwhile, and discord.py only adds those that it lists.
        """
        guild = self.get_guild(int(data["id"]))
        if guild is not None and "channels" in data:
            guild._channels.clear()  # noqa: SLF001 - it has no public way
            guild._threads.clear()  # noqa: SLF001
        parse(data)

    def would_know(self, guild: int) -> bool:
        """Whether this process would know a server that the bot is in, also during an outage."""
        number = shard_of(guild, self.shard_count or 1)
        shard = self.shards.get(number)
        return self.knows_servers_of(number) and shard is not None and not shard.is_closed()

    def knows_servers_of(self, number: int) -> bool:
        """Whether Discord has said which servers a shard has, and this process holds it now."""
        return number in self._with_known_servers and self.holds(number)

    async def launch_shards(self) -> None:
        """Launch all shards, or begin to claim those that this process is to have."""
        if self.leases is None:
            await super().launch_shards()
        elif not self.leases.count:  # else an earlier attempt got this far
            count, url, limits = await self.http.get_bot_gateway()
            self._gateway, self._max_concurrency = yarl.URL(url), limits["max_concurrency"]
            self._connection.shard_ids = []  # so that discord.py waits for none in particular
            assert self.shared_work is not None
            await self.leases.start(count, self.shared_work)
            self._ready.set()  # even without a shard, it can answer the endpoint

    def holds(self, number: int) -> bool:
        """Whether this process holds a shard now."""
        return self.leases is None or number in self.leases.held

    def hold(self, numbers: Iterable[int]) -> None:
        """Connect these shards, each as soon as Discord allows; connected ones don't wait."""
        assert self.leases is not None
        self.shard_count = self._connection.shard_count = self.leases.count
        for number in numbers:
            before = self._holding.get(number)
            self._holding[number] = asyncio.create_task(self._launch(number, before))

    async def let_go(self, numbers: Collection[int]) -> None:
        """Close the connections of these shards, and forget their servers."""
        tasks = [task for n in numbers if (task := self._holding.pop(n, None)) is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._close_shards(numbers)
        self._with_known_servers.difference_update(numbers)
        for guild in [guild for guild in self.guilds if guild.shard_id in numbers]:
            self._connection._remove_guild(guild)  # noqa: SLF001 - it has no public way

    async def _close_shards(self, numbers: Collection[int]) -> None:
        """Close the connections of these shards, including those that are just being made."""
        shards: dict[int, Shard] = self._AutoShardedClient__shards  # type: ignore[attr-defined]  # private
        ending = [
            self._close_shard(shard) for n in numbers if (shard := shards.pop(n, None)) is not None
        ]
        await asyncio.gather(*ending)
        await self._close_unowned(numbers)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait for this shard's turn to identify, among those of all processes."""
        if self.leases is None:
            await super().before_identify_hook(shard_id, initial=initial)
            return
        assert shard_id is not None
        if shard_id not in self.leases.held:
            await self._close_unowned({shard_id})
            raise asyncio.CancelledError  # makes discord.py end the attempt silently
        if not initial:
            await self._wait_for_turn(shard_id)

    async def close(self) -> None:
        for task in self._holding.values():
            task.cancel()
        await asyncio.gather(*self._holding.values(), return_exceptions=True)
        await super().close()
        await self._close_unowned(self._holding)

    async def _close_unowned(self, numbers: Container[int]) -> None:
        """Close connections to these shards that were interrupted before a shard object had them.

        discord.py is already sending heartbeats on them, and would go on forever.
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
        """Connect a shard, unless it stayed connected while its lease could not be renewed.

        An earlier attempt that is still under way is ended first, or both would connect.
        """
        if before is not None:
            before.cancel()
            await asyncio.gather(before, return_exceptions=True)
        shard = self.shards.get(number)
        if shard is not None and not shard.is_closed():
            if self.knows_servers_of(number):  # else both are still to come
                self.dispatch("shard_connect", number)
                self.dispatch("shard_ready", number)  # what it reported could not be stored
            return
        try:
            await self._close_shards({number})  # it broke meanwhile and did not reconnect
            await self._wait_for_turn(number)
            await self.launch_shard(self._gateway, number, initial=True)
        except Exception as error:  # noqa: BLE001 - `connect` raises it
            queue: asyncio.PriorityQueue[EventItem] = self._AutoShardedClient__queue  # type: ignore[attr-defined]  # private
            queue.put_nowait(EventItem(EventType.terminate, None, error))

    async def _wait_for_turn(self, number: int) -> None:
        assert self.leases is not None
        async with self._in_turn:
            try:
                wait = await self.leases.identify_in(number % self._max_concurrency)
            except StorageUnavailableError:
                wait = UNSURE_SECONDS
            await asyncio.sleep(wait)

    async def _close_shard(self, shard: Shard) -> None:
        async def nothing(*_: object) -> None:
            """Don't reconnect: another process has this shard now."""

        shard.reidentify = shard.reconnect = nothing  # type: ignore[method-assign, assignment]  # for this one only
        with suppress(TimeoutError, OSError, discord.DiscordException):
            async with asyncio.timeout(CLOSING_SECONDS):
                await shard.close()
        self.dispatch("shard_disconnect", shard.id)
