"""Matches in threads of their own, in servers that want that."""

from datetime import timedelta

import pytest
from discord.utils import utcnow

from bot.messaging.first_answer import Token
from sandbox import Fault
from sandbox.permissions import Permission
from tests.support.match_threads import begun, tables, threads, want_threads
from tests.support.tables import labels
from tests.support.waiting import until

THREADS = Permission.CREATE_PUBLIC_THREADS | Permission.SEND_MESSAGES_IN_THREADS


async def test_a_match_gets_a_thread_and_the_challenge_links_to_it(threaded):
    challenge, public = await begun(threaded)
    (thread,) = threads(threaded)

    match = threaded.match_of(public)
    assert thread.name == f"Pico · 13 cards · match {match} and rematches"
    assert thread.id == challenge.id
    assert f"has started in <#{thread.id}>" in challenge.text
    assert [b.url for b in challenge.buttons] == [
        f"https://discord.com/channels/{threaded.discord.world.guild.id}/{thread.id}"
    ]
    assert public.channel_id == thread.id
    assert threaded.sql("SELECT channel FROM matches") == [(thread.id,)]


async def test_a_challenge_from_before_threads_were_turned_on_gets_one_too(table):
    challenge = await table.challenge()
    await want_threads(table)
    await table.person("Bo").click(challenge, "Accept")
    await table.discord.until(lambda: threads(table) and tables(table, threads(table)[0]))


async def test_a_match_gets_its_thread_from_a_process_that_does_not_know_the_channel(
    threaded, monkeypatch
):
    """The process took back a click that the owner of the match did not take."""
    monkeypatch.setattr(threaded.bot, "get_channel", lambda _: None)

    challenge, public = await begun(threaded)

    assert public.channel_id == challenge.id


async def test_hands_link_to_the_table_in_the_thread(threaded):
    _, public = await begun(threaded)

    urls = {b.url for name in ("Ann", "Bo") for b in threaded.desk(name).buttons if b.url}

    guild = threaded.discord.world.guild.id
    assert urls == {f"https://discord.com/channels/{guild}/{public.channel_id}/{public.id}"}


async def test_a_match_can_be_played_to_its_end_in_its_thread(threaded):
    _, public = await begun(threaded, variant="pico1")

    await threaded.finish(public, "Ann", "Bo")

    assert "seed was" in public.text
    assert tables(threaded, "games") == []


async def test_a_rematch_is_played_in_the_same_thread_and_the_thread_is_renamed(threaded):
    _, public = await begun(threaded)
    await threaded.person("Bo").forge(public, custom_id=f"f1:{threaded.match_of(public)}:0:leave:")
    await threaded.over(public, "Ann", "Bo")

    for name in ("Ann", "Bo"):
        await threaded.person(name).click(public, "Rematch")

    (thread,) = threads(threaded)
    await threaded.discord.until(lambda: len(tables(threaded, thread)) == 1)
    assert threaded.sql("SELECT channel FROM matches") == [(thread.id,)] * 2
    assert thread.name.endswith(" and rematches")


async def test_a_challenge_that_nobody_accepts_gets_no_thread(threaded):
    challenge = await threaded.challenge()
    await threaded.person("Bo").click(challenge, "Decline")
    await threaded.quiet_now()

    assert threads(threaded) == []


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
    threaded, right, name
):
    threaded.discord.world.set_permissions("games", allow=THREADS & ~right, deny=right)

    answer = await threaded.ask("Ann", "Bo")

    assert answer.text == (
        f"I can't run a match in this channel: I need {name} here. In this server, each match gets "
        "its own thread. Ask a moderator to allow that, or play in another channel."
    )


@pytest.mark.parametrize("denied", [*THREADS, THREADS])
async def test_a_match_stays_in_the_channel_if_threads_can_no_longer_be_created(threaded, denied):
    """A thread in which the bot couldn't write would be of no use either."""
    challenge = await threaded.challenge()
    threaded.discord.world.set_permissions("games", deny=denied)
    channel = threaded.bot.get_channel(challenge.channel_id)
    await until(lambda: not channel.permissions_for(channel.guild.me).value & denied)

    await threaded.person("Bo").click(challenge, "Accept")
    await threaded.discord.until(lambda: "My hand" in labels(challenge))

    assert threads(threaded) == []


