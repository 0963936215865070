"""Matches in threads of their own, where the server wants that."""

from datetime import timedelta

import pytest

from sandbox.permissions import Permission
from tests.support.tables import labels

THREADS = Permission.CREATE_PUBLIC_THREADS | Permission.SEND_MESSAGES_IN_THREADS


@pytest.fixture
async def wanted(table):
    """The server wants threads, and lets the bot begin them."""
    table.discord.world.set_permissions("games", allow=THREADS)
    await table.bot.services.guild_settings.change(table.discord.world.guild.id, "threads on")
    return table


def threads(table):
    return list(table.discord.world.guild.threads())


def tables(table, channel):
    return [m for m in table.person("Ann").see(channel) if "My hand" in labels(m)]


async def begun(table, **options):
    """The challenge, and the table in the thread of the match."""
    challenge = await table.challenge(**options)
    await table.person("Bo").click(challenge, "Accept")
    await table.discord.until(lambda: table.desk("Ann") and table.desk("Bo"))
    (thread,) = threads(table)
    (public,) = tables(table, thread)
    return challenge, public


async def test_a_match_gets_a_thread_and_the_challenge_leads_there(wanted):
    challenge, public = await begun(wanted)
    (thread,) = threads(wanted)

    match = wanted.match_of(public)
    assert thread.name == f"Pico · 13 cards · match {match}"
    assert thread.id == challenge.id
    assert f"it is played in <#{thread.id}>" in challenge.text
    assert [b.url for b in challenge.buttons] == [
        f"https://discord.com/channels/{wanted.discord.world.guild.id}/{thread.id}"
    ]
    assert public.channel_id == thread.id
    assert wanted.sql("SELECT channel FROM matches") == [(thread.id,)]


async def test_desks_lead_to_the_table_in_the_thread(wanted):
    _, public = await begun(wanted)

    urls = {b.url for name in ("Ann", "Bo") for b in wanted.desk(name).buttons if b.url}

    guild = wanted.discord.world.guild.id
    assert urls == {f"https://discord.com/channels/{guild}/{public.channel_id}/{public.id}"}


async def test_a_match_is_played_to_its_end_in_its_thread(wanted):
    _, public = await begun(wanted, variant="pico1")

    await wanted.finish(public, "Ann", "Bo")

    assert "seed was" in public.text
    assert tables(wanted, "games") == []


async def test_a_challenge_that_nobody_accepts_gets_no_thread(wanted):
    challenge = await wanted.challenge()
    await wanted.person("Bo").click(challenge, "Decline")
    await wanted.quiet_now()

    assert threads(wanted) == []


async def test_without_the_wish_a_match_stays_in_the_channel(table):
    table.discord.world.set_permissions("games", allow=THREADS)

    public = await table.match()

    assert threads(table) == []
    assert public.channel_id == table.discord.world.channel("games").id


@pytest.mark.parametrize(
    ("right", "name"),
    [
        (Permission.CREATE_PUBLIC_THREADS, "Create Public Threads"),
        (Permission.SEND_MESSAGES_IN_THREADS, "Send Messages in Threads"),
    ],
)
async def test_what_is_missing_for_threads_is_named_before_a_match_begins(wanted, right, name):
    wanted.discord.world.set_permissions("games", allow=THREADS & ~right, deny=right)

    answer = await wanted.ask("Ann", "Bo")

    assert answer.text == (
        f"I can't run a match in this channel: I lack {name} here. Each match of this server gets "
        "a thread of its own. Ask a moderator to give me that, or challenge in another channel."
    )


async def test_a_match_is_played_in_the_channel_where_no_thread_can_be_begun_any_more(wanted):
    challenge = await wanted.challenge()
    wanted.discord.world.set_permissions("games", deny=THREADS)

    await wanted.person("Bo").click(challenge, "Accept")
    await wanted.discord.until(lambda: "My hand" in labels(challenge))

    assert threads(wanted) == []


async def test_a_challenge_in_a_thread_is_played_right_there(wanted):
    _, first = await begun(wanted)
    thread = threads(wanted)[0]

    public = await wanted.match("Cleo", "Dan", channel=thread)

    assert threads(wanted) == [thread]
    assert public.channel_id == first.channel_id == thread.id


async def test_a_thread_that_was_begun_before_a_death_is_used_after_it(wanted):
    challenge = await wanted.challenge()
    await wanted.person("Bo").click(challenge, "Accept")
    await wanted.discord.until(lambda: wanted.desk("Ann") and wanted.desk("Bo"))
    await wanted.quiet_now()
    await wanted.stop()
    # As if we had died right after the thread was begun.
    here = f"channel = {challenge.channel_id}"
    place = f"shown = 'open.0.', revision = 0, message = {challenge.id}, {here}"
    await wanted.change(f"UPDATE places SET {place} WHERE place = -1")  # noqa: S608 - our own ids
    await wanted.change(f"UPDATE matches SET {here}")  # noqa: S608 - our own ids

    await wanted.start()
    await wanted.discord.until(
        lambda: wanted.sql("SELECT message FROM places WHERE place = -1") != [(challenge.id,)]
    )
    await wanted.quiet_now()

    (thread,) = threads(wanted)
    assert wanted.sql("SELECT channel FROM matches") == [(thread.id,)]
    assert len(tables(wanted, thread)) == 1


async def test_a_table_in_a_thread_that_was_put_away_comes_anew_and_wakes_it(wanted):
    _, public = await begun(wanted, pace="slow")
    (thread,) = threads(wanted)
    thread.thread.archived = True
    wanted.discord.clock.advance(timedelta(minutes=20))

    await wanted.trick("Ann", "Bo")
    await wanted.discord.until(lambda: [m for m in tables(wanted, thread) if m is not public])
    await wanted.quiet_now()

    (again,) = tables(wanted, thread)
    assert not thread.thread.archived
    assert public.deleted
    assert "Last trick" in again.images[0].description
