"""Tables that the bot couldn't reach while their match changed, and can reach again."""

import asyncio
from datetime import timedelta

import pytest

from sandbox.permissions import Permission
from tests.support.match_threads import begun, want_threads
from tests.support.tables import resign
from tests.support.waiting import until, written

PAUSED = "⏸️ **Paused**: I lost access to this match's channel."


async def match_without_server(table):
    """The table of a match whose server has just removed the bot."""
    public = await table.match()
    await table.quiet_now()
    table.discord.world.remove_bot()
    await table.discord.until(lambda: PAUSED in table.desk("Bo").text)
    await table.quiet_now()
    assert PAUSED not in public.text
    return public


@pytest.mark.parametrize("dies", ["before", "after", "never"])
async def test_a_table_says_that_its_match_is_paused_once_the_server_is_back(table, dies):
    public = await match_without_server(table)

    if dies == "before":
        await table.stop()
    table.discord.world.add_bot()
    if dies == "before":
        await table.start()
    elif dies == "after":
        await table.restart()
    await table.discord.until(lambda: PAUSED in public.text)

    await table.quiet_now()
    assert not public.deleted
    assert table.sql("SELECT left_at FROM servers") == [(None,)]


async def test_a_table_says_paused_even_if_the_bot_died_before_storing_that_it_was_removed(table):
    """The server was back before the start, so it looks as if it had never removed the bot."""
    public = await table.match()
    await table.quiet_now()
    await table.stop()
    await table.change(
        "UPDATE matches SET paused_at = 1, paused_why = 'lost', revision = revision + 1"
    )

    await table.start()

    await table.discord.until(lambda: PAUSED in public.text)


@pytest.mark.parametrize("dies", [False, True])
async def test_a_challenge_that_expired_while_the_bot_was_removed_says_so_afterwards(
    table, expired_tokens, dies
):
    public = await table.challenge(pace="slow")
    table.discord.world.remove_bot()
    await written(table, "SELECT left_at NOT NULL FROM servers", [(1,)])
    table.pass_time(timedelta(days=10).total_seconds())
    await written(table, "SELECT status, settled FROM matches", [("expired", 1)])
    assert "expired" not in public.text

    table.discord.world.add_bot()
    if dies:
        await table.restart()

    await table.discord.until(lambda: "expired" in public.text)


async def test_a_table_says_that_its_match_is_paused_once_its_channel_can_be_seen(
    table, expired_tokens
):
    public = await table.match()
    table.discord.world.set_permissions("games", deny=Permission.VIEW_CHANNEL)
    await table.play("Ann")
    await table.quiet_now()
    assert PAUSED in table.desk("Bo").text
    assert PAUSED not in public.text

    table.discord.world.set_permissions("games")

    await table.discord.until(lambda: PAUSED in public.text)


async def hide(table, channel="games"):
    """Hide a channel from the bot, and wait until it knows."""
    heard = table.bot.wait_for("guild_channel_update", timeout=30)
    table.discord.world.set_permissions(channel, deny=Permission.VIEW_CHANNEL)
    await heard


def show(table, channel="games"):
    table.discord.world.set_permissions(channel)


async def heard_showing(table, channel="games"):
    """Show a channel to the bot, and wait until it has handled that."""
    heard = table.bot.wait_for("guild_channel_update", timeout=30)
    show(table, channel)
    await heard
    await until(lambda: not any("_update" in task.get_name() for task in asyncio.all_tasks()))


SETTLED = "SELECT settled FROM matches WHERE id = 1"


@pytest.mark.parametrize("dies", [False, True])
async def test_a_table_shows_afterwards_how_its_match_ended_while_its_channel_was_hidden(
    table, expired_tokens, dies
):
    public = await table.match()
    await hide(table)
    await resign(table, "Bo", public)
    await written(table, SETTLED, [(1,)])
    assert "seed was" not in public.text
    if dies:
        await table.restart()
        await table.bot.wait_until_ready()

    show(table)

    await table.discord.until(lambda: "seed was" in public.text)


async def test_a_table_in_a_thread_shows_afterwards_how_its_match_ended_while_hidden(
    table, expired_tokens
):
    await want_threads(table)
    _, public = await begun(table)
    await hide(table)
    await resign(table, "Bo", public)
    await written(table, SETTLED, [(1,)])
    assert "seed was" not in public.text

    show(table)

    await table.discord.until(lambda: "seed was" in public.text)


async def test_a_table_that_shows_its_end_is_not_edited_when_its_channel_can_be_seen_again(
    table, expired_tokens
):
    public = await table.match()
    await resign(table, "Bo", public)
    await written(table, SETTLED, [(1,)])
    await hide(table)
    since = len(table.discord.requests)

    await heard_showing(table)
    await table.quiet_now()

    assert table.requests("PATCH", f"/messages/{public.id}", since) == []


async def test_a_table_in_a_hidden_channel_is_not_tried_when_another_channel_is_shown(
    table, expired_tokens
):
    """Discord bans clients that keep requesting what it refuses."""
    public = await table.match()
    await hide(table)
    await resign(table, "Bo", public)
    await written(table, SETTLED, [(1,)])
    await hide(table, "lobby")
    since = len(table.discord.requests)

    await heard_showing(table, "lobby")
    await table.quiet_now()

    assert table.requests("PATCH", f"/messages/{public.id}", since) == []
