"""Rematches where the bot can no longer post: their tables could be nowhere."""

from datetime import timedelta

import pytest

from sandbox.permissions import Permission
from tests.support.match_threads import begun, threads, want_threads
from tests.support.tables import labels, resign, win
from tests.support.waiting import until

HERE = "I can't run a match in this channel: I need Send Messages"
NOTHING_NEW = [("over",)]


async def wish_answers(table, message_of):
    """The answers to both players who press **Rematch** on the message that `message_of` gives."""
    answers = [await table.person(n).click(message_of(n), "Rematch") for n in ("Ann", "Bo")]
    await table.handled()
    return [answer.text for answer in answers]


async def silenced(table):
    """Take the bot's permission to write in the channel, and wait until it knows."""
    table.discord.world.set_permissions("games", deny=Permission.SEND_MESSAGES)
    channel = table.bot.get_channel(table.discord.world.channel("games").id)
    await until(lambda: not channel.permissions_for(channel.guild.me).send_messages)


async def timed_out(table):
    """Time the bot out, and wait until it knows."""
    world = table.discord.world
    world.time_out(world.bot, timedelta(minutes=10))
    await until(table.bot.get_guild(world.guild.id).me.is_timed_out)


@pytest.fixture
async def ended(table):
    """A finished match of two players with closed direct messages."""
    for name in ("Ann", "Bo"):
        table.person(name).closed = True
    public = await table.match()
    await table.person("Bo").forge(public, custom_id=f"f1:{table.match_of(public)}:0:leave:")
    await table.settled()
    return public


async def test_a_rematch_at_the_table_says_which_permission_is_missing_and_nothing_begins(
    table, ended
):
    await silenced(table)

    told = await wish_answers(table, lambda _: ended)

    assert [text.startswith(HERE) for text in told] == [True, True]
    assert table.sql("SELECT status FROM matches") == NOTHING_NEW
    assert "Rematch" in labels(ended)


async def test_a_rematch_begins_once_it_is_permitted_again(table, ended):
    await silenced(table)
    await wish_answers(table, lambda _: ended)
    table.discord.world.set_permissions("games")

    await wish_answers(table, lambda _: ended)
    await table.quiet_now()

    assert table.sql("SELECT status FROM matches") == [*NOTHING_NEW, ("running",)]
    assert "Go to the rematch" in labels(ended)


async def test_no_rematch_begins_while_the_bot_is_timed_out(table, ended):
    await timed_out(table)

    told = await wish_answers(table, lambda _: ended)

    assert ["has timed me out in this server" in text for text in told] == [True, True]
    assert table.sql("SELECT status FROM matches") == NOTHING_NEW


async def test_a_rematch_from_direct_messages_says_which_permission_is_missing_in_the_channel(
    table,
):
    public = await win(table, "Ann", "Bo")
    await silenced(table)

    told = await wish_answers(table, table.desk)

    begins = f"I can't run a match in <#{public.channel_id}>: I need Send Messages"
    assert [text.startswith(begins) for text in told] == [True, True]
    assert table.sql("SELECT status FROM matches") == NOTHING_NEW


async def test_no_rematch_from_direct_messages_begins_while_the_bot_is_timed_out(table):
    await win(table, "Ann", "Bo")
    await timed_out(table)

    told = await wish_answers(table, table.desk)

    assert ["has timed me out in that server" in text for text in told] == [True, True]
    assert table.sql("SELECT status FROM matches") == NOTHING_NEW


@pytest.mark.parametrize("by", ["table", "inbox"])
async def test_no_rematch_begins_in_a_locked_thread(table, by):
    await want_threads(table)
    _, public = await begun(table)
    await resign(table, "Bo", public)
    (thread,) = threads(table)
    thread.thread.locked = True
    table.discord.world.emit("thread_updated", thread)
    await until(lambda: table.bot.get_channel(thread.id).locked)

    told = await wish_answers(table, (lambda _: public) if by == "table" else table.desk)

    assert ["locked, so I can't run matches" in text for text in told] == [True, True]
    assert table.sql("SELECT status FROM matches") == NOTHING_NEW
