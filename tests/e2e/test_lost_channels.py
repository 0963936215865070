"""Channels that were deleted or hidden, even while the bot was away: matches there are paused."""

import asyncio
from dataclasses import replace

import pytest

from sandbox import Fault
from sandbox.permissions import BOT_PERMISSIONS, Permission
from tests.support.clock import DAY, HOUR, MINUTE
from tests.support.held_calls import HeldCalls
from tests.support.match_threads import begun, threads, want_threads
from tests.support.services import AT_ONCE
from tests.support.waiting import until, written

LOST = "SELECT 1 FROM matches WHERE paused_why = 'lost'"


async def match_with_choice(table, **options):
    """The table of a slow match in which Ann has chosen and Bo owes a move."""
    public = await table.match(pace="slow", **options)
    await table.play("Ann")
    await table.settled()
    return public


def hide(table, channel="games"):
    table.discord.world.set_permissions(channel, deny=Permission.VIEW_CHANNEL)


async def test_a_channel_deleted_while_the_bot_was_away_is_noticed_at_startup(table):
    await match_with_choice(table)
    await table.stop()
    table.discord.world.delete_channel("games")

    await table.start()

    await written(table, LOST)
    table.pass_time(2 * DAY)
    await table.told()
    assert table.sql("SELECT step FROM matches") == [(0,)]


async def test_a_channel_deleted_during_an_outage_is_noticed_once_the_outage_is_over(table):
    world = table.discord.world
    await match_with_choice(table)
    await table.stop()
    world.take_down()
    world.delete_channel("games")
    await table.start()
    await table.bot.wait_until_ready()
    await until(lambda: table.bot.services.guild_lifecycle._unseen)
    paused = table.sql(LOST)

    world.bring_back()

    await written(table, LOST)
    assert paused == []


async def test_a_channel_hidden_while_the_bot_was_away_is_noticed_at_startup(table):
    await match_with_choice(table)
    await table.stop()
    hide(table)

    await table.start()

    await written(table, LOST)


async def test_an_existing_channel_is_not_requested_at_startup(table):
    public = await match_with_choice(table)
    await table.stop()
    since = len(table.discord.requests)

    await table.start()
    await table.bot.wait_until_ready()
    await table.settled()

    assert table.requests("GET", f"/channels/{public.channel_id}", since) == []
    assert table.sql(LOST) == []


async def test_a_match_pauses_when_its_channel_is_hidden_from_the_bot(table):
    await match_with_choice(table)

    hide(table)

    await written(table, LOST)


async def test_a_channel_that_is_hidden_only_briefly_pauses_nothing(table):
    """Somebody who changes permissions in two steps may hide the channel between them."""
    await table.restart(pacing=replace(AT_ONCE, settling=HOUR))
    lifecycle = table.bot.services.guild_lifecycle
    await match_with_choice(table)
    hide(table)
    await until(lambda: lifecycle._tasks)

    table.discord.world.set_permissions("games")
    lifecycle._closing.set()  # that hour is over

    await until(lambda: not lifecycle._tasks)
    assert table.sql(LOST) == []


async def test_a_match_pauses_only_after_its_channel_stayed_hidden_for_the_settling_time(table):
    await table.restart(pacing=replace(AT_ONCE, settling=0.3))
    await match_with_choice(table)
    clock = asyncio.get_running_loop().time
    began = clock()

    hide(table)

    await written(table, LOST)
    assert clock() - began >= 0.3


async def test_a_match_in_a_thread_pauses_when_the_parent_channel_is_hidden(table):
    await want_threads(table)
    await begun(table)

    hide(table)

    await written(table, LOST)


async def test_a_match_in_another_channel_goes_on(table):
    await match_with_choice(table)
    other = await table.match("Cleo", "Dan", channel="lobby")

    hide(table)

    await written(table, LOST)
    assert table.sql("SELECT id FROM matches WHERE paused_at IS NULL") == [(table.match_of(other),)]


