"""The signpost of a challenge whose match has a thread: it says how the match went."""

from dataclasses import replace

import pytest

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


async def test_a_signpost_says_how_the_match_in_the_thread_ended_and_nothing_before(wanted):
    challenge, public = await begun(wanted)
    await wanted.quiet_now()
    said = listen(wanted, challenge)
    await wanted.trick("Ann", "Bo")
    await wanted.quiet_now()
    while_it_is_played = len(said)

    await resign(wanted, "Ann", public)

    assert while_it_is_played == 1
    assert len(said) == 2
    assert challenge.text.splitlines()[-1] == bo_wins(wanted)
    assert [(b.label, b.url) for b in challenge.buttons] == [
        ("Go to the table", table_link(wanted))
    ]
    assert wanted.sql("SELECT settled FROM matches") == [(1,)]


async def test_a_signpost_says_it_after_a_restart_between_the_end_and_the_edit(wanted):
    challenge, public = await begun(wanted)
    await wanted.quiet_now()
    wanted.bot.services.live._comparing.schedule = lambda match, delay=0.0: None
    await wanted.person("Ann").forge(public, custom_id=f"f1:{wanted.match_of(public)}:0:leave:")

    await wanted.restart()
    await wanted.discord.until(lambda: bo_wins(wanted) in challenge.text)


@pytest.mark.parametrize("code", [10008, 50001, 50013])
async def test_a_signpost_that_can_no_longer_be_edited_does_not_keep_the_match_from_settling(
    wanted, code
):
    challenge, public = await begun(wanted)
    await wanted.quiet_now()
    path = f"/channels/{challenge.channel_id}/messages/{challenge.id}$"
    status = 404 if code == 10008 else 403
    slot = await wanted.bot.services.live.slots.signpost(wanted.match_of(public))
    slot.token = None
    wanted.discord.faults.add(
        Fault(method="PATCH", path=path, status=status, code=code, times=None)
    )

    await resign(wanted, "Ann", public)
    await wanted.over(public, "Ann", "Bo")

    assert bo_wins(wanted) in public.text
    assert bo_wins(wanted) not in challenge.text
    assert wanted.sql("SELECT paused_at FROM matches") == [(None,)]


@pytest.mark.parametrize("dies", [False, True])
@pytest.mark.parametrize("by_click", [False, True])
async def test_a_signpost_hidden_at_the_end_says_how_it_ended_once_it_can_be_seen(
    wanted, monkeypatch, dies, by_click
):
    """Even if the click that ended the match could still edit the table."""
    monkeypatch.setattr("bot.live.bar.Bar.is_hopeless", True)  # as after all retries
    await wanted.restart(pacing=replace(AT_ONCE, settling=HOUR))  # so that the match isn't paused
    challenge, public = await begun(wanted)
    await wanted.quiet_now()
    slots = wanted.bot.services.live.slots
    for slot in (await slots.signpost(1), await slots.table(1)):
        slot.token = None
    wanted.discord.world.set_permissions("games", deny=Permission.VIEW_CHANNEL)
    await until(lambda: not is_seen(wanted.bot.get_channel(challenge.channel_id)))
    await resign(wanted, "Ann", public if by_click else wanted.desk("Ann"))
    await until(lambda: wanted.sql("SELECT settled FROM matches") == [(1,)])
    said = challenge.text
    if dies:
        await wanted.restart()
        await wanted.bot.wait_until_ready()
        await wanted.quiet_now()

    wanted.discord.world.set_permissions("games")

    await wanted.discord.until(lambda: bo_wins(wanted) in challenge.text)
    assert bo_wins(wanted) not in said
    await wanted.discord.until(lambda: bo_wins(wanted) in public.text)


async def test_a_signpost_says_how_a_match_in_an_archived_thread_ended(wanted):
    challenge, public = await begun(wanted, pace="slow")
    await wanted.quiet_now()
    wanted.discord.world.archive_thread(threads(wanted)[0])

    await resign(wanted, "Ann", public)

    assert bo_wins(wanted) in challenge.text
    assert [b.url for b in challenge.buttons] == [table_link(wanted)]


async def test_a_signpost_says_how_a_match_ended_whose_thread_was_deleted(wanted):
    challenge, _ = await begun(wanted, pace="slow")
    await wanted.quiet_now()
    wanted.discord.world.delete_channel(threads(wanted)[0])
    await until(lambda: wanted.sql("SELECT paused_why FROM matches") == [("lost",)])

    wanted.pass_time(31 * DAY)

    await wanted.discord.until(lambda: "it was paused for 30 days" in challenge.text)


async def test_a_signpost_links_to_where_its_match_was_resumed(wanted):
    challenge, _ = await begun(wanted, pace="slow")
    await wanted.quiet_now()
    wanted.discord.world.delete_channel(threads(wanted)[0])
    await until(lambda: wanted.sql("SELECT paused_why FROM matches") == [("lost",)])

    await wanted.person("Ann").slash("resume", channel="lobby", match=1)

    lobby = wanted.discord.world.channel("lobby").id
    await wanted.discord.until(lambda: challenge.text.endswith(STARTED.format(lobby)))


async def test_a_signpost_of_a_resumed_match_says_started_again(wanted):
    challenge, public = await begun(wanted, pace="slow")
    for _ in range(2):
        await wanted.play("Ann")
        wanted.pass_time(DAY)
        await wanted.quiet_now()
        await until(lambda: wanted.sql("SELECT due_at FROM matches") > [(wanted.watch(),)])
    await wanted.discord.until(lambda: "Resume match" in labels(public))
    await wanted.discord.until(lambda: "missed two deadlines" in challenge.text)

    for name in ("Ann", "Bo"):
        await wanted.person(name).click(public, "Resume match")

    await wanted.discord.until(lambda: challenge.text.endswith(STARTED.format(challenge.id)))


