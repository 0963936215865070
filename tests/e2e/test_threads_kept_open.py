"""Tables and challenges are reposted in time, as Discord archives threads without new messages."""

from datetime import timedelta

import pytest

from sandbox.permissions import Permission
from tests.support.clock import DAY, HOUR, MINUTE
from tests.support.match_threads import begun, tables, thread_messages, threads
from tests.support.tables import labels, leads_to
from tests.support.waiting import until

WEEK = 7 * DAY
"""After this long without a message, Discord archives the thread of a match without a clock."""


def let_pass(table, seconds):
    """Advance time for Discord and for the bot."""
    table.discord.clock.advance(timedelta(seconds=seconds))
    table.pass_time(seconds)


async def look(table):
    """Let the clock's upkeep look at all threads once."""
    await table.bot.services.live.keep_threads_open()
    await table.quiet_now()


async def test_a_table_is_reposted_before_its_thread_is_archived(threaded):
    _, public = await begun(threaded, pace="none")
    (thread,) = threads(threaded)
    let_pass(threaded, WEEK - DAY)

    await threaded.discord.until(lambda: public.deleted)
    await threaded.quiet_now()

    (again,) = tables(threaded, thread)
    assert again.pinged == frozenset()
    for name in ("Ann", "Bo"):
        await threaded.discord.until(lambda n=name: leads_to(threaded.desk(n), again))
    await threaded.trick("Ann", "Bo")
    await threaded.discord.until(lambda: "Last trick" in again.images[0].description)


async def test_a_challenge_is_reposted_too_and_can_be_accepted_there(threaded):
    """In an archived forum post, Discord accepts no clicks at all."""
    await begun(threaded)
    (thread,) = threads(threaded)
    thread.thread.duration = 1440
    threaded.discord.world.emit("thread_updated", thread)
    await until(lambda: threaded.bot.get_channel(thread.id).auto_archive_duration == 1440, 30)
    public = await threaded.challenge("Cleo", "Dan", channel=thread, pace="slow")
    let_pass(threaded, 21 * HOUR)

    await threaded.discord.until(lambda: public.deleted)
    await threaded.quiet_now()

    again = next(m for m in reversed(thread_messages(threaded, thread)) if "Accept" in labels(m))
    # It replaces the message that mentioned Dan, whose phone stays quiet.
    assert again.pinged == {threaded.person("Dan").id}
    assert again.is_silent
    await threaded.person("Dan").click(again, "Accept")
    await threaded.settled()
    assert threaded.sql("SELECT status FROM matches ORDER BY id")[-1] == ("running",)


async def test_a_table_is_reposted_no_earlier_and_no_more_often_than_necessary(threaded):
    _, public = await begun(threaded, pace="none")
    (thread,) = threads(threaded)
    let_pass(threaded, 5 * DAY)
    await look(threaded)
    assert tables(threaded, thread) == [public]

    let_pass(threaded, DAY)
    await look(threaded)
    (second,) = tables(threaded, thread)
    let_pass(threaded, 5 * DAY)
    await look(threaded)

    assert second is not public
    assert tables(threaded, thread) == [second]


async def test_the_threads_of_all_servers_are_checked_once_a_minute(threaded, monkeypatch):
    """Not whenever a match or a notice is due, as no click is handled meanwhile."""
    times, ending = [], threaded.bot.services.live._threads.archived_soon

    async def counted():
        times.append(threaded.watch())
        return await ending()

    monkeypatch.setattr(threaded.bot.services.live._threads, "archived_soon", counted)
    threaded.watch.advance(MINUTE)
    for _ in range(4):
        for work in threaded.bot.services.deadlines._upkeep:
            await work()
        threaded.watch.advance(MINUTE / 2)

    assert len(times) == 2


async def test_a_thread_is_archived_after_the_time_that_discord_says(threaded):
    """A moderator has set it to an hour."""
    _, public = await begun(threaded, pace="none")
    (thread,) = threads(threaded)
    thread.thread.duration = 60
    threaded.discord.world.emit("thread_updated", thread)
    await until(lambda: threaded.bot.get_channel(thread.id).auto_archive_duration == 60, 30)
    let_pass(threaded, 49 * MINUTE)
    await look(threaded)
    assert tables(threaded, thread) == [public]

    let_pass(threaded, MINUTE)
    await look(threaded)

    assert tables(threaded, thread) != [public]


async def test_a_table_that_became_old_while_the_bot_was_away_is_reposted_at_the_start(threaded):
    _, public = await begun(threaded, pace="none")
    await threaded.quiet_now()
    await threaded.stop()
    threaded.discord.clock.advance(timedelta(days=6))
    threaded.watch.advance(6 * DAY)

    await threaded.start()
    threaded.bot.services.deadlines.clock_moved()

    await threaded.discord.until(lambda: public.deleted)


@pytest.mark.parametrize("how", ["over", "paused"])
async def test_a_match_that_is_over_or_paused_keeps_no_thread_open(threaded, how):
    _, public = await begun(threaded, pace="none")
    (thread,) = threads(threaded)
    await threaded.quiet_now()
    if how == "over":
        question = await threaded.asked_to_resign("Ann")
        await threaded.person("Ann").click(question.message, "Resign")
    else:
        await threaded.bot.services.pauses.pause(threaded.match_of(public), public.channel_id)
    await threaded.quiet_now()

    let_pass(threaded, WEEK - DAY)
    await look(threaded)

    assert not public.deleted
    assert [m for m in thread_messages(threaded, thread) if m.author is public.author] == [public]


async def test_a_table_outside_threads_is_not_reposted(table):
    public = await table.match(pace="none")

    let_pass(table, 29 * DAY)
    await look(table)

    assert not public.deleted


async def test_a_table_that_cannot_be_reposted_stays_and_is_tried_once(threaded):
    _, public = await begun(threaded, pace="none")
    (thread,) = threads(threaded)
    threaded.discord.world.set_permissions("games", deny=Permission.SEND_MESSAGES_IN_THREADS)
    let_pass(threaded, WEEK - DAY)
    for _ in range(3):
        await look(threaded)

    refused = [r for r in threaded.requests("POST", f"/channels/{thread.id}/") if r.status == 403]
    assert len(refused) == 2  # with its picture, and in words
    await threaded.trick("Ann", "Bo")
    await threaded.quiet_now()
    assert "Last trick" in public.text  # without that permission, it can't send pictures either


async def test_a_table_is_reposted_once_the_bot_can_post_again(threaded):
    _, public = await begun(threaded, pace="none")
    (thread,) = threads(threaded)
    threaded.discord.world.set_permissions("games", deny=Permission.SEND_MESSAGES_IN_THREADS)
    let_pass(threaded, WEEK - DAY)
    await look(threaded)
    slot = await threaded.bot.services.live.slots.table(threaded.match_of(public))
    await until(lambda: slot.stays)
    threaded.discord.world.set_permissions("games")
    await until(lambda: not slot.stays)
    await look(threaded)

    assert tables(threaded, thread) != [public]
