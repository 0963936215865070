"""The connection breaks in the middle of a match, and the match goes on."""

import asyncio
from datetime import timedelta

import pytest
from discord.ext import commands
from discord.gateway import DiscordWebSocket

from tests.conftest import point
from tests.support.clock import MINUTE
from tests.support.sandboxes import quick_sandbox
from tests.support.tables import seated
from tests.support.waiting import until, written


async def reconnected(table, sessions):
    """Wait until the bot has reconnected more often than this, with an old or a new session."""
    gateway = table.discord.gateway
    await table.discord.until(lambda: gateway.identified + gateway.resumed > sessions)
    await table.discord.ready()


async def drop(discord):
    await discord.drop_connections()


async def ask_to_reconnect(discord):
    await discord.request_reconnect()


async def invalidate(discord):
    await discord.invalidate_sessions(resumable=False)


async def invalidate_resumably(discord):
    await discord.invalidate_sessions(resumable=True)


@pytest.fixture(autouse=True)
def _impatient(monkeypatch):
    """Skip discord.py's pause of some seconds before it reconnects."""
    monkeypatch.setattr("discord.backoff.ExponentialBackoff.delay", lambda self: 0.0)


@pytest.fixture
def door(monkeypatch):
    """An event; while it is cleared, no new connection to the gateway is opened."""
    opened = asyncio.Event()
    connect = DiscordWebSocket.from_client.__func__  # type: ignore[attr-defined]  # a method

    async def wait(cls, *args, **options):
        await opened.wait()
        return await connect(cls, *args, **options)

    monkeypatch.setattr(DiscordWebSocket, "from_client", classmethod(wait))
    opened.set()
    return opened


BREAKS = [drop, ask_to_reconnect, invalidate_resumably, invalidate]


@pytest.mark.parametrize("break_", BREAKS)
async def test_a_match_goes_on_after_the_connection_broke(table, break_):
    public = await table.match()
    await table.play("Ann")
    gateway = table.discord.gateway
    before = gateway.identified + gateway.resumed

    await break_(table.discord)
    await reconnected(table, before)
    await table.play("Bo")
    await table.discord.until(lambda: table.step(table.desk("Ann")) == 1)

    assert len(table.letters("Ann")) == 1
    assert [m for m in table.person("Ann").see("games") if "Pico ·" in m.text] == [public]
    assert table.sql("SELECT step FROM matches") == [(1,)]


async def test_a_click_while_the_connection_is_down_is_answered_after_it_is_resumed(table):
    """Discord stores what a session has missed and sends it when the session is resumed."""
    await table.match()
    await table.quiet_now()  # a hand that is being edited can't be the answer to a click
    table.watch.now = table.discord.clock.now().timestamp()  # pauses have advanced it
    before = table.discord.gateway.identified + table.discord.gateway.resumed
    await drop(table.discord)

    answer = await table.play("Ann")
    await reconnected(table, before)

    assert answer.kind == 7
    assert table.sql("SELECT count(*) FROM moves") == [(1,)]


async def test_a_click_that_failed_while_the_connection_was_down_is_not_done_later(table, door):
    """Its author was told so, and may have left or changed their mind since."""
    public = await table.challenge()
    gateway, bo = table.discord.gateway, table.person("Bo")
    before = gateway.identified + gateway.resumed

    door.clear()
    await drop(table.discord)
    await held(table)
    clicked = asyncio.create_task(bo.click(public, "Accept"))
    await table.discord.until(lambda: bo.user.id in asked(gateway))
    table.discord.clock.advance(timedelta(seconds=4))
    assert (await clicked).failed
    table.pass_time(MINUTE)
    door.set()
    await reconnected(table, before)

    # By the bot's clock, this interaction is most of a minute old, but it is handled anyway.
    answer = await bo.slash("games", channel="games")
    await table.handled()

    assert "Pico" in answer.text
    assert table.sql("SELECT status FROM matches") == [("open",)]


async def test_nobodys_time_runs_out_while_the_connection_is_down(table, door):
    public = await table.match()
    gateway = table.discord.gateway
    before = gateway.identified + gateway.resumed

    door.clear()
    await table.discord.drop_connections()
    await held(table)
    table.pass_time(10 * MINUTE)
    door.set()
    await reconnected(table, before)

    due = int(table.watch()) + 2 * MINUTE
    await table.discord.until(lambda: f"<t:{due}:R>" in public.text)
    assert "Time ran out" not in public.text


