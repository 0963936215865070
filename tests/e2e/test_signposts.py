"""The signpost of a challenge whose match has a thread: it says how the match went."""

from dataclasses import replace
from datetime import timedelta

import pytest
from discord.utils import time_snowflake

from bot.messaging.permissions import is_seen
from bot.storage.messages import SIGNPOST
from sandbox import Fault
from sandbox.permissions import Permission
from tests.support.clock import DAY, HOUR
from tests.support.held_calls import HeldCalls
from tests.support.match_threads import begun, delete_ann, tables, threads
from tests.support.services import AT_ONCE
from tests.support.tables import labels, listen, resign
from tests.support.waiting import until

STARTED = "The match has started in <#{}>."


def table_link(table):
    """The link to the table of the newest match, according to the database."""
    query = "SELECT channel, message FROM places WHERE place = -1 ORDER BY match DESC"
    channel, message = table.sql(query)[0]
    return f"https://discord.com/channels/{table.discord.world.guild.id}/{channel}/{message}"


def bo_wins(table):
    ann, bo = (table.person(name).mention for name in ("Ann", "Bo"))
    return f"**{bo} wins**: {ann} resigned."


async def test_a_signpost_says_how_the_match_in_the_thread_ended_and_nothing_before(threaded):
    challenge, public = await begun(threaded)
    await threaded.quiet_now()
    said = listen(threaded, challenge)
    await threaded.trick("Ann", "Bo")
    await threaded.quiet_now()
    while_it_is_played = len(said)

    await resign(threaded, "Ann", public)

    assert while_it_is_played == 1
    assert len(said) == 2
    assert challenge.text.splitlines()[-1] == bo_wins(threaded)
    assert [(b.label, b.url) for b in challenge.buttons] == [
        ("Go to the table", table_link(threaded))
    ]
    assert threaded.sql("SELECT settled FROM matches") == [(1,)]


async def test_a_signpost_says_it_after_a_restart_between_the_end_and_the_edit(threaded):
    challenge, public = await begun(threaded)
    await threaded.quiet_now()
    threaded.bot.services.live._comparing.schedule = lambda match, delay=0.0: None
    await threaded.person("Ann").forge(public, custom_id=f"f1:{threaded.match_of(public)}:0:leave:")

    await threaded.restart()
    await threaded.discord.until(lambda: bo_wins(threaded) in challenge.text)


@pytest.mark.parametrize("code", [10008, 50001, 50013])
async def test_a_signpost_that_can_no_longer_be_edited_does_not_keep_the_match_from_settling(
    threaded, code
):
    challenge, public = await begun(threaded)
    await threaded.quiet_now()
    path = f"/channels/{challenge.channel_id}/messages/{challenge.id}$"
    status = 404 if code == 10008 else 403
    slot = await threaded.bot.services.live.slots.signpost(threaded.match_of(public))
    slot.token = None
    threaded.discord.faults.add(
        Fault(method="PATCH", path=path, status=status, code=code, times=None)
    )

    await resign(threaded, "Ann", public)
    await threaded.over(public, "Ann", "Bo")

    assert bo_wins(threaded) in public.text
    assert bo_wins(threaded) not in challenge.text
    assert threaded.sql("SELECT paused_at FROM matches") == [(None,)]


@pytest.mark.parametrize("dies", [False, True])
@pytest.mark.parametrize("by_click", [False, True])
async def test_a_signpost_hidden_at_the_end_says_how_it_ended_once_it_can_be_seen(
    threaded, monkeypatch, dies, by_click
):
    """Even if the click that ended the match could still edit the table."""
    monkeypatch.setattr("bot.live.bar.Bar.is_hopeless", True)  # as after all retries
    await threaded.restart(pacing=replace(AT_ONCE, settling=HOUR))  # so that the match isn't paused
    challenge, public = await begun(threaded)
    await threaded.quiet_now()
    slots = threaded.bot.services.live.slots
    for slot in (await slots.signpost(1), await slots.table(1)):
        slot.token = None
    threaded.discord.world.set_permissions("games", deny=Permission.VIEW_CHANNEL)
    await until(lambda: not is_seen(threaded.bot.get_channel(challenge.channel_id)))
    await resign(threaded, "Ann", public if by_click else threaded.desk("Ann"))
    await until(lambda: threaded.sql("SELECT settled FROM matches") == [(1,)])
    said = challenge.text
    if dies:
        await threaded.restart()
        await threaded.bot.wait_until_ready()
        await threaded.quiet_now()

    threaded.discord.world.set_permissions("games")

    await threaded.discord.until(lambda: bo_wins(threaded) in challenge.text)
    assert bo_wins(threaded) not in said
    await threaded.discord.until(lambda: bo_wins(threaded) in public.text)


