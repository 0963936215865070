"""The gateway as discord.py uses it: lost connections, shards and members."""

import discord as library
import pytest

from sandbox.sessions import SESSION_LIFETIME
from tests.conftest import point
from tests.support.sandbox_bot import running
from tests.support.sandboxes import quick_sandbox


async def test_the_bot_resumes_when_its_connection_is_cut(discord, bot):
    await discord.drop_connections()
    await discord.until(lambda: discord.gateway.resumed)

    answer = await discord.person("Ann").slash("say", channel="games", text="still here")

    assert (answer.text, discord.gateway.identified) == ("still here", 1)


async def test_an_interaction_while_disconnected_is_delivered_on_resume(discord, bot):
    await discord.drop_connections()
    await discord.until(lambda: not discord.gateway.is_ready())

    answer = await discord.person("Ann").slash("say", channel="games", text="still here")

    assert answer.text == "still here"


async def test_the_bot_reconnects_when_asked_to(discord, bot):
    await discord.request_reconnect()

    await discord.until(lambda: discord.gateway.resumed)


@pytest.mark.parametrize(("resumable", "identified"), [(True, 1), (False, 2)])
async def test_an_invalid_session_is_resumed_or_replaced(discord, bot, resumable, identified):
    await discord.invalidate_sessions(resumable=resumable)
    await discord.until(
        lambda: discord.gateway.identified + discord.gateway.resumed == 2, timeout=60
    )
    await discord.ready()

    assert discord.gateway.identified == identified
    assert (await discord.person("Ann").slash("say", channel="games", text="x")).text == "x"


async def test_a_bot_that_was_away_for_too_long_starts_a_new_session(discord, bot):
    def forget(event):
        """Let time pass as soon as the connection is lost, before the bot reconnects."""
        if event.kind == "connection" and event.subject.connection is None:
            discord.clock.advance(SESSION_LIFETIME)

    discord.world.events.subscribe(forget)
    await discord.drop_connections()
    await discord.until(lambda: discord.gateway.identified == 2, timeout=60)
    await discord.ready()

    assert discord.gateway.resumed == 0
    assert (await discord.person("Ann").slash("say", channel="games", text="x")).text == "x"


async def test_the_bot_reconnects_if_heartbeats_are_not_acknowledged(discord, monkeypatch):
    """A connection that is open but silent: discord.py calls it a zombie."""
    discord.faults.ignore_heartbeats = True
    async with running(discord, heartbeat_timeout=0.2):
        await discord.until(lambda: discord.gateway.resumed, timeout=60)


async def test_servers_belong_to_their_shards_and_direct_messages_to_the_first(pointed):
    async with quick_sandbox(shards=2, guilds=2) as discord:
        discord.limits.max_concurrency = 2
        point(pointed, discord)
        async with running(discord) as bot:
            await bot.wait_until_ready()
            shards = {guild.name: guild.shard_id for guild in bot.guilds}
            ann = discord.person("Ann")
            second = list(discord.world.guilds.values())[1]
            there = discord.world.channel("general", second)

            answers = [
                await ann.slash("say", channel=place, text="x")
                for place in ("games", there, ann.dm)
            ]

            expected = {g.name: (g.id >> 22) % 2 for g in discord.world.guilds.values()}
            assert shards == expected
            assert set(shards.values()) == {0, 1}
            assert all(answer.text == "x" for answer in answers)


async def test_the_bot_receives_members_on_request(discord, bot):
    ann = discord.person("Ann")
    guild = bot.get_guild(discord.world.guild.id)

    found = await guild.query_members(user_ids=[ann.id], cache=False)

    assert [member.id for member in found] == [ann.id]


async def test_the_bot_joins_the_server_that_adds_it(discord, bot):
    await bot.wait_until_ready()
    joined = bot.wait_for("guild_join", timeout=60)

    discord.world.remove_bot()
    discord.world.add_bot()

    assert (await joined).id == discord.world.guild.id


async def test_a_wrong_token_ends_the_bot(discord):
    with pytest.raises(library.LoginFailure):
        async with running(discord, token="MTIz.other.token"):
            pass
