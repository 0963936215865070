"""Matches in threads of their own, in servers that want that."""

from datetime import timedelta

import pytest
from discord.utils import utcnow

from bot.messaging.delivery import Token
from sandbox import Fault
from sandbox.permissions import Permission
from tests.support.match_threads import begun, tables, threads, want_threads
from tests.support.tables import labels
from tests.support.waiting import until

THREADS = Permission.CREATE_PUBLIC_THREADS | Permission.SEND_MESSAGES_IN_THREADS


async def test_a_match_gets_a_thread_and_the_challenge_links_to_it(wanted):
    challenge, public = await begun(wanted)
    (thread,) = threads(wanted)

    match = wanted.match_of(public)
    assert thread.name == f"Pico · 13 cards · match {match} and rematches"
    assert thread.id == challenge.id
    assert f"has started in <#{thread.id}>" in challenge.text
    assert [b.url for b in challenge.buttons] == [
        f"https://discord.com/channels/{wanted.discord.world.guild.id}/{thread.id}"
    ]
    assert public.channel_id == thread.id
    assert wanted.sql("SELECT channel FROM matches") == [(thread.id,)]


async def test_a_challenge_from_before_threads_were_turned_on_gets_one_too(table):
    challenge = await table.challenge()
    await want_threads(table)
    await table.person("Bo").click(challenge, "Accept")
    await table.discord.until(lambda: threads(table) and tables(table, threads(table)[0]))


async def test_a_match_gets_its_thread_from_a_process_that_does_not_know_the_channel(
    wanted, monkeypatch
):
    """The process took back a click that the owner of the match did not take."""
    monkeypatch.setattr(wanted.bot, "get_channel", lambda _: None)

    challenge, public = await begun(wanted)

    assert public.channel_id == challenge.id


async def test_hands_link_to_the_table_in_the_thread(wanted):
    _, public = await begun(wanted)

    urls = {b.url for name in ("Ann", "Bo") for b in wanted.desk(name).buttons if b.url}

    guild = wanted.discord.world.guild.id
    assert urls == {f"https://discord.com/channels/{guild}/{public.channel_id}/{public.id}"}


async def test_a_match_can_be_played_to_its_end_in_its_thread(wanted):
    _, public = await begun(wanted, variant="pico1")

    await wanted.finish(public, "Ann", "Bo")

    assert "seed was" in public.text
    assert tables(wanted, "games") == []


async def test_a_rematch_is_played_in_the_same_thread_and_the_thread_is_renamed(wanted):
    _, public = await begun(wanted)
    await wanted.person("Bo").forge(public, custom_id=f"f1:{wanted.match_of(public)}:0:leave:")
    await wanted.over(public, "Ann", "Bo")

    for name in ("Ann", "Bo"):
        await wanted.person(name).click(public, "Rematch")

    (thread,) = threads(wanted)
    await wanted.discord.until(lambda: len(tables(wanted, thread)) == 1)
    assert wanted.sql("SELECT channel FROM matches") == [(thread.id,)] * 2
    assert thread.name.endswith(" and rematches")


async def test_a_challenge_that_nobody_accepts_gets_no_thread(wanted):
    challenge = await wanted.challenge()
    await wanted.person("Bo").click(challenge, "Decline")
    await wanted.quiet_now()

    assert threads(wanted) == []


async def test_without_that_setting_a_match_stays_in_the_channel(table):
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
async def test_the_permission_missing_for_threads_is_named_before_a_match_begins(
    wanted, right, name
):
    wanted.discord.world.set_permissions("games", allow=THREADS & ~right, deny=right)

    answer = await wanted.ask("Ann", "Bo")

    assert answer.text == (
        f"I can't run a match in this channel: I need {name} here. In this server, each match gets "
        "its own thread. Ask a moderator to allow that, or play in another channel."
    )