async def test_a_server_that_removed_the_bot_between_two_sessions_is_noticed(table, door):
    """The new session isn't told that the bot was removed, only which servers there are."""
    await table.match()
    gateway, world = table.discord.gateway, table.discord.world
    before = gateway.identified + gateway.resumed

    door.clear()
    await drop(table.discord)
    await held(table)
    await invalidate(table.discord)
    world.remove_bot()
    door.set()
    await reconnected(table, before)

    await written(table, "SELECT 1 FROM matches WHERE paused_at NOT NULL")
    assert table.bot.get_guild(world.guild.id) is None


def asked(gateway):
    """The ids of users whose interactions are in the gateway's sessions."""
    sent = [payload for session in gateway.sessions.values() for payload in session.sent]
    clicks = [payload["d"] for payload in sent if payload["t"] == "INTERACTION_CREATE"]
    return [int((click.get("member") or click)["user"]["id"]) for click in clicks]


async def held(table, shard=0):
    """Wait until the bot has noticed that the connection of this shard is gone."""
    clock = table.bot.services.deadlines
    await until(lambda: shard not in clock._awake)


# Several shards: a server's clicks arrive on its own shard, those in direct messages on the first.


SHARDS = 3


@pytest.fixture
async def servers(pointed, tmp_path, monkeypatch):
    """A bot in three servers, each on a shard of its own, with a live match in each."""
    monkeypatch.setattr(commands.AutoShardedBot, "before_identify_hook", at_once)
    async with quick_sandbox(shards=SHARDS, guilds=SHARDS) as discord:
        discord.limits.max_concurrency = SHARDS  # all shards can identify at once
        point(pointed, discord)
        async with seated(discord, tmp_path) as table:
            yield table


async def at_once(self, shard_id, *, initial=False):
    """Do nothing; discord.py would wait 5 seconds here."""
    del self, shard_id, initial


async def match_in_each(table):
    """The public message of a match in each server, by shard."""
    tables = {}
    for guild in table.discord.world.guilds.values():
        channel = next(iter(guild.channels.values()))
        public = await table.match(channel=channel)
        tables[(guild.id >> 22) % SHARDS] = public
    return tables


def cut(discord, shard):
    """Cut the connection of one shard."""
    (session,) = [s for s in discord.gateway.sessions.values() if s.shard == shard]
    session.connection.abort()


async def timed_out(table, public):
    await table.discord.until(lambda: "Time ran out" in public.text)


async def test_while_a_shard_is_down_no_time_runs_out_in_its_servers(servers, door):
    tables = await match_in_each(servers)
    gateway = servers.discord.gateway
    before = gateway.identified + gateway.resumed

    door.clear()
    cut(servers.discord, 1)
    await held(servers, 1)
    servers.pass_time(2 * MINUTE)
    await timed_out(servers, tables[0])
    await timed_out(servers, tables[2])
    door.set()
    await reconnected(servers, before)

    due = int(servers.watch()) + 2 * MINUTE
    await servers.discord.until(lambda: f"<t:{due}:R>" in tables[1].text)
    assert "Time ran out" not in tables[1].text
    steps = servers.sql("SELECT (guild >> 22) % 3, step FROM matches ORDER BY 1")
    assert steps == [(0, 1), (1, 0), (2, 1)]


async def test_while_the_shard_of_direct_messages_is_down_no_time_runs_out_anywhere(servers, door):
    tables = await match_in_each(servers)
    gateway = servers.discord.gateway
    before = gateway.identified + gateway.resumed

    door.clear()
    cut(servers.discord, 0)
    await held(servers, 0)
    servers.pass_time(2 * MINUTE)
    door.set()
    await reconnected(servers, before)

    due = int(servers.watch()) + 2 * MINUTE
    for public in tables.values():
        await servers.discord.until(lambda public=public: f"<t:{due}:R>" in public.text)
    assert servers.sql("SELECT step FROM matches") == [(0,), (0,), (0,)]
