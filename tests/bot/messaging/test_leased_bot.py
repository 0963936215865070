"""Shards that come and go: how they wait for their turn to identify."""

import asyncio
from functools import partial

import discord
import pytest
import yarl
from discord import shard

from bot.messaging.leased_bot import LeasedBot
from bot.messaging.patient_bot import PatientBot
from tests.support.waiting import until


class Leases:
    """Leases that hold all shards, record who asks to identify, and allow it after `now` is set."""

    def __init__(self):
        self.count, self.held = 8, frozenset(range(8))
        self.asked = []
        self.now = asyncio.Event()

    async def identify_in(self, bucket):
        self.asked.append(bucket)
        await self.now.wait()
        return 0.0


class Bot(LeasedBot):
    """A bot without connections; `launched` has the shards that it would have connected."""

    def __init__(self):
        super().__init__(command_prefix="!", intents=discord.Intents.none())
        self.leases = Leases()  # type: ignore[assignment]  # a stand-in
        self._gateway, self._max_concurrency = yarl.URL("ws://gateway"), 8
        self._AutoShardedClient__shards = {}  # as after a connection
        self.launched = []

    async def launch_shard(self, gateway, shard_id, *, initial=False):
        del gateway, initial
        self.launched.append(shard_id)


@pytest.fixture
async def bot():
    return Bot()


async def test_shards_released_while_they_wait_take_no_turn_from_others(bot):
    bot.hold(range(8))
    await asyncio.sleep(0)
    await bot.let_go(range(1, 8))
    bot.leases.now.set()
    await asyncio.gather(*bot._holding.values())

    assert bot.leases.asked == [0]
    assert bot.launched == [0]


async def test_all_held_shards_have_their_turn_one_after_another(bot):
    bot.hold(range(8))
    bot.leases.now.set()
    await asyncio.gather(*bot._holding.values())

    assert bot.leases.asked == bot.launched == list(range(8))


class Shard:
    """A connection, open or broken."""

    def __init__(self, number, *, is_open):
        self.id, self.ws = number, self
        self.open = is_open

    async def close(self):
        self.open = False


async def test_a_shard_that_stayed_connected_is_not_connected_again(bot, monkeypatch):
    told = []
    monkeypatch.setattr(bot, "dispatch", lambda *event: told.append(event))
    shards = {0: Shard(0, is_open=True), 1: Shard(1, is_open=False)}
    bot._AutoShardedClient__shards.update(shards)
    bot._with_known_servers.add(0)
    bot.leases.now.set()

    bot.hold({0, 1})
    await asyncio.gather(*bot._holding.values())

    assert bot.launched == [1]
    assert told[:2] == [("shard_connect", 0), ("shard_ready", 0)]
    assert bot._AutoShardedClient__shards == {0: shards[0]}


async def test_nothing_is_said_of_a_shard_whose_servers_discord_has_not_told_yet(bot, monkeypatch):
    """Its matches would be paused: as far as is known, it has no servers."""
    told = []
    monkeypatch.setattr(bot, "dispatch", lambda *event: told.append(event))
    bot._AutoShardedClient__shards[0] = Shard(0, is_open=True)
    bot.leases.now.set()

    bot.hold({0})
    await asyncio.gather(*bot._holding.values())

    assert (bot.launched, told) == ([], [])


async def test_a_shard_whose_lease_lapses_while_it_waits_for_its_turn_is_connected_once(bot):
    bot.hold({0, 1})
    await asyncio.sleep(0)
    bot.hold({0, 1})  # this process holds them again
    bot.leases.now.set()
    await asyncio.gather(*bot._holding.values())

    assert bot.launched == [0, 1]


async def test_a_shard_whose_lease_lapses_while_it_connects_is_connected_again(bot, monkeypatch):
    """The library treats a second simultaneous attempt as a failure that ends the bot."""
    begun, ended = [], []

    async def launch(gateway, number, *, initial):
        del gateway, initial
        begun.append(number)
        try:
            if len(begun) == 1:
                await asyncio.Event().wait()
        finally:
            ended.append(len(begun))

    monkeypatch.setattr(bot, "launch_shard", launch)
    bot._AutoShardedClient__queue = asyncio.PriorityQueue()
    bot.leases.now.set()
    bot.hold({0})
    await until(lambda: begun, pause=0)

    bot.hold({0})
    await asyncio.gather(*bot._holding.values())

    assert begun == [0, 0]
    assert ended == [1, 2], "the first had ended before the second began"
    assert bot._AutoShardedClient__queue.empty()


@pytest.mark.parametrize(
    ("told", "held", "is_open", "known"),
    [
        ({3}, {3}, True, True),
        ({2}, {3}, True, False),
        ({3}, {2}, True, False),
        ({3}, {3}, False, False),
    ],
    ids=["told of its servers", "not yet told", "of another process", "without a connection"],
)
def test_whether_a_server_exists_is_known_only_on_a_shard_that_was_told(
    bot, told, held, is_open, known
):
    bot.shard_count, bot.leases.held, bot._with_known_servers = 8, frozenset(held), told
    bot._AutoShardedClient__shards[3] = Shard(3, is_open=is_open)

    assert bot.would_know((8 + 3) << 22) is known


async def test_a_shard_that_could_not_connect_waits_for_another_turn(bot, monkeypatch):
    """Otherwise it could identify at the same moment as a shard of another process.

    It has its turn before it connects: discord.py would give up an open connection that waits for
    as long as many shards take.
    """
    tried = []

    class Connection:
        """Discord can't be reached the first time."""

        @classmethod
        async def from_client(cls, client, *, initial, shard_id, **_):
            tried.append(list(bot.leases.asked))
            await client.before_identify_hook(shard_id, initial=initial)
            if len(tried) == 1:
                raise OSError("unreachable")
            raise asyncio.CancelledError  # it's enough to know that it tried

    async def at_once(_):
        """Doesn't wait."""

    monkeypatch.setattr(shard, "DiscordWebSocket", Connection)
    monkeypatch.setattr(asyncio, "sleep", at_once)
    monkeypatch.setattr(bot, "launch_shard", partial(PatientBot.launch_shard, bot))
    bot.leases.now.set()

    bot.hold({0})
    await asyncio.wait(bot._holding.values())

    assert tried == [[0], [0, 0]]
    assert bot.leases.asked == [0, 0]