@pytest.mark.parametrize("denied", [*THREADS, THREADS])
async def test_a_match_stays_in_the_channel_if_threads_can_no_longer_be_created(wanted, denied):
    """A thread in which the bot couldn't write would be of no use either."""
    challenge = await wanted.challenge()
    wanted.discord.world.set_permissions("games", deny=denied)
    channel = wanted.bot.get_channel(challenge.channel_id)
    await until(lambda: not channel.permissions_for(channel.guild.me).value & denied)

    await wanted.person("Bo").click(challenge, "Accept")
    await wanted.discord.until(lambda: "My hand" in labels(challenge))

    assert threads(wanted) == []


@pytest.mark.parametrize(
    ("status", "code"), [(400, 50035), (400, 160007), (400, 40006), (403, 999999)]
)
async def test_a_match_stays_in_the_channel_if_its_thread_is_refused(wanted, status, code):
    challenge = await wanted.challenge()
    path = r"/messages/\d+/threads$"
    wanted.discord.faults.add(Fault(method="POST", path=path, status=status, code=code))

    await wanted.person("Bo").click(challenge, "Accept")
    await wanted.discord.until(lambda: "My hand" in labels(challenge))

    assert threads(wanted) == []


@pytest.mark.parametrize("closed", [(), ("Ann", "Bo")])
async def test_a_match_whose_challenge_is_deleted_as_it_begins_has_a_table(wanted, closed):
    """By a moderator, after its thread was created."""
    for name in closed:
        wanted.person(name).closed = True
    challenge = await wanted.challenge()
    fault = Fault(method="PATCH", path=r"/messages/", status=404, code=10008, saying="has started")
    wanted.discord.faults.add(fault)

    await wanted.person("Bo").click(challenge, "Accept")
    await wanted.settled()

    (thread,) = threads(wanted)
    (public,) = tables(wanted, thread)
    assert not wanted.discord.faults.ordered
    assert wanted.cards(await wanted.hand("Ann", public))


async def test_a_challenge_in_a_thread_is_played_in_that_thread(wanted):
    _, first = await begun(wanted)
    thread = threads(wanted)[0]

    public = await wanted.match("Cleo", "Dan", channel=thread)

    assert threads(wanted) == [thread]
    assert public.channel_id == first.channel_id == thread.id


async def test_a_thread_that_was_created_before_a_crash_is_used_after_it(wanted):
    challenge = await wanted.challenge()
    await wanted.person("Bo").click(challenge, "Accept")
    await wanted.discord.until(lambda: wanted.desk("Ann") and wanted.desk("Bo"))
    await wanted.quiet_now()
    await wanted.stop()
    # As if the bot had died right after the thread was created.
    here = f"channel = {challenge.channel_id}"
    place = f"shown = 'open.0.', revision = 0, message = {challenge.id}, {here}"
    await wanted.change(f"UPDATE places SET {place} WHERE place = -1")  # noqa: S608 - our own ids
    await wanted.change(f"UPDATE matches SET {here}")  # noqa: S608 - our own ids

    await wanted.start()
    await until(
        lambda: wanted.sql("SELECT message FROM places WHERE place = -1") != [(challenge.id,)]
    )
    await wanted.quiet_now()

    (thread,) = threads(wanted)
    assert wanted.sql("SELECT channel FROM matches") == [(thread.id,)]
    assert len(tables(wanted, thread)) == 1


async def test_a_table_in_an_archived_thread_is_posted_again_and_opens_the_thread(wanted):
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


@pytest.mark.parametrize("status", [500, 503])
async def test_an_edit_by_token_that_fails_in_a_thread_is_tried_with_the_bots_token(
    wanted, status, monkeypatch
):
    """Discord has answered like this in archived threads."""
    monkeypatch.setattr("bot.live.edited.IN_THREAD_SECONDS", 0.2)
    _, public = await begun(wanted)
    path = r"^/webhooks/\d+/token/"
    slot = await wanted.bot.services.live.slots.table(wanted.match_of(public))
    slot.token = Token("token", utcnow() + timedelta(minutes=5))
    wanted.discord.faults.add(Fault(method="PATCH", path=path, status=status, times=None))

    await wanted.trick("Ann", "Bo")

    await wanted.discord.until(lambda: "Last trick" in public.images[0].description)
    edits = wanted.requests("PATCH", f"/messages/{public.id}")
    assert {edit.status for edit in edits} == {200}