async def test_a_signpost_says_how_a_match_in_an_archived_thread_ended(threaded):
    challenge, public = await begun(threaded, pace="slow")
    await threaded.quiet_now()
    threaded.discord.world.archive_thread(threads(threaded)[0])

    await resign(threaded, "Ann", public)

    assert bo_wins(threaded) in challenge.text
    assert [b.url for b in challenge.buttons] == [table_link(threaded)]


async def test_a_signpost_says_how_a_match_ended_whose_thread_was_deleted(threaded):
    challenge, _ = await begun(threaded, pace="slow")
    await threaded.quiet_now()
    threaded.discord.world.delete_channel(threads(threaded)[0])
    await until(lambda: threaded.sql("SELECT paused_why FROM matches") == [("lost",)])

    threaded.pass_time(31 * DAY)

    await threaded.discord.until(lambda: "it was paused for 30 days" in challenge.text)


async def test_a_signpost_links_to_where_its_match_was_resumed(threaded):
    challenge, _ = await begun(threaded, pace="slow")
    await threaded.quiet_now()
    threaded.discord.world.delete_channel(threads(threaded)[0])
    await until(lambda: threaded.sql("SELECT paused_why FROM matches") == [("lost",)])

    await threaded.person("Ann").slash("resume", channel="lobby", match=1)

    lobby = threaded.discord.world.channel("lobby").id
    await threaded.discord.until(lambda: challenge.text.endswith(STARTED.format(lobby)))


async def test_a_signpost_of_a_resumed_match_says_started_again(threaded):
    challenge, public = await begun(threaded, pace="slow")
    for _ in range(2):
        await threaded.play("Ann")
        threaded.pass_time(DAY)
        await threaded.quiet_now()
        await until(lambda: threaded.sql("SELECT due_at FROM matches") > [(threaded.watch(),)])
    await threaded.discord.until(lambda: "Resume match" in labels(public))
    await threaded.discord.until(lambda: "missed two deadlines" in challenge.text)

    for name in ("Ann", "Bo"):
        await threaded.person(name).click(public, "Resume match")

    await threaded.discord.until(lambda: challenge.text.endswith(STARTED.format(challenge.id)))


@pytest.mark.parametrize("forgotten", [False, True])
async def test_a_rematch_in_the_thread_takes_over_the_signpost(threaded, forgotten):
    challenge, public = await begun(threaded)
    await resign(threaded, "Ann", public)
    if forgotten:
        await threaded.restart()

    for name in ("Ann", "Bo"):
        await threaded.person(name).click(public, "Rematch")

    (thread,) = threads(threaded)
    await threaded.discord.until(lambda: challenge.text.endswith(STARTED.format(thread.id)))
    await threaded.discord.until(lambda: len(tables(threaded, thread)) == 1)
    (second,) = tables(threaded, thread)
    await threaded.quiet_now()
    await resign(threaded, "Ann", second)

    await threaded.discord.until(lambda: bo_wins(threaded) in challenge.text)
    assert [b.url for b in challenge.buttons] == [table_link(threaded)]
    assert threaded.sql("SELECT match FROM places WHERE place = -2") == [(2,)]


async def rematch_during_signpost_edit(threaded, monkeypatch, slot, public):
    """Ann resigns and both want a rematch while the signpost's edit with the end is held up."""
    late = HeldCalls(monkeypatch, slot, "edit")
    await threaded.person("Ann").forge(public, custom_id="f1:1:0:leave:")
    await late.reached()
    await threaded.discord.until(lambda: "Rematch" in labels(public))
    for name in ("Ann", "Bo"):
        await threaded.person(name).click(public, "Rematch")
    return late


