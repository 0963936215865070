"""The connection breaks in the middle of a match, and the match goes on."""

import asyncio

import pytest

from tests.support.clock import MINUTE


async def reconnected(table, sessions):
    """Wait until the bot has come back, with an old session or a new one."""
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
    """discord.py waits some seconds before it connects anew, which is not what is tested."""
    monkeypatch.setattr("discord.backoff.ExponentialBackoff.delay", lambda self: 0.0)


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


async def test_a_click_while_the_connection_is_down_is_answered_when_it_is_back(table):
    """Discord keeps what a session has missed, and a resumed one gets it; in time, or too late."""
    await table.match()
    before = table.discord.gateway.identified + table.discord.gateway.resumed
    await drop(table.discord)

    answer = await table.play("Ann")
    await reconnected(table, before)

    assert answer.kind == 7
    assert table.sql("SELECT count(*) FROM moves") == [(1,)]


async def test_nobody_s_time_runs_out_while_the_connection_is_gone(table, monkeypatch):
    public = await table.match()
    gateway = table.discord.gateway
    before = gateway.identified + gateway.resumed
    monkeypatch.setattr("discord.backoff.ExponentialBackoff.delay", lambda self: 0.3)

    await table.discord.drop_connections()
    await held(table)
    table.pass_time(10 * MINUTE)
    await reconnected(table, before)

    due = int(table.watch()) + 2 * MINUTE
    await table.discord.until(lambda: f"<t:{due}:R>" in public.text)
    assert "Time ran out" not in public.text


async def held(table):
    """Wait until the bot has noticed that its connection is gone."""
    noticed = asyncio.Event()
    hold = table.bot.services.deadlines.hold

    def hold_and_tell():
        hold()
        noticed.set()

    table.bot.services.deadlines.hold = hold_and_tell
    if table.bot.services.deadlines._held_since is None:
        await asyncio.wait_for(noticed.wait(), 10)