@pytest.mark.parametrize("how", ["allowed less", "taken", "deleted"])
async def test_a_match_pauses_when_a_role_hides_its_channel_from_the_bot(table, how):
    world = table.discord.world
    everyone = world.guild.roles[world.guild.id]
    world.set_role_permissions(everyone, Permission.USE_APPLICATION_COMMANDS)
    (own,) = (world.guild.roles[role] for role in world.guild.members[world.bot.id].roles)
    world.set_role_permissions(own, Permission.USE_APPLICATION_COMMANDS)
    letting = world.add_role("Game bots", BOT_PERMISSIONS)
    world.set_roles(world.bot, own, letting)
    for name in ("Ann", "Bo"):
        people = world.add_role(f"{name}'s", BOT_PERMISSIONS | Permission.USE_APPLICATION_COMMANDS)
        world.set_roles(table.person(name).user, people)
    await match_with_choice(table)

    if how == "allowed less":
        world.set_role_permissions(letting, BOT_PERMISSIONS & ~Permission.VIEW_CHANNEL)
    elif how == "taken":
        world.set_roles(world.bot, own)
    else:
        world.delete_role(letting)

    await written(table, LOST)


async def test_a_mention_refused_for_a_lost_channel_pauses_the_match_and_announces_no_turn(table):
    """Whatever the library's cache says: an event may have been missed."""
    await table.bot.services.notice_settings.choose(table.person("Bo").id, "turn", "channel")
    await match_with_choice(table)
    hands = table.letters("Bo")
    table.discord.faults.add(
        Fault(method="POST", path="/messages$", saying="mention.", status=403, code=50001)
    )

    table.pass_time(3 * MINUTE)

    await written(table, LOST)
    await table.told()
    await table.settled()
    assert table.letters("Bo") == hands
    assert "**Paused**" in table.desk("Bo").text


async def test_a_thread_deleted_with_its_channel_while_the_bot_was_away_is_noticed(table):
    await want_threads(table)
    await begun(table)
    (thread,) = threads(table)
    await table.stop()
    table.discord.world.delete_channel("games")
    assert thread not in threads(table)

    await table.start()

    await written(table, LOST)


async def test_a_player_without_a_hand_by_direct_message_is_told_of_the_loss_by_one_message(table):
    """The other players' hands say it. The message is deleted once the match is resumed."""
    world, ann = table.discord.world, table.person("Ann")
    await table.bot.services.preferences.change(ann.id, "desk here")
    public = await table.challenge(pace="slow")
    await table.person("Bo").click(public, "Accept")
    await table.discord.until(lambda: table.has_hand("Bo", public))
    await table.quiet_now()
    before = table.letters("Bo")

    world.delete_channel("games")
    await written(table, LOST)
    await table.told()
    await table.quiet_now()
    (told,) = table.letters("Ann")
    await table.restart()
    await table.told()
    again = table.letters("Ann")
    await ann.slash("resume", channel="lobby", match=1)
    await until(lambda: told.deleted)

    assert told.text.startswith("⏸️ I lost access to the channel of **Pico · 13 cards**, so the")
    assert [button.label for button in told.buttons] == ["Go to the server"]
    assert again == [told]
    assert table.letters("Bo") == before


@pytest.mark.parametrize("what", ["edit", "mention"])
async def test_a_late_refusal_in_the_old_channel_does_not_pause_a_match_resumed_elsewhere(
    table, monkeypatch, what
):
    """An edit of the table, or a mention of somebody with closed direct messages."""
    table.person("Bo").closed = what == "mention"
    await match_with_choice(table)
    services = table.bot.services
    if what == "edit":
        slot = await services.live.slots.table(1)
        slot.token = None
        held = HeldCalls(monkeypatch, slot, "edit")
        slot.outdate()
        services.live.note_changed(1)
    else:
        is_mention = lambda *args, **_: str(args[2]).startswith("mention.")  # noqa: E731
        held = HeldCalls(monkeypatch, services.delivery, "send", about=is_mention)
        table.pass_time(2 * MINUTE)
    await held.reached()
    table.discord.world.delete_channel("games")
    await written(table, LOST)

    resuming = asyncio.create_task(table.person("Bo").slash("resume", channel="lobby", match=1))
    await written(table, LOST, [])
    held.let_through()
    public = (await resuming).message
    await table.settled()
    await table.told()

    assert table.sql(LOST) == []
    assert "Paused" not in public.text