async def test_a_late_edit_about_the_previous_match_does_not_stay_on_the_signpost(
    threaded, monkeypatch
):
    challenge, public = await begun(threaded)
    await threaded.quiet_now()
    slots = threaded.bot.services.live.slots
    slot = await slots.signpost(1)
    late = await rematch_during_signpost_edit(threaded, monkeypatch, slot, public)
    (thread,) = threads(threaded)
    await until(lambda: SIGNPOST in slots._matches.get(2, {}))
    of_rematch = await slots.signpost(2)
    await until(lambda: of_rematch.lock is slot.lock or of_rematch.ref.revision > 0)
    late.let_through()
    await late.over()
    await threaded.quiet_now()

    assert challenge.text.endswith(STARTED.format(thread.id))
    assert threaded.sql("SELECT match FROM places WHERE place = -2") == [(2,)]


async def test_a_rematch_elsewhere_leaves_the_signpost_to_the_original_match(threaded, monkeypatch):
    challenge, _ = await begun(threaded, pace="slow")
    await threaded.quiet_now()
    threaded.discord.world.delete_channel(threads(threaded)[0])
    await until(lambda: threaded.sql("SELECT paused_why FROM matches") == [("lost",)])
    await threaded.person("Ann").slash("resume", channel="lobby", match=1)
    lobby = threaded.discord.world.channel("lobby")
    await threaded.discord.until(lambda: challenge.text.endswith(STARTED.format(lobby.id)))
    (public,) = await threaded.discord.until(lambda: tables(threaded, lobby))
    await threaded.quiet_now()
    slot = await threaded.bot.services.live.slots.signpost(1)
    slot.token = None
    late = await rematch_during_signpost_edit(threaded, monkeypatch, slot, public)
    await threaded.discord.until(lambda: "Go to the rematch" in labels(public))
    await threaded.bot.services.live.slots.signpost(2)

    assert await threaded.bot.services.live.slots.signpost(1) is slot
    late.let_through()
    await threaded.discord.until(lambda: bo_wins(threaded) in challenge.text)


@pytest.mark.parametrize("then", ["stays", "archived", "deleted", "begins again"])
async def test_a_signpost_does_not_name_a_deleted_player(threaded, then):
    challenge, public = await begun(threaded)
    await resign(threaded, "Ann", public)
    if then == "archived":
        threaded.discord.world.archive_thread(threads(threaded)[0])
    elif then == "deleted":
        threaded.discord.world.delete_channel(threads(threaded)[0])
    elif then == "begins again":
        await threaded.restart()

    await delete_ann(threaded)

    await threaded.discord.until(lambda: "a former player resigned" in challenge.text)
    await threaded.settled()
    assert threaded.person("Ann").mention not in challenge.text
    assert threaded.sql("SELECT count(*) FROM traces") == [(0,)]


async def test_a_signpost_does_not_name_a_deleted_player_while_the_others_play_on(threaded):
    challenge = await threaded.challenge("Ann", "Bo", "Cleo", variant="pico1-three")
    for name in ("Bo", "Cleo"):
        await threaded.person(name).click(challenge, "Accept")
    await threaded.discord.until(lambda: STARTED.format(challenge.id) in challenge.text)
    await threaded.quiet_now()

    await delete_ann(threaded)

    await threaded.discord.until(lambda: "a former player" in challenge.text)
    assert threaded.person("Ann").mention not in challenge.text
    assert challenge.text.endswith(STARTED.format(challenge.id))


async def test_a_signpost_deleted_by_a_moderator_does_not_block_a_deletion(threaded):
    challenge, public = await begun(threaded)
    await resign(threaded, "Ann", public)
    threaded.discord.world.delete_message(challenge)

    await delete_ann(threaded)

    await threaded.discord.until(lambda: "a former player" in public.text)
    await threaded.settled()
    assert threaded.sql("SELECT count(*) FROM traces") == [(0,)]


async def test_a_table_that_moves_during_the_last_edit_of_its_signpost_is_linked_there(
    threaded, monkeypatch
):
    challenge, public = await begun(threaded)
    await threaded.quiet_now()
    live = threaded.bot.services.live
    slot = await live.slots.signpost(1)
    late = HeldCalls(monkeypatch, slot, "edit")
    await threaded.person("Ann").forge(public, custom_id="f1:1:0:leave:")
    await late.reached()

    later = threaded.discord.clock.now() + 2 * timedelta(minutes=1)
    await live.repost_table(1, time_snowflake(later))
    late.let_through()
    await late.over()
    await threaded.quiet_now()

    assert [b.url for b in challenge.buttons] == [table_link(threaded)]
    assert str(public.id) not in table_link(threaded)