@pytest.mark.parametrize(
    ("status", "code"), [(400, 50035), (400, 160007), (400, 40006), (403, 999999)]
)
async def test_a_match_stays_in_the_channel_if_its_thread_is_refused(threaded, status, code):
    challenge = await threaded.challenge()
    path = r"/messages/\d+/threads$"
    threaded.discord.faults.add(Fault(method="POST", path=path, status=status, code=code))

    await threaded.person("Bo").click(challenge, "Accept")
    await threaded.discord.until(lambda: "My hand" in labels(challenge))

    assert threads(threaded) == []


@pytest.mark.parametrize("closed", [(), ("Ann", "Bo")])
async def test_a_match_whose_challenge_is_deleted_as_it_begins_has_a_table(threaded, closed):
    """By a moderator, after its thread was created."""
    for name in closed:
        threaded.person(name).closed = True
    challenge = await threaded.challenge()
    fault = Fault(method="PATCH", path=r"/messages/", status=404, code=10008, saying="has started")
    threaded.discord.faults.add(fault)

    await threaded.person("Bo").click(challenge, "Accept")
    await threaded.settled()

    (thread,) = threads(threaded)
    (public,) = tables(threaded, thread)
    assert not threaded.discord.faults.ordered
    assert threaded.cards(await threaded.hand("Ann", public))


async def test_a_challenge_in_a_thread_is_played_in_that_thread(threaded):
    _, first = await begun(threaded)
    thread = threads(threaded)[0]

    public = await threaded.match("Cleo", "Dan", channel=thread)

    assert threads(threaded) == [thread]
    assert public.channel_id == first.channel_id == thread.id


async def test_a_thread_that_was_created_before_a_crash_is_used_after_it(threaded):
    challenge = await threaded.challenge()
    await threaded.person("Bo").click(challenge, "Accept")
    await threaded.discord.until(lambda: threaded.desk("Ann") and threaded.desk("Bo"))
    await threaded.quiet_now()
    await threaded.stop()
    # As if the bot had died right after the thread was created.
    here = f"channel = {challenge.channel_id}"
    place = f"shown = 'open.0.', revision = 0, message = {challenge.id}, {here}"
    await threaded.change(f"UPDATE places SET {place} WHERE place = -1")  # noqa: S608 - our own ids
    await threaded.change(f"UPDATE matches SET {here}")  # noqa: S608 - our own ids

    await threaded.start()
    await until(
        lambda: threaded.sql("SELECT message FROM places WHERE place = -1") != [(challenge.id,)]
    )
    await threaded.quiet_now()

    (thread,) = threads(threaded)
    assert threaded.sql("SELECT channel FROM matches") == [(thread.id,)]
    assert len(tables(threaded, thread)) == 1


async def test_a_table_in_an_archived_thread_is_posted_again_and_opens_the_thread(threaded):
    _, public = await begun(threaded, pace="slow")
    (thread,) = threads(threaded)
    thread.thread.archived = True
    threaded.discord.clock.advance(timedelta(minutes=20))

    await threaded.trick("Ann", "Bo")
    await threaded.discord.until(lambda: [m for m in tables(threaded, thread) if m is not public])
    await threaded.quiet_now()

    (again,) = tables(threaded, thread)
    assert not thread.thread.archived
    assert public.deleted
    assert "Last trick" in again.images[0].description


@pytest.mark.parametrize("status", [500, 503])
async def test_an_edit_by_token_that_fails_in_a_thread_is_tried_with_the_bots_token(
    threaded, status, monkeypatch
):
    """Discord has answered like this in archived threads."""
    monkeypatch.setattr("bot.live.edited.IN_THREAD_SECONDS", 0.2)
    _, public = await begun(threaded)
    path = r"^/webhooks/\d+/token/"
    slot = await threaded.bot.services.live.slots.table(threaded.match_of(public))
    slot.token = Token("token", utcnow() + timedelta(minutes=5))
    threaded.discord.faults.add(Fault(method="PATCH", path=path, status=status, times=None))

    await threaded.trick("Ann", "Bo")

    await threaded.discord.until(lambda: "Last trick" in public.images[0].description)
    edits = threaded.requests("PATCH", f"/messages/{public.id}")
    assert {edit.status for edit in edits} == {200}
