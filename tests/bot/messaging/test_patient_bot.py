"""A gateway connection leaves time on the event loop for everything else."""

import asyncio

import aiohttp

from bot.messaging.patient_bot import FairWebSocket
from tests.support.tables import seated


class Socket:
    """A socket with an endless supply of received messages."""

    async def receive(self, **_):
        return aiohttp.WSMessage(aiohttp.WSMsgType.TEXT, "{}", None)


class Connection(FairWebSocket):
    """A connection that only counts its events."""

    def __init__(self):
        self.socket = Socket()  # type: ignore[assignment]  # a stand-in
        self._max_heartbeat_timeout = 60.0
        self.received = 0

    async def received_message(self, message, /):
        del message
        self.received += 1


async def test_other_tasks_run_between_two_events_of_many():
    connection = Connection()
    seen = []

    async def work():
        for _ in range(5):
            seen.append(connection.received)
            await asyncio.sleep(0)

    async def read():
        for _ in range(5):
            await connection.poll_event()

    await asyncio.gather(read(), work())

    assert seen == [1, 2, 3, 4, 5]


async def test_every_shard_uses_a_fair_connection(discord, tmp_path):
    async with seated(discord, tmp_path) as table:
        socket = table.bot._connection._get_websocket(shard_id=0)

    assert isinstance(socket, FairWebSocket)
