"""Mentions that Discord refuses: the people they are for are told by direct message."""

from datetime import timedelta

import pytest

from sandbox import Fault
from sandbox.permissions import Permission
from tests.support.channels import close_to
from tests.support.clock import HOUR
from tests.support.notices import away, notices
from tests.support.tables import leads_to, resign


def lock(table):
    table.discord.world.set_permissions("games", deny=Permission.SEND_MESSAGES)


def time_out(table):
    table.discord.world.time_out(table.discord.world.bot, timedelta(days=2))


def block(table):
    """Let automatic moderation block every message of the bot."""
    table.discord.faults.add(
        Fault(
            method="POST", path="/messages$", saying="mention.", status=400, code=200000, times=None
        )
    )


HOW = {"locked": lock, "timed out": time_out, "blocked": block}


async def mentioned(table, *events):
    """The table of a slow match in which Bo, who owes a move, wants to be mentioned."""
    for event in events:
        await table.bot.services.notice_settings.choose(table.person("Bo").id, event, "channel")
    public = await table.match(pace="slow")
    await table.play("Ann")
    return public


@pytest.mark.parametrize("refuse", HOW.values(), ids=HOW.keys())
async def test_somebody_who_chose_mentions_is_told_and_reminded_by_direct_message(table, refuse):
    public = await mentioned(table, "turn", "time")
    refuse(table)

    await away(table)
    (turn,) = notices(table, "Bo")
    await away(table, 19 * HOUR)
    (reminder,) = notices(table, "Bo")

    assert turn.text.startswith("👉 It's your turn in **Pico")
    assert leads_to(turn, public)
    assert turn.deleted
    assert reminder.text.startswith("⏰ It's your turn in **Pico")


async def test_a_result_is_told_by_direct_message_if_it_cannot_be_mentioned(table):
    public = await mentioned(table, "over")
    await away(table)
    lock(table)

    await resign(table, "Ann", public)
    await away(table)

    (over,) = notices(table, "Bo")
    assert over.text.startswith("🏁 **Pico")
    assert leads_to(over, public)


@pytest.mark.parametrize("event", ["turn", "over"])
async def test_a_direct_message_instead_of_a_mention_is_retried_if_it_fails(table, event):
    public = await mentioned(table, event)
    if event == "over":
        await away(table)
    lock(table)
    table.discord.faults.add(
        Fault(method="POST", path="/messages$", saying="notice.", status=403, code=40004)
    )

    if event == "over":
        await resign(table, "Ann", public)
    await away(table)
    before = notices(table, "Bo")
    await away(table, HOUR)

    assert before == []
    assert len(notices(table, "Bo")) == 1


@pytest.mark.parametrize("sees", [True, False], ids=["sees it", "sees it no more"])
async def test_a_follower_is_told_of_the_end_of_a_match_as_long_as_they_can_see_it(table, sees):
    dan = table.person("Dan")
    public = await mentioned(table)
    menu = (await dan.click(public, "Menu")).message
    await dan.click(menu, "Follow")
    await table.bot.services.notice_settings.choose(dan.id, "watched", "channel")
    await away(table, HOUR)
    lock(table)
    if not sees:
        await close_to(table, "games", "Dan")

    await resign(table, "Ann", public)
    await away(table)

    assert [leads_to(m, public) for m in notices(table, "Dan")] == [True] * int(sees)


async def test_a_player_who_could_not_be_told_of_their_turn_is_reminded_anyway(table):
    """The channel may be open again by then."""
    table.person("Bo").closed = True
    await mentioned(table)
    lock(table)
    await away(table)
    assert table.sql("SELECT event FROM notices ORDER BY id") == [("time",), ("last",)]
    table.discord.world.set_permissions("games")

    await away(table, 19 * HOUR)

    bo = table.person("Bo")
    mentions = [m for m in table.person("Ann").see("games") if bo.id in m.pinged]
    assert mentions[-1].text.startswith(f"⏰ {bo.mention}: ")