@pytest.mark.parametrize("forgotten", [False, True])
async def test_a_rematch_in_the_thread_takes_over_the_signpost(wanted, forgotten):
    challenge, public = await begun(wanted)
    await resign(wanted, "Ann", public)
    if forgotten:
        await wanted.restart()

    for name in ("Ann", "Bo"):
        await wanted.person(name).click(public, "Rematch")

    (thread,) = threads(wanted)
    await wanted.discord.until(lambda: challenge.text.endswith(STARTED.format(thread.id)))
    await wanted.discord.until(lambda: len(tables(wanted, thread)) == 1)
    (second,) = tables(wanted, thread)
    await wanted.quiet_now()
    await resign(wanted, "Ann", second)

    await wanted.discord.until(lambda: bo_wins(wanted) in challenge.text)
    assert [b.url for b in challenge.buttons] == [table_link(wanted)]
    assert wanted.sql("SELECT match FROM places WHERE place = -2") == [(2,)]


async def rematch_during_signpost_edit(wanted, monkeypatch, slot, public):
    """Ann resigns and both want a rematch while the signpost's edit with the end is held up."""
    late = HeldCalls(monkeypatch, slot, "edit")
    await wanted.person("Ann").forge(public, custom_id="f1:1:0:leave:")
    await late.reached()
    await wanted.discord.until(lambda: "Rematch" in labels(public))
    for name in ("Ann", "Bo"):
        await wanted.person(name).click(public, "Rematch")
    return late


async def test_a_late_edit_about_the_previous_match_does_not_stay_on_the_signpost(
    wanted, monkeypatch
):
    challenge, public = await begun(wanted)
    await wanted.quiet_now()
    slots = wanted.bot.services.live.slots
    slot = await slots.signpost(1)
    late = await rematch_during_signpost_edit(wanted, monkeypatch, slot, public)
    (thread,) = threads(wanted)
    await until(lambda: SIGNPOST in slots._matches.get(2, {}))
    of_rematch = await slots.signpost(2)
    await until(lambda: of_rematch.lock is slot.lock or of_rematch.revision > 0)
    late.let_through()
    await late.over()
    await wanted.quiet_now()

    assert challenge.text.endswith(STARTED.format(thread.id))
    assert wanted.sql("SELECT match FROM places WHERE place = -2") == [(2,)]


async def test_a_rematch_elsewhere_leaves_the_signpost_to_the_original_match(wanted, monkeypatch):
    challenge, _ = await begun(wanted, pace="slow")
    await wanted.quiet_now()
    wanted.discord.world.delete_channel(threads(wanted)[0])
    await until(lambda: wanted.sql("SELECT paused_why FROM matches") == [("lost",)])
    await wanted.person("Ann").slash("resume", channel="lobby", match=1)
    lobby = wanted.discord.world.channel("lobby")
    await wanted.discord.until(lambda: challenge.text.endswith(STARTED.format(lobby.id)))
    (public,) = await wanted.discord.until(lambda: tables(wanted, lobby))
    await wanted.quiet_now()
    slot = await wanted.bot.services.live.slots.signpost(1)
    slot.token = None
    late = await rematch_during_signpost_edit(wanted, monkeypatch, slot, public)
    await wanted.discord.until(lambda: "Go to the rematch" in labels(public))
    await wanted.bot.services.live.slots.signpost(2)

    assert await wanted.bot.services.live.slots.signpost(1) is slot
    late.let_through()
    await wanted.discord.until(lambda: bo_wins(wanted) in challenge.text)


@pytest.mark.parametrize("then", ["stays", "archived", "deleted", "begins again"])
async def test_a_signpost_does_not_name_a_deleted_player(wanted, then):
    challenge, public = await begun(wanted)
    await resign(wanted, "Ann", public)
    if then == "archived":
        wanted.discord.world.archive_thread(threads(wanted)[0])
    elif then == "deleted":
        wanted.discord.world.delete_channel(threads(wanted)[0])
    elif then == "begins again":
        await wanted.restart()

    await delete_ann(wanted)

    await wanted.discord.until(lambda: "a former player resigned" in challenge.text)
    await wanted.settled()
    assert wanted.person("Ann").mention not in challenge.text
    assert wanted.sql("SELECT count(*) FROM traces") == [(0,)]


async def test_a_signpost_does_not_name_a_deleted_player_while_the_others_play_on(wanted):
    challenge = await wanted.challenge("Ann", "Bo", "Cleo", variant="pico1-three")
    for name in ("Bo", "Cleo"):
        await wanted.person(name).click(challenge, "Accept")
    await wanted.discord.until(lambda: STARTED.format(challenge.id) in challenge.text)
    await wanted.quiet_now()

    await delete_ann(wanted)

    await wanted.discord.until(lambda: "a former player" in challenge.text)
    assert wanted.person("Ann").mention not in challenge.text
    assert challenge.text.endswith(STARTED.format(challenge.id))


async def test_a_signpost_deleted_by_a_moderator_does_not_block_a_deletion(wanted):
    challenge, public = await begun(wanted)
    await resign(wanted, "Ann", public)
    wanted.discord.world.delete_message(challenge)

    await delete_ann(wanted)

    await wanted.discord.until(lambda: "a former player" in public.text)
    await wanted.settled()
    assert wanted.sql("SELECT count(*) FROM traces") == [(0,)]
