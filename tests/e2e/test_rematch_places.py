"""Rematches where the bot can no longer post: their tables could be nowhere."""

from datetime import timedelta

import pytest

from sandbox.guilds import Thread
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


async def locked_and_closed(table, thread):
    table.discord.world.archive_thread(thread, locked=True)


async def closed_and_timed_out(table, thread):
    table.discord.world.archive_thread(thread)
    await timed_out(table)


async def closed_and_silenced(table, thread):
    table.discord.world.set_permissions("games", deny=Permission.SEND_MESSAGES_IN_THREADS)
    channel = table.bot.get_channel(table.discord.world.channel("games").id)
    me = channel.guild.me
    await until(lambda: not channel.permissions_for(me).send_messages_in_threads)
    table.discord.world.archive_thread(thread)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (locked_and_closed, "<#{}> is locked, so I can't run matches there."),
        (closed_and_timed_out, "A moderator has timed me out in that server"),
        (closed_and_silenced, "I can't run a match in <#{}>: I need Send Messages in Threads"),
    ],
)
async def test_no_rematch_from_direct_messages_begins_in_an_archived_thread_without_room(
    table, change, sentence
):
    await want_threads(table)
    _, public = await begun(table)
    await resign(table, "Bo", public)
    (thread,) = threads(table)
    await change(table, thread)
    await until(lambda: table.bot.get_channel(thread.id) is None)

    told = await wish_answers(table, table.desk)

    begins = sentence.format(thread.id)
    assert [text.startswith(begins) for text in told] == [True, True], told
    assert table.sql("SELECT status FROM matches") == NOTHING_NEW


async def test_a_rematch_from_direct_messages_begins_in_an_archived_thread(table):
    await want_threads(table)
    _, public = await begun(table)
    await resign(table, "Bo", public)
    (thread,) = threads(table)
    table.discord.world.archive_thread(thread)
    await until(lambda: table.bot.get_channel(thread.id) is None)

    await wish_answers(table, table.desk)

    assert table.sql("SELECT status FROM matches") == [*NOTHING_NEW, ("running",)]


async def own_thread(table):
    """A thread of the bot's own, once it knows of it."""
    world, now = table.discord.world, table.discord.world.clock.now()
    details = Thread(owner=world.bot.id, created_at=now, changed_at=now)
    thread = world.add_thread(world.channel("games"), "table", details)
    await until(lambda: table.bot.get_channel(thread.id) is not None)
    return thread


async def locked(table, thread):
    """Lock a thread, and wait until the bot knows."""
    table.discord.world.lock(thread)
    await until(lambda: table.bot.get_channel(thread.id).locked)


def assert_nothing_begins(table, answer, thread):
    """The answer refuses because of the lock, and the challenge stays open."""
    (said,) = answer.followups
    assert said.text.startswith(f"<#{thread.id}> is locked, so I can't run matches there.")
    assert table.sql("SELECT status FROM matches") == [("open",)]


@pytest.mark.parametrize("closed", [False, True])
async def test_no_challenge_is_accepted_from_a_list_in_a_locked_thread(table, closed):
    thread = await own_thread(table)
    await table.ask("Ann", "Bo", channel=thread)
    bo = table.person("Bo")
    shown = (await bo.slash("games", channel=bo.dm)).message
    if closed:
        await locked_and_closed(table, thread)
        await until(lambda: table.bot.get_channel(thread.id) is None)
    else:
        await locked(table, thread)

    answer = await bo.click(shown, "Accept 1")
    await table.settled()

    assert_nothing_begins(table, answer, thread)


async def test_no_open_seat_is_taken_from_a_list_in_a_locked_thread(table):
    thread = await own_thread(table)
    await table.person("Ann").slash("pico play", channel=thread)
    bo = table.person("Bo")
    shown = (await bo.slash("watch", channel="lobby")).message
    await locked(table, thread)

    answer = await bo.click(shown, "Join")
    await table.settled()

    assert_nothing_begins(table, answer, thread)


@pytest.mark.parametrize("allowed", [True, False])
async def test_a_rematch_is_judged_by_the_channel_where_it_would_be_played(table, allowed):
    """Its hand may have been opened in another channel, by `/games`."""
    table.person("Ann").closed = table.person("Bo").closed = True
    public = await table.match(channel="games")
    listed = (await table.person("Ann").slash("games", channel="lobby")).message
    hand = (await (await table.person("Ann").click(listed, "Play 1")).settled()).message
    asked = await table.asked_to_resign("Bo", public)
    await table.person("Bo").click(asked.message, "Resign")
    await table.discord.until(lambda: "Rematch" in labels(hand))
    world = table.discord.world
    there = world.channel("games" if allowed else "lobby").id
    await table.bot.services.guild_settings.set_channels(world.guild.id, [there])

    answer = await table.person("Ann").click(hand, "Rematch")
    await table.handled()

    games = world.channel("games").id
    refused = f"You can't start matches in <#{games}>. Play in <#{there}>." in answer.text
    assert refused == (not allowed)
    assert table.sql("SELECT count(*) FROM seats WHERE wished") == [(int(allowed),)]
