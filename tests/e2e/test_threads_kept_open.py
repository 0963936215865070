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


async def test_a_table_is_reposted_before_its_thread_is_archived(wanted):
    _, public = await begun(wanted, pace="none")
    (thread,) = threads(wanted)
    let_pass(wanted, WEEK - DAY)

    await wanted.discord.until(lambda: public.deleted)
    await wanted.quiet_now()

    (again,) = tables(wanted, thread)
    assert again.pinged == frozenset()
    for name in ("Ann", "Bo"):
        await wanted.discord.until(lambda n=name: leads_to(wanted.desk(n), again))
    await wanted.trick("Ann", "Bo")
    await wanted.discord.until(lambda: "Last trick" in again.images[0].description)


async def test_a_challenge_is_reposted_too_and_can_be_accepted_there(wanted):
    """In an archived forum post, Discord accepts no clicks at all."""
    await begun(wanted)
    (thread,) = threads(wanted)
    thread.thread.duration = 1440
    wanted.discord.world.emit("thread_updated", thread)
    await until(lambda: wanted.bot.get_channel(thread.id).auto_archive_duration == 1440, 30)
    public = await wanted.challenge("Cleo", "Dan", channel=thread, pace="slow")
    let_pass(wanted, 21 * HOUR)

    await wanted.discord.until(lambda: public.deleted)
    await wanted.quiet_now()

    again = next(m for m in reversed(thread_messages(wanted, thread)) if "Accept" in labels(m))
    # It replaces the message that mentioned Dan, whose phone stays quiet.
    assert again.pinged == {wanted.person("Dan").id}
    assert again.is_silent
    await wanted.person("Dan").click(again, "Accept")
    await wanted.settled()
    assert wanted.sql("SELECT status FROM matches ORDER BY id")[-1] == ("running",)


async def test_a_table_is_reposted_no_earlier_and_no_more_often_than_necessary(wanted):
    _, public = await begun(wanted, pace="none")
    (thread,) = threads(wanted)
    let_pass(wanted, 5 * DAY)
    await look(wanted)
    assert tables(wanted, thread) == [public]

    let_pass(wanted, DAY)
    await look(wanted)
    (second,) = tables(wanted, thread)
    let_pass(wanted, 5 * DAY)
    await look(wanted)

    assert second is not public
    assert tables(wanted, thread) == [second]


async def test_the_threads_of_all_servers_are_checked_once_a_minute(wanted, monkeypatch):
    """Not whenever a match or a notice is due, as no click is handled meanwhile."""
    times, ending = [], wanted.bot.services.live._threads.ending

    async def counted():
        times.append(wanted.watch())
        return await ending()

    monkeypatch.setattr(wanted.bot.services.live._threads, "ending", counted)
    wanted.watch.advance(MINUTE)
    for _ in range(4):
        for work in wanted.bot.services.deadlines._upkeep:
            await work()
        wanted.watch.advance(MINUTE / 2)

    assert len(times) == 2


async def test_a_thread_is_archived_after_the_time_that_discord_says(wanted):
    """A moderator has set it to an hour."""
    _, public = await begun(wanted, pace="none")
    (thread,) = threads(wanted)
    thread.thread.duration = 60
    wanted.discord.world.emit("thread_updated", thread)
    await until(lambda: wanted.bot.get_channel(thread.id).auto_archive_duration == 60, 30)
    let_pass(wanted, 49 * MINUTE)
    await look(wanted)
    assert tables(wanted, thread) == [public]

    let_pass(wanted, MINUTE)
    await look(wanted)

    assert tables(wanted, thread) != [public]


async def test_a_table_that_became_old_while_the_bot_was_away_is_reposted_at_the_start(wanted):
    _, public = await begun(wanted, pace="none")
    await wanted.quiet_now()
    await wanted.stop()
    wanted.discord.clock.advance(timedelta(days=6))
    wanted.watch.advance(6 * DAY)

    await wanted.start()
    wanted.bot.services.deadlines.clock_moved()

    await wanted.discord.until(lambda: public.deleted)


@pytest.mark.parametrize("how", ["over", "paused"])
async def test_a_match_that_is_over_or_paused_keeps_no_thread_open(wanted, how):
    _, public = await begun(wanted, pace="none")
    (thread,) = threads(wanted)
    await wanted.quiet_now()
    if how == "over":
        question = await wanted.asked_to_resign("Ann")
        await wanted.person("Ann").click(question.message, "Resign")
    else:
        await wanted.bot.services.pauses.pause(wanted.match_of(public), public.channel_id)
    await wanted.quiet_now()

    let_pass(wanted, WEEK - DAY)
    await look(wanted)

    assert not public.deleted
    assert [m for m in thread_messages(wanted, thread) if m.author is public.author] == [public]


async def test_a_table_outside_threads_is_not_reposted(table):
    public = await table.match(pace="none")

    let_pass(table, 29 * DAY)
    await look(table)

    assert not public.deleted


async def test_a_table_that_cannot_be_reposted_stays_and_is_tried_once(wanted):
    _, public = await begun(wanted, pace="none")
    (thread,) = threads(wanted)
    wanted.discord.world.set_permissions("games", deny=Permission.SEND_MESSAGES_IN_THREADS)
    let_pass(wanted, WEEK - DAY)
    for _ in range(3):
        await look(wanted)

    refused = [r for r in wanted.requests("POST", f"/channels/{thread.id}/") if r.status == 403]
    assert len(refused) == 2  # with its picture, and in words
    await wanted.trick("Ann", "Bo")
    await wanted.quiet_now()
    assert "Last trick" in public.text  # without that permission, it can't send pictures either


async def test_a_table_is_reposted_once_the_bot_can_post_again(wanted):
    _, public = await begun(wanted, pace="none")
    (thread,) = threads(wanted)
    wanted.discord.world.set_permissions("games", deny=Permission.SEND_MESSAGES_IN_THREADS)
    let_pass(wanted, WEEK - DAY)
    await look(wanted)
    slot = await wanted.bot.services.live.slots.table(wanted.match_of(public))
    await until(lambda: slot.stays)
    wanted.discord.world.set_permissions("games")
    await until(lambda: not slot.stays)
    await look(wanted)

    assert tables(wanted, thread) != [public]
